import { createHash } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { foreignTimes, fromNow } from '../../../../testing/foreign-times.ts'
import { type Device, TestApp } from '../../../../testing/harness.ts'
import {
  agree,
  authorizationRequest,
  basic,
  callback,
  codeOf,
  pkce,
  postForm,
  type RegisteredClient,
  registerClient,
} from '../../../../testing/oauth.ts'
import { alice, signUp } from '../../../../testing/people.ts'

const tokenUrl = 'http://localhost:8787/api/auth/oauth2/token'
const userinfoUrl = 'http://localhost:8787/api/auth/oauth2/userinfo'
let app: TestApp
let device: Device
let client: RegisteredClient
let keys: { publicKey: CryptoKey; privateKey: CryptoKey }

beforeEach(async () => {
  app = new TestApp({ rateLimit: { enabled: false } })
  device = await signUp(app, alice)
  client = await registerClient(device)
  keys = await generateKeyPair('ES256', { extractable: true })
})

interface Changes {
  header?: object
  claims?: Record<string, unknown>
  jwk?: JWK
}

/** A valid proof (RFC 9449, section 4.2) with the given changes. */
async function proof({ header = {}, claims = {}, jwk }: Changes = {}): Promise<string> {
  const payload = {
    jti: crypto.randomUUID(),
    htm: 'POST',
    htu: tokenUrl,
    iat: Math.floor(Date.now() / 1000),
    ...claims,
  }
  const publicKey = jwk ?? (await exportJWK(keys.publicKey))
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: publicKey, ...header } as never)
    .sign(keys.privateKey)
}

const newCode = async () => codeOf(await agree(device, authorizationRequest(client)))

const exchange = (code: string, dpop: string) =>
  postForm(
    app,
    '/oauth2/token',
    { grant_type: 'authorization_code', code, redirect_uri: callback },
    { ...basic(client), dpop },
  )

const ath = (token: string) => createHash('sha256').update(token).digest('base64url')

describe('a proof of possession at the token endpoint', () => {
  it.each<[string, () => Promise<Changes>]>([
    ['for another method', async () => ({ claims: { htm: 'GET' } })],
    ['for another address', async () => ({ claims: { htu: 'https://evil.example.org/token' } })],
    ['too old', async () => ({ claims: { iat: Math.floor(Date.now() / 1000) - 200 } })],
    ['from the future', async () => ({ claims: { iat: Math.floor(Date.now() / 1000) + 200 } })],
    ['without an id', async () => ({ claims: { jti: undefined } })],
    ['of another type', async () => ({ header: { typ: 'JWT' } })],
    ['with another key', async () => ({ jwk: await exportJWK((await generateKeyPair('ES256')).publicKey) })],
    ['with a private key', async () => ({ jwk: await exportJWK(keys.privateKey) })],
  ])('400 when it is %s, and the code is not used up', async (_what, changes) => {
    const code = await newCode()
    const { status, body } = await exchange(code, await proof(await changes()))
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_dpop_proof' })
    expect((await exchange(code, await proof())).body.token_type).toBe('DPoP')
  })

  it.each(foreignTimes)('a clock that differs: a proof that is %s', async (_what, times, isAccepted) => {
    const { status } = await exchange(await newCode(), await proof({ claims: fromNow(times) }))
    expect(status).toBe(isAccepted ? 200 : 400)
  })

  it('400 when it is not a JWT, or has been seen before', async () => {
    expect((await exchange(await newCode(), 'nonsense')).body.error).toBe('invalid_dpop_proof')
    const seen = await proof()
    expect((await exchange(await newCode(), seen)).status).toBe(200)
    expect((await exchange(await newCode(), seen)).body.error).toBe('invalid_dpop_proof')
  })

  it('400 when the code was bound to another key', async () => {
    const query = authorizationRequest(client, { dpop_jkt: ath('another key') })
    const code = codeOf(await agree(device, query))
    const { status, body } = await exchange(code, await proof())
    expect({ status, description: body.error_description }).toEqual({
      status: 400,
      description: 'the code is bound to another key',
    })
  })
})

describe('a proof of possession at a resource', () => {
  it('200 for the token’s own key and this very token, and not as a bearer token', async () => {
    const { access_token: token } = (await exchange(await newCode(), await proof())).body
    const userinfo = async (authorization: string, claims?: object) => {
      const dpop = claims && (await proof({ claims: { htm: 'GET', htu: userinfoUrl, ...claims } }))
      const headers = { authorization, ...(dpop ? { dpop } : {}) }
      return (await app.device().get('/oauth2/userinfo', { headers })).status
    }
    expect(await userinfo(`DPoP ${token}`, { ath: ath(token) })).toBe(200)
    expect(await userinfo(`Bearer ${token}`, { ath: ath(token) })).toBe(401)
    expect(await userinfo(`Bearer ${token}`)).toBe(401)
    expect(await userinfo(`DPoP ${token}`)).toBe(401)
    expect(await userinfo(`DPoP ${token}`, { ath: ath('another') })).toBe(401)
    keys = await generateKeyPair('ES256', { extractable: true })
    expect(await userinfo(`DPoP ${token}`, { ath: ath(token) })).toBe(401)
  })

  it('401 with a challenge that names the algorithms, where the proof itself is wrong (section 7.1)', async () => {
    const { access_token: token } = (await exchange(await newCode(), await proof())).body
    const { status, body, headers } = await app.device().get('/oauth2/userinfo', {
      headers: { authorization: `DPoP ${token}`, dpop: 'nonsense' },
    })
    expect({ status, error: body.error }).toEqual({ status: 401, error: 'invalid_dpop_proof' })
    expect(headers.get('www-authenticate')).toMatch(
      /^DPoP error="invalid_dpop_proof", .*algs="ES256 EdDSA RS256 PS256"$/,
    )
  })
})

describe('a refresh token', () => {
  const refresh = async (refresh_token: string, headers: Record<string, string>) =>
    postForm(app, '/oauth2/token', { grant_type: 'refresh_token', refresh_token, client_id: client.client_id }, headers)
  const tokens = async (
    more: Record<string, string> = {},
    headers = basic(client),
    given: Record<string, string> = {},
  ) => {
    const query = authorizationRequest(client, { scope: 'openid offline_access', prompt: 'consent', ...more })
    const code = codeOf(await agree(device, query))
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: callback,
      client_id: client.client_id,
      ...given,
    }
    return (await postForm(app, '/oauth2/token', form, { ...headers, dpop: await proof() })).body
  }

  it('of a confidential client works with any of its keys, but not without one (RFC 9449, section 5)', async () => {
    const { refresh_token } = await tokens()
    expect((await refresh(refresh_token, basic(client))).body.error).toBe('invalid_dpop_proof')
    keys = await generateKeyPair('ES256', { extractable: true })
    const next = await refresh(refresh_token, { ...basic(client), dpop: await proof() })
    expect(next).toMatchObject({ status: 200, body: { token_type: 'DPoP' } })
    const dpop = await proof({ claims: { htm: 'GET', htu: userinfoUrl, ath: ath(next.body.access_token) } })
    const headers = { authorization: `DPoP ${next.body.access_token}`, dpop }
    expect((await app.device().get('/oauth2/userinfo', { headers })).status).toBe(200)
  })

  it('of a public client is bound to its key', async () => {
    client = await registerClient(device, { token_endpoint_auth_method: 'none' })
    const { verifier, request } = pkce()
    const { refresh_token } = await tokens(request, {}, { code_verifier: verifier })
    const own = keys
    keys = await generateKeyPair('ES256', { extractable: true })
    expect((await refresh(refresh_token, { dpop: await proof() })).body.error).toBe('invalid_dpop_proof')
    keys = own
    expect((await refresh(refresh_token, { dpop: await proof() })).status).toBe(200)
  })
})
