import { Buffer } from 'node:buffer'
import {
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { foreignTimes, fromNow } from '../../../testing/foreign-times.ts'
import { type Device, env, TestApp } from '../../../testing/harness.ts'
import { OAuthProvider } from '../../../testing/outside/oauth-provider.ts'
import { google } from '../../../testing/outside/social/google.ts'
import { errorAt, locationOf, walk } from '../../../testing/outside/walk.ts'
import { count } from '../../../testing/rows.ts'
import { keySetBudgets } from './key-sets.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const jwksUrl = google.jwks!
const now = () => Math.floor(Date.now() / 1000)

function start(options: object = {}) {
  const provider = new OAuthProvider(google).install()
  const app = new TestApp({
    rateLimit: { enabled: false },
    socialProviders: { google: { ...provider.options, ...options }, github: { clientId: 'c', clientSecret: 's' } },
  })
  return { provider, app, device: app.device() }
}

const signIn = (device: Device, token: string, more: object = {}, provider = 'google') =>
  device.post('/sign-in/social', { provider, idToken: { token, ...more } })

const sessions = () => count('sessions')

/** Requests of the key set. */
const fetches = ({ requests }: OAuthProvider) => requests.filter(({ url }) => url.toString() === jwksUrl).length

/** Changes a genuine token's claims and signs it with a key of ours. */
async function forge(
  token: string,
  claims: JWTPayload,
  header: { alg?: string; kid?: string } = {},
  key?: Parameters<SignJWT['sign']>[0],
) {
  const own = key ?? (await generateKeyPair('RS256')).privateKey
  const protectedHeader = { ...decodeProtectedHeader(token), ...header } as JWTHeaderParameters
  return new SignJWT({ ...decodeJwt(token), ...claims }).setProtectedHeader(protectedHeader).sign(own)
}

describe('/sign-in/social with an id token', () => {
  it('200: signs in, and stores the tokens of the request', async () => {
    const { provider, device } = start()
    const answer = await signIn(device, await provider.signIdToken(google.clientId), { accessToken: 'at' })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      redirect: false,
      token: expect.any(String),
      user: {
        id: expect.any(String),
        email: 'octo@example.com',
        name: 'Gina Oogle',
        image: 'https://lh3.example.com/g.png',
        emailVerified: true,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    })
    expect((await device.post('/get-access-token', { providerId: 'google' })).body).toMatchObject({ accessToken: 'at' })
  })

  it('200: a request without an access token keeps the stored one and its scopes', async () => {
    const { provider, app, device } = start()
    await walk(device, provider)
    const before = (await device.post('/get-access-token', { providerId: 'google' })).body
    const token = await provider.signIdToken(google.clientId)
    for (const answer of [await signIn(device, token), await device.post('/one-tap/callback', { idToken: token })]) {
      expect(answer.status).toBe(200)
      const { idToken, ...kept } = (await device.post('/get-access-token', { providerId: 'google' })).body
      expect({ ...kept, idToken: before.idToken }).toEqual(before)
      expect(idToken).toBe(token)
    }
    // A request with one replaces it; its scopes are unknown.
    await signIn(app.device(), token, { accessToken: 'at' })
    const { body } = await device.post('/get-access-token', { providerId: 'google' })
    expect(body).toMatchObject({ accessToken: 'at', refreshToken: before.refreshToken, scopes: [] })
  })

  it('404: a provider without id tokens, and one that accepts none here', async () => {
    const { device } = start()
    expect((await signIn(device, 'x', {}, 'github')).body).toEqual({
      code: 'ID_TOKEN_NOT_SUPPORTED',
      message: 'id_token not supported',
    })
    const { provider, device: other } = start({ disableIdTokenSignIn: true })
    expect((await signIn(other, await provider.signIdToken(google.clientId))).status).toBe(404)
  })

  it('200: with the right nonce; 401 with another', async () => {
    const { provider, device } = start()
    const token = await provider.signIdToken(google.clientId, { nonce: 'n-1' })
    expect((await signIn(device, token, { nonce: 'n-2' })).body).toEqual({
      code: 'INVALID_TOKEN',
      message: 'invalid token',
    })
    expect((await signIn(device, await provider.signIdToken(google.clientId), { nonce: 'n-1' })).status).toBe(401)
    expect((await signIn(device, token, { nonce: 'n-1' })).status).toBe(200)
  })

  it('401: forged tokens', async () => {
    const { provider, device } = start()
    const genuine = await provider.signIdToken(google.clientId)
    const publicKey = (await (await fetch(jwksUrl)).json<{ keys: JsonWebKey[] }>()).keys[0]!
    const spki = await exportSPKI(
      (await importJWK({ ...publicKey, alg: 'RS256' }, 'RS256', { extractable: true })) as CryptoKey,
    )
    const [header, payload, signature] = genuine.split('.') as [string, string, string]
    const b64 = (value: object) =>
      btoa(JSON.stringify(value)).replace(/=+$/, '').replace(/\+/g, '-').replace(/\//g, '_')
    const forged: Record<string, string> = {
      'another audience': await provider.signIdToken('another-client'),
      'another issuer': await new OAuthProvider({ ...google, issuer: 'https://evil.example' }).signIdToken(
        google.clientId,
      ),
      'another key under the same id': await forge(genuine, {}),
      'a key that is not in the set': await forge(genuine, {}, { kid: 'own-key' }),
      'algorithm none': `${b64({ alg: 'none' })}.${payload}.`,
      'algorithm none with a signature': `${b64({ alg: 'None' })}.${payload}.${signature}`,
      'HS256 with the public key as the secret': await forge(
        genuine,
        {},
        { alg: 'HS256' },
        new TextEncoder().encode(spki),
      ),
      'HS256 with the modulus': await forge(genuine, {}, { alg: 'HS256' }, new TextEncoder().encode(publicKey.n!)),
      'a changed payload': `${header}.${b64({ sub: '1', email: 'victim@example.com', email_verified: true })}.${signature}`,
      'no JWT': 'bad',
      'bad parts': 'bad.bad.bad',
      'empty parts': '..',
    }
    for (const [what, token] of Object.entries(forged)) {
      const answer = await signIn(device, token)
      expect({ what, status: answer.status, code: answer.body.code }).toEqual({
        what,
        status: 401,
        code: 'INVALID_TOKEN',
      })
    }
    expect(await sessions()).toBe(0)
  })

  it('401: expired, too old, from the future', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const claims = google.claims!
    const { device } = start()
    const issued = async (changes: JWTPayload) => {
      const provider = new OAuthProvider({ ...google, claims: (person) => ({ ...claims(person) }) })
      provider.person = { id: '1', email: 'octo@example.com' }
      const restore = Date.now()
      vi.setSystemTime((changes.iat ?? now()) * 1000)
      const token = await provider.signIdToken(google.clientId)
      vi.setSystemTime(restore)
      return token
    }
    const expired = await issued({ iat: now() - 700 })
    expect((await signIn(device, expired)).body.code).toBe('INVALID_TOKEN')
    const future = await issued({ iat: now() + 120 })
    expect((await signIn(device, future)).body.code).toBe('INVALID_TOKEN')
    const fresh = await issued({})
    expect((await signIn(device, fresh)).status).toBe(200)
  })

  it.each(foreignTimes)('a clock that differs: a token that is %s', async (_what, times, isAccepted) => {
    const { device } = start()
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
    const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256' }
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ keys: [jwk] }))
    const identity = { sub: 's', email: 'clock@example.com', email_verified: true }
    const about = { iss: 'https://accounts.google.com', aud: google.clientId, ...fromNow({ iat: 0, exp: 600 }) }
    const token = new SignJWT({ ...identity, ...about, ...fromNow(times) })
    const signed = await token.setProtectedHeader({ alg: 'RS256', kid: 'k' }).sign(privateKey)
    expect((await signIn(device, signed)).status).toBe(isAccepted ? 200 : 401)
  })

  it('401: an id token that is not expired, but older than an hour', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { device } = start()
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
    const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256' }
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ keys: [jwk] }))
    const token = (age: number) =>
      new SignJWT({ sub: 's', email: 'old@example.com', email_verified: true })
        .setProtectedHeader({ alg: 'RS256', kid: 'k' })
        .setIssuer('https://accounts.google.com')
        .setAudience(google.clientId)
        .setIssuedAt(now() - age)
        .setExpirationTime(now() + 3600)
        .sign(privateKey)
    expect((await signIn(device, await token(3700))).status).toBe(401)
    expect((await signIn(device, await token(3500))).status).toBe(200)
    const without = new SignJWT({ sub: 's', email: 'old@example.com' })
      .setProtectedHeader({ alg: 'RS256', kid: 'k' })
      .setIssuer('https://accounts.google.com')
      .setAudience(google.clientId)
    expect((await signIn(device, await without.sign(privateKey))).status).toBe(401)
    // Two audiences, and the other one is the authorized party.
    const both = new SignJWT({ sub: 's', email: 'old@example.com', azp: 'other' })
      .setProtectedHeader({ alg: 'RS256', kid: 'k' })
      .setIssuer('https://accounts.google.com')
      .setAudience([google.clientId, 'other'])
      .setIssuedAt()
      .setExpirationTime('5m')
    expect((await signIn(device, await both.sign(privateKey))).status).toBe(401)
  })

  it('401: no address, sign-up disabled, an address that is not verified', async () => {
    const { provider, device } = start({ disableSignUp: true })
    expect((await signIn(device, await provider.signIdToken(google.clientId))).body.code).toBe('SIGNUP_DISABLED')
    const second = start()
    second.provider.person = { id: '1' }
    const answer = await signIn(second.device, await second.provider.signIdToken(google.clientId))
    expect(answer.body).toEqual({ code: 'USER_EMAIL_NOT_FOUND', message: 'User email not found' })
  })

  it('503 at once when the key set is unavailable: the token may be valid', async () => {
    const { provider, device } = start()
    const token = await provider.signIdToken(google.clientId)
    for (const trouble of ['answers 500', 'answers garbage', 'answers nothing'] as const) {
      const broken = new OAuthProvider(google).install().fail('api', trouble)
      const answer = await signIn(device, token)
      expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
      expect(broken.requests).toHaveLength(1)
      vi.restoreAllMocks()
    }
  })
})

describe('key sets', () => {
  it('are cached for ten minutes, and requested again for an unknown key, at most every thirty seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { provider, device } = start()
    const fetched = () => fetches(provider)
    const genuine = () => provider.signIdToken(google.clientId)
    await signIn(device, await genuine())
    await signIn(device, await genuine())
    expect(fetched()).toBe(1)
    const unknown = async () => forge(await genuine(), {}, { kid: 'unknown' })
    await signIn(device, await unknown())
    expect(fetched()).toBe(1)
    vi.setSystemTime(Date.now() + 31_000)
    await signIn(device, await unknown())
    await signIn(device, await unknown())
    expect(fetched()).toBe(2)
    vi.setSystemTime(Date.now() + 599_000)
    await signIn(device, await genuine())
    expect(fetched()).toBe(2)
    vi.setSystemTime(Date.now() + 2_000)
    await signIn(device, await genuine())
    expect(fetched()).toBe(3)
  })

  it('are requested for unknown keys within a budget, which tokens of a code flow do not use', async () => {
    const { provider, app } = start()
    const genuine = () => provider.signIdToken(google.clientId)
    expect((await signIn(app.device(), await genuine())).status).toBe(200)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 })
    const tokens = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => forge(await genuine(), {}, { kid: `unknown-${n}` })),
    )
    // Each from another address, and all before the first answer.
    const answers = await Promise.all(tokens.map((token) => signIn(app.device(), token)))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.code}`))).toEqual(new Set(['401 INVALID_TOKEN']))
    expect(fetches(provider)).toBe(1 + keySetBudgets.unknownKey)
    expect((await signIn(app.device(), await genuine())).status).toBe(200)
    vi.setSystemTime(Date.now() + 31_000)
    await signIn(app.device(), tokens[0]!)
    expect(fetches(provider)).toBe(1 + keySetBudgets.unknownKey)
    const [header, ...rest] = (await genuine()).split('.')
    const unknownKey = Buffer.from(JSON.stringify({ ...decodeProtectedHeader(`${header}.x.x`), kid: 'new' }))
    vi.spyOn(provider, 'signIdToken').mockResolvedValue([unknownKey.toString('base64url'), ...rest].join('.'))
    expect(locationOf(await walk(app.device(), provider))).toBe(errorAt('invalid_code'))
    expect(fetches(provider)).toBe(2 + keySetBudgets.unknownKey)
  })

  it('are requested for one address within a budget while they cannot be read', async () => {
    const { provider, app } = start()
    const token = await provider.signIdToken(google.clientId)
    provider.fail('api', 'answers 500')
    const device = app.device()
    for (let n = 0; n < keySetBudgets.address + 5; n++) expect((await signIn(device, token)).status).toBe(503)
    expect(fetches(provider)).toBe(keySetBudgets.address)
    expect((await signIn(app.device(), token)).status).toBe(503)
    expect(fetches(provider)).toBe(keySetBudgets.address + 1)
  })

  it('are requested once where KV returns an earlier value', async () => {
    const provider = new OAuthProvider(google).install()
    const KV = new Proxy(env.KV, {
      get: (kv, name) => {
        const value = Reflect.get(kv, name)
        return name === 'get' ? async () => null : typeof value === 'function' ? value.bind(kv) : value
      },
    })
    const app = new TestApp({ rateLimit: { enabled: false }, socialProviders: { google: provider.options } }, { KV })
    for (let n = 0; n < 3; n++) {
      expect((await signIn(app.device(), await provider.signIdToken(google.clientId))).status).toBe(200)
    }
    expect(fetches(provider)).toBe(1)
  })

  it('verify id tokens of the code flow too: a token with a foreign key does not sign in', async () => {
    const { provider, app } = start()
    vi.spyOn(provider, 'signIdToken').mockImplementation(async (audience) => {
      vi.mocked(provider.signIdToken).mockRestore()
      return forge(await provider.signIdToken(audience), {})
    })
    const device = app.device()
    const { body } = await device.post('/sign-in/social', { provider: 'google' })
    const { path, parameters } = provider.authorize(body.url)
    const answer = await device.get(path, { query: parameters })
    expect(answer.headers.get('location')).toContain('error=invalid_code')
    expect(await sessions()).toBe(0)
  })
})
