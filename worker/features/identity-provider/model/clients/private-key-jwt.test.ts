import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { FaultInjector } from '../../../../testing/faults.ts'
import { foreignTimes, fromNow } from '../../../../testing/foreign-times.ts'
import { type Answer, type Device, env, TestApp } from '../../../../testing/harness.ts'
import { postForm, registerClient } from '../../../../testing/oauth.ts'
import { alice, signUp } from '../../../../testing/people.ts'

const issuer = 'http://localhost:8787'
const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const keysAt = 'https://client.example.com/keys'

let keys: { publicKey: CryptoKey; privateKey: CryptoKey }
let others: typeof keys
let jwk: JWK
beforeAll(async () => {
  keys = await generateKeyPair('ES256')
  others = await generateKeyPair('ES256')
  jwk = { ...(await exportJWK(keys.publicKey)), alg: 'ES256', use: 'sig' }
})

let app: TestApp
let device: Device
beforeEach(async () => {
  app = new TestApp({ rateLimit: { enabled: false } })
  device = await signUp(app, alice)
  return () => vi.restoreAllMocks()
})

/** A client that signs assertions, identified by its registered keys or by their address. */
const signingClient = async (where: { jwks: object } | { jwks_uri: string }): Promise<string> =>
  (await registerClient(device, { token_endpoint_auth_method: 'private_key_jwt', ...where })).client_id

const now = () => Math.floor(Date.now() / 1000)
let made = 0
const sign = (clientId: string, changes: JWTPayload = {}, key: CryptoKey = keys.privateKey) => {
  const claims = { iss: clientId, sub: clientId, aud: issuer, iat: now(), exp: now() + 60, jti: `jti-${++made}` }
  return new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: 'ES256' }).sign(key)
}

/** Any endpoint for clients is sufficient: it authenticates them first. */
const show = (client_assertion: string, more: Record<string, string> = {}) =>
  postForm(app, '/oauth2/introspect', { token: 'x', client_assertion, client_assertion_type, ...more })

const expectInvalid = ({ status, body }: Answer, error_description = 'invalid client_assertion') =>
  expect({ status, body }).toEqual({ status: 401, body: { error: 'invalid_client', error_description } })

describe('a client that signs (RFC 7523)', () => {
  let clientId: string
  beforeEach(async () => {
    clientId = await signingClient({ jwks: { keys: [jwk] } })
  })

  it.each([issuer, `${issuer}/api/auth/oauth2/token`, `${issuer}/api/auth/oauth2/introspect`])(
    'is who it says, towards %s',
    async (aud) => {
      expect(await show(await sign(clientId, { aud }))).toMatchObject({ status: 200, body: { active: false } })
      expect((await show(await sign(clientId, { aud }), { client_id: clientId })).status).toBe(200)
    },
  )

  it('an assertion is good once, also of twenty at a time', async () => {
    const assertion = await sign(clientId)
    const answers = await Promise.all(Array.from({ length: 20 }, () => show(assertion)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expectInvalid(answers.find(({ status }) => status !== 200)!)
  })

  it.each<[string, JWTPayload]>([
    ['for another audience', { aud: 'https://other.example.com' }],
    ['by another issuer', { iss: 'another' }],
    ['expired', { exp: 1 }],
    ['without an end', { exp: undefined }],
    ['that would live for two hours', { exp: Math.floor(Date.now() / 1000) + 7200 }],
    ['without an id', { jti: undefined }],
    ['not good yet', { nbf: Math.floor(Date.now() / 1000) + 600 }],
  ])('401: an assertion %s', async (_what, changes) => {
    expectInvalid(await show(await sign(clientId, changes)))
  })

  it.each(foreignTimes)('a clock that differs: an assertion that is %s', async (_what, times, isAccepted) => {
    expect((await show(await sign(clientId, fromNow(times)))).status).toBe(isAccepted ? 200 : 401)
  })

  it('401: a foreign key, a shared secret, no algorithm, no JWT, and another client’s name', async () => {
    expectInvalid(await show(await sign(clientId, {}, others.privateKey)))
    const claims = { iss: clientId, sub: clientId, aud: issuer, exp: now() + 60, jti: 'x' }
    const shared = new SignJWT(claims).setProtectedHeader({ alg: 'HS256' })
    expectInvalid(await show(await shared.sign(new TextEncoder().encode(JSON.stringify(jwk)))))
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    expectInvalid(await show(`${part({ alg: 'none' })}.${part(claims)}.`))
    expectInvalid(await show('nonsense'))
    expectInvalid(await show(await sign(clientId), { client_id: 'another-client' }))
    expectInvalid(await show(await sign('unknown')), 'invalid client_id')
  })

  it('401: keys do not authenticate a client that has a secret, nor does a secret authenticate this one', async () => {
    const secret = await registerClient(device, { jwks: { keys: [jwk] } })
    expectInvalid(await show(await sign(secret.client_id)), 'client_id and client_secret are required')
    const { status } = await postForm(app, '/oauth2/introspect', {
      token: 'x',
      client_id: clientId,
      client_secret: 'x',
    })
    expect(status).toBe(401)
  })
})

describe('a client that publishes its keys', () => {
  const publish = (answer: () => Response | Promise<Response>) =>
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
      expect(String(input)).toBe(keysAt)
      return answer()
    })

  it('they are fetched once, and remembered for ten minutes', async () => {
    const clientId = await signingClient({ jwks_uri: keysAt })
    const fetched = publish(() => Response.json({ keys: [jwk] }))
    for (let n = 0; n < 2; n++) expect((await show(await sign(clientId))).status).toBe(200)
    expect(fetched).toHaveBeenCalledTimes(1)
    const { keys: records } = await env.KV.list<unknown>({ prefix: 'client-keys:' })
    const [{ expiration = 0 } = {}] = records
    expect(Math.abs(expiration - now() - 600)).toBeLessThan(60)
  })

  it('KV is only a cache: without it they are fetched each time', async () => {
    const clientId = await signingClient({ jwks_uri: keysAt })
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const fetched = publish(() => Response.json({ keys: [jwk] }))
    const faults = new FaultInjector()
    app = new TestApp({ rateLimit: { enabled: false } }, faults.bindings())
    faults.outage('KV')
    for (let n = 0; n < 2; n++) expect((await show(await sign(clientId))).status).toBe(200)
    expect(fetched).toHaveBeenCalledTimes(2)
  })

  it.each<[string, () => Response | Promise<Response>]>([
    ['no response', () => Promise.reject(new TypeError('no route'))],
    ['an error', () => Response.json({ keys: [] }, { status: 500 })],
    ['another place', () => new Response(null, { status: 302, headers: { location: 'https://10.0.0.1/keys' } })],
    ['a page', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['too much', () => Response.json({ keys: [jwk], more: 'x'.repeat(17_000) })],
    ['no keys', () => Response.json({})],
    ['null', () => Response.json(null)],
    ['invalid keys', () => Response.json({ keys: [1, null] })],
  ])('401, and nothing worse: %s', async (_what, answer) => {
    const clientId = await signingClient({ jwks_uri: keysAt })
    publish(answer)
    expectInvalid(await show(await sign(clientId)), 'the keys of the client cannot be read')
  })
})
