import { type JWTPayload, SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Config, readConfig } from '../../../configuration/read-config.ts'
import { env, outcome, TestApp } from '../../../testing/harness.ts'
import { AccessTeam, accessHeader } from '../../../testing/outside/access-team.ts'
import { alice, signUp } from '../../../testing/people.ts'
import { rowsOf } from '../../../testing/rows.ts'
import { addPasskey, banUsers, demandSecondFactor, verifyAddresses } from '../../../testing/states.ts'

const path = '/sign-in/access'
const on: Config = { rateLimit: { enabled: false }, accessIdentity: AccessTeam.config }

let team: AccessTeam
let app: TestApp
beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.spyOn(console, 'error').mockReturnValue()
  team = new AccessTeam().install()
  app = new TestApp(on)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const enter = async (email = alice.email, changes: JWTPayload = {}, device = app.device()) =>
  device.post(path, {}, { headers: await team.headers(email, changes) })

const present = (token: string, device = app.device()) => device.post(path, {}, { headers: { [accessHeader]: token } })

describe('POST /sign-in/access', () => {
  it('200: creates a user with a verified address, who is the same at the next sign-in', async () => {
    const device = app.device()
    const first = await enter(alice.email, {}, device)
    expect(first.status).toBe(200)
    expect(first.body.user).toMatchObject({ email: alice.email, emailVerified: true, name: alice.email })
    const { session, user } = (await device.get('/get-session')).body
    expect(user.id).toBe(first.body.user.id)
    expect((await device.get('/list-sessions')).body).toMatchObject([{ id: session.id, method: 'cloudflare-access' }])
    expect((await device.get('/list-accounts')).body).toMatchObject([
      { provider: 'cloudflare-access', accountId: `7335d417-61da-459d-899c-${alice.email}`, scopes: [] },
    ])
    // The subject identifies the user: an address at Access that changes later leads to the same account.
    const sub = `7335d417-61da-459d-899c-${alice.email}`
    expect((await enter('other@example.com', { sub })).body.user).toMatchObject({ id: user.id, email: alice.email })
    const [account] = await rowsOf('accounts')
    expect(account).toMatchObject({ accessToken: null, refreshToken: null, idToken: null })
    expect((await rowsOf('sessions')).map(({ amr }) => amr)).toEqual([['fed'], ['fed']])
    expect((await device.get('/config')).body.features.accessIdentity).toBe(true)
  })

  it('200: by the cookie, where the header is missing; the header wins', async () => {
    const device = app.device()
    device.jar.set('CF_Authorization', (await team.headers(alice.email))[accessHeader]!)
    expect((await device.post(path)).body.user.email).toBe(alice.email)
    expect((await enter('bob@example.com', {}, device)).body.user.email).toBe('bob@example.com')
    expect((await present('forged', device)).body.code).toBe('ACCESS_TOKEN_INVALID')
  })

  it('the session is as recent as the token: a change of a credential needs another proof later', async () => {
    const device = app.device()
    const iat = Math.floor(Date.now() / 1000) - 2 * 86_400
    expect((await enter(alice.email, { iat, nbf: iat }, device)).status).toBe(200)
    const [session] = await rowsOf('sessions')
    expect(session!.authenticatedAt.getTime()).toBe(iat * 1000)
    expect((await device.post('/api-key/create', { name: 'ci' })).body.code).toBe('SESSION_IS_NOT_FRESH')
    const recent = app.device()
    await enter(alice.email, {}, recent)
    expect((await recent.post('/api-key/create', { name: 'ci' })).status).toBe(200)
  })

  it('an account whose address was never proven passes to the user of Access, without its password and sessions', async () => {
    const device = await signUp(app, alice)
    expect((await enter()).body.user).toMatchObject({ email: alice.email, emailVerified: true })
    expect((await device.get('/get-session', { query: { disableCookieCache: 'true' } })).body).toBeNull()
    expect((await rowsOf('accounts')).map(({ providerId }) => providerId)).toEqual(['cloudflare-access'])
  })

  it('an account with the proven address is linked; its second factor is asked for', async () => {
    await signUp(app, alice)
    await verifyAddresses()
    expect((await enter()).status).toBe(200)
    expect((await rowsOf('accounts')).map(({ providerId }) => providerId).sort()).toEqual([
      'cloudflare-access',
      'credential',
    ])
    await demandSecondFactor()
    const strict = new TestApp({ ...on, profile: 'strict' } as Config)
    expect((await enter(alice.email, {}, strict.device())).body).toMatchObject({ twoFactorRedirect: true })
  })

  it('is a way to sign in that may remain as the last one', async () => {
    const off = { enabled: false }
    const only: Config = { ...on, emailAndPassword: off, magicLink: off, emailOTP: off }
    const device = new TestApp(only).device()
    const { user } = (await enter(alice.email, {}, device)).body
    await addPasskey(user.id)
    const without = new TestApp({ ...only, accessIdentity: {} }).device()
    for (const [name, value] of device.jar) without.jar.set(name, value)
    const { id } = (await device.get('/passkey/list-user-passkeys')).body[0]
    expect(outcome(await without.post('/passkey/delete-passkey', { id }))).toEqual({
      status: 400,
      code: 'LAST_WAY_TO_SIGN_IN',
    })
    expect((await device.post('/passkey/delete-passkey', { id })).status).toBe(200)
  })

  it('200 after a rotation of the key, for tokens of both keys', async () => {
    const earlier = await team.sign({ ...team.claims(alice.email), exp: Math.floor(Date.now() / 1000) + 864_000 })
    expect((await present(earlier)).status).toBe(200)
    team.rotate()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    expect((await enter()).status).toBe(200)
    expect((await present(earlier)).status).toBe(200)
  })

  const now = Math.floor(Date.now() / 1000)
  it.each<[string, () => Promise<string>, { status: number; code: string }]>([
    ['no token', async () => '', { status: 401, code: 'ACCESS_TOKEN_MISSING' }],
    ['no JWT', async () => 'a.b.c', invalid()],
    ['another audience', () => signed({ aud: ['f'.repeat(64)] }), invalid()],
    ['an audience beside ours', () => signed({ aud: [AccessTeam.config.audience, 'f'.repeat(64)] }), invalid()],
    ['a part of our audience', () => signed({ aud: [AccessTeam.config.audience.slice(1)] }), invalid()],
    ['another team', () => signed({ iss: 'https://other.cloudflareaccess.com' }), invalid()],
    ['an issuer with a slash', () => signed({ iss: `${team.issuer}/` }), invalid()],
    ['an expired token', () => signed({ exp: now - 60 }), invalid()],
    ['no expiry', () => signed({ exp: undefined }), invalid()],
    ['a token of the future', () => signed({ iat: now + 600 }), invalid()],
    ['a token that is not valid yet', () => signed({ nbf: now + 600 }), invalid()],
    ['no time of issue', () => signed({ iat: undefined }), invalid()],
    ['a token older than any session of Access', () => signed({ iat: now - 40 * 86_400 }), invalid()],
    ['the session at the team', () => signed({ type: 'org' }), invalid()],
    ['no subject', () => signed({ sub: undefined }), invalid()],
    ['a shared secret', async () => sharedSecret(), invalid()],
    ['no signature', async () => unsigned(), invalid()],
    ['a changed claim', async () => changed(), invalid()],
    ['the key of another team', () => otherKey(), invalid()],
    ['a service token', () => team.sign(team.serviceClaims()), { status: 403, code: 'ACCESS_SERVICE_TOKEN' }],
    [
      'a service token with an address',
      () => signed({ common_name: 'e367826f93b8d71185e03fe518aff3b4.access' }),
      { status: 403, code: 'ACCESS_SERVICE_TOKEN' },
    ],
    ['no address', () => signed({ email: undefined }), { status: 403, code: 'ACCESS_WITHOUT_EMAIL' }],
    ['no valid address', () => signed({ email: 'root' }), { status: 403, code: 'ACCESS_WITHOUT_EMAIL' }],
  ])('refuses %s', async (_what, token, expected) => {
    const answer = await present(await token())
    expect(outcome(answer)).toEqual(expected)
    expect(answer.cookies.filter((line) => line.includes('session_token'))).toEqual([])
    expect(await rowsOf('users')).toEqual([])
  })

  it('refuses other sites, users without an account where sign-up is off, links where they are off, and bans', async () => {
    const headers = { ...(await team.headers(alice.email)), origin: 'https://evil.example.org' }
    expect(outcome(await app.device().post(path, {}, { headers }))).toMatchObject({ status: 403 })
    const closed = new TestApp({ ...on, accessIdentity: { ...AccessTeam.config, disableSignup: true } })
    expect(outcome(await enter(alice.email, {}, closed.device()))).toEqual({ status: 401, code: 'SIGNUP_DISABLED' })
    await signUp(app, alice)
    await verifyAddresses()
    const apart = new TestApp({ ...on, account: { accountLinking: { enabled: false } } })
    expect(outcome(await enter(alice.email, {}, apart.device()))).toEqual({ status: 401, code: 'ACCOUNT_NOT_LINKED' })
    await banUsers()
    expect(outcome(await enter())).toEqual({ status: 403, code: 'BANNED_USER' })
    expect((await rowsOf('sessions')).map(({ method }) => method)).toEqual(['sign-up'])
  })

  it('503 without the keys of the team', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 })
    team.isDown = true
    expect(outcome(await enter())).toEqual({ status: 503, code: 'UNAVAILABLE' })
  })

  it('404 without a configuration', async () => {
    const device = new TestApp().device()
    expect(outcome(await enter(alice.email, {}, device))).toEqual({ status: 404, code: 'NOT_FOUND' })
    expect((await device.get('/config')).body.features.accessIdentity).toBeUndefined()
    expect(team.asked).toBe(0)
  })
})

describe('accessIdentity', () => {
  it.each<[string, Config, RegExp]>([
    ['a team without an audience', { accessIdentity: { team: 'acme' } }, /accessIdentity\.audience: is missing/],
    [
      'an audience without a team',
      { accessIdentity: { audience: 'f'.repeat(64) } },
      /accessIdentity\.team: is missing/,
    ],
    [
      'a host as team',
      { accessIdentity: { ...AccessTeam.config, team: 'acme.cloudflareaccess.com' } },
      /name of a team/,
    ],
    ['a name as audience', { accessIdentity: { team: 'acme', audience: 'portal' } }, /AUD/],
    [
      'a provider with the same id',
      { ...on, genericOAuth: [{ providerId: 'cloudflare-access', clientId: 'a' }] },
      /must not have the providerId/,
    ],
    [
      'a team that signs in here',
      {
        ...on,
        identityProvider: {
          trustedClients: [
            {
              clientId: 'access',
              name: 'Access',
              redirectURLs: [`https://acme.cloudflareaccess.com/cdn-cgi/access/callback`],
            },
          ],
        },
      } as Config,
      /must not be a team that signs in with this deployment/,
    ],
  ])('refuses %s', (_what, config, message) => {
    expect(() => readConfig(config, env)).toThrow(message)
  })
})

const invalid = () => ({ status: 401, code: 'ACCESS_TOKEN_INVALID' })
const signed = (changes: JWTPayload) => team.sign({ ...team.claims(alice.email), ...changes })
const header = (fields: object) => btoa(JSON.stringify(fields)).replaceAll('=', '')

const sharedSecret = () =>
  new SignJWT(team.claims(alice.email))
    .setProtectedHeader({ alg: 'HS256', kid: '1'.padStart(64, '0') })
    .sign(new TextEncoder().encode('a shared secret of 32 characters'))

async function unsigned(): Promise<string> {
  const [, payload] = (await signed({})).split('.')
  return `${header({ alg: 'none', typ: 'JWT' })}.${payload}.`
}

async function changed(): Promise<string> {
  const [head, , signature] = (await signed({})).split('.')
  return `${head}.${header({ ...team.claims('admin@example.com') })}.${signature}`
}

async function otherKey(): Promise<string> {
  const other = new AccessTeam()
  other.rotate()
  return other.sign(team.claims(alice.email))
}
