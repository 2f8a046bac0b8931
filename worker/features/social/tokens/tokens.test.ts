import { afterEach, describe, expect, it, vi } from 'vitest'
import { TestApp } from '../../../testing/harness.ts'
import { OAuthProvider } from '../../../testing/outside/oauth-provider.ts'
import type { Grant } from '../../../testing/outside/provider-documentation.ts'
import { github } from '../../../testing/outside/social/github.ts'
import { google } from '../../../testing/outside/social/google.ts'
import { walk } from '../../../testing/outside/walk.ts'
import { alice, signUp } from '../../../testing/people.ts'
import { rowOf, updateRows } from '../../../testing/rows.ts'
import { expireAccessTokens } from '../../../testing/states.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

async function start(documentation = google) {
  const provider = new OAuthProvider(documentation).install()
  const app = new TestApp({
    rateLimit: { enabled: false },
    socialProviders: {
      google: { clientId: google.clientId, clientSecret: google.clientSecret },
      github: { clientId: github.clientId, clientSecret: github.clientSecret },
    },
  })
  const device = app.device()
  await walk(device, provider)
  return { provider, app, device }
}

const refreshes = (provider: OAuthProvider) =>
  provider.requests.filter(({ form }) => form.get('grant_type') === 'refresh_token').length

describe.each(['/get-access-token', '/refresh-token'])('%s', (path) => {
  it('401: not signed in', async () => {
    const { app } = await start()
    expect((await app.device().post(path, { providerId: 'google' })).status).toBe(401)
  })

  it('400: an unknown provider, an unknown account', async () => {
    const { device } = await start()
    expect((await device.post(path, { providerId: 'nope' })).body).toEqual({
      code: 'PROVIDER_NOPE_IS_NOT_SUPPORTED',
      message: 'Provider nope is not supported',
    })
    for (const choice of [{ providerId: 'github' }, { providerId: 'google', accountId: 'other' }]) {
      const answer = await device.post(path, choice)
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 400,
        body: { code: 'ACCOUNT_NOT_FOUND', message: 'Account not found' },
      })
    }
    expect((await device.post(path, {})).body.code).toBe('VALIDATION_ERROR')
  })

  it("400: another user's account, also with userId", async () => {
    const { app } = await start()
    const other = await signUp(app, alice)
    const account = await rowOf('accounts')
    const answer = await other.post(path, { providerId: 'google', accountId: '4242', userId: account!.userId })
    expect(answer.body.code).toBe('ACCOUNT_NOT_FOUND')
  })

  it("200: by the provider's id of the account, or the row's", async () => {
    const { device } = await start()
    const [{ id }] = (await device.get('/list-accounts')).body
    for (const accountId of ['4242', id]) {
      expect((await device.post(path, { providerId: 'google', accountId })).status).toBe(200)
    }
  })
})

describe('ServerApi', () => {
  it('getAccessToken, refreshToken: of the user that a server names', async () => {
    const { provider } = await start()
    const { userId } = (await rowOf('accounts'))!
    const api = new TestApp({ socialProviders: { google: provider.options } }).serverApi()
    const choice = { providerId: 'google', userId }
    expect(await api.getAccessToken(choice)).toMatchObject({ ok: true, result: { accessToken: 'google-access-2' } })
    for (const call of [api.getAccessToken.bind(api), api.refreshToken.bind(api)]) {
      expect(await call({ ...choice, userId: 'unknown' })).toMatchObject({ ok: false, code: 'ACCOUNT_NOT_FOUND' })
      expect(await call({ providerId: 'google' } as typeof choice)).toEqual({
        ok: false,
        code: 'EITHER_USERID_OR_SESSION_IS_REQUIRED',
        message: 'Either userId or session is required',
      })
    }
  })
})

describe('/get-access-token', () => {
  it('200: unchanged while it is valid', async () => {
    const { provider, device } = await start()
    const { body } = await device.post('/get-access-token', { providerId: 'google' })
    expect(body).toEqual({
      accessToken: expect.stringContaining('google-access'),
      refreshToken: expect.any(String),
      accessTokenExpiresAt: expect.any(String),
      scopes: ['email', 'profile', 'openid'],
      idToken: expect.any(String),
    })
    expect(refreshes(provider)).toBe(0)
  })

  it('200: without an expiry where the provider returns none', async () => {
    const { device } = await start(github)
    const { body } = await device.post('/get-access-token', { providerId: 'github' })
    expect(body).toEqual({ accessToken: expect.any(String), scopes: ['read:user', 'user:email'] })
  })

  it('200: refreshed when it expires in under five seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { provider, device } = await start()
    const first = (await device.post('/get-access-token', { providerId: 'google' })).body
    vi.setSystemTime(Date.now() + 3_593_000)
    await device.post('/get-access-token', { providerId: 'google' })
    expect(refreshes(provider)).toBe(0)
    vi.setSystemTime(Date.now() + 2_000)
    const second = (await device.post('/get-access-token', { providerId: 'google' })).body
    expect(refreshes(provider)).toBe(1)
    expect(second.accessToken).not.toBe(first.accessToken)
    const third = (await device.post('/get-access-token', { providerId: 'google' })).body
    expect(third.accessToken).toBe(second.accessToken)
    expect(refreshes(provider)).toBe(1)
  })

  it('twenty at once use a rotating refresh token once', async () => {
    const { provider, device } = await start()
    await expireAccessTokens()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => device.post('/get-access-token', { providerId: 'google' })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(new Set(answers.map(({ body }) => body.accessToken)).size).toBe(1)
    expect(refreshes(provider)).toBe(1)
  })

  it('503: the provider is unavailable; no token is lost', async () => {
    const { provider, device } = await start()
    await expireAccessTokens()
    provider.fail('token', 'answers 500')
    for (let n = 0; n < 2; n++) {
      const answer = await device.post('/get-access-token', { providerId: 'google' })
      expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
    }
    expect((await rowOf('accounts'))?.refreshToken).toMatch(/^ey/)
  })

  it('400: sealed with a removed secret', async () => {
    const { device } = await start()
    await updateRows('accounts', { accessToken: 'eyJ.garbage' })
    expect((await device.post('/get-access-token', { providerId: 'google' })).body.code).toBe(
      'FAILED_TO_GET_A_VALID_ACCESS_TOKEN',
    )
  })
})

describe('/refresh-token', () => {
  it('200: new tokens, again and again', async () => {
    const { device } = await start()
    const first = (await device.post('/refresh-token', { providerId: 'google' })).body
    expect(first).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      tokenType: 'bearer',
      scopes: ['email', 'profile', 'openid'],
      accessTokenExpiresAt: expect.any(String),
      idToken: expect.any(String),
    })
    const second = (await device.post('/refresh-token', { providerId: 'google' })).body
    expect(second.accessToken).not.toBe(first.accessToken)
  })

  it('400: no refresh token, or one that is refused', async () => {
    const { device } = await start(github)
    expect((await device.post('/refresh-token', { providerId: 'github' })).body).toEqual({
      code: 'FAILED_TO_REFRESH_ACCESS_TOKEN',
      message: 'Failed to refresh access token',
    })
  })
})

describe('/account-info', () => {
  it('200: the current profile', async () => {
    const { device } = await start(github)
    const { body } = await device.post('/account-info', { accountId: '4242' })
    expect(body).toEqual({
      user: {
        id: '4242',
        name: 'Octo Cat',
        email: 'octo@example.com',
        image: 'https://avatars.example.com/u/4242',
        emailVerified: true,
      },
      data: expect.objectContaining({ id: 4242, login: 'octo' }),
    })
  })

  it('200: from the stored id token where the provider has no other profile', async () => {
    const { device } = await start()
    const { body } = await device.post('/account-info', { accountId: '4242' })
    expect(body.user).toMatchObject({ id: '4242', email: 'octo@example.com', emailVerified: true })
  })

  it('200: the same when the refreshed tokens have no id token', async () => {
    let signsIn = true
    const answer = (grant: Grant) => ({ ...google.token.answer(grant), id_token: signsIn ? true : undefined })
    const { provider, device } = await start({ ...google, token: { ...google.token, answer } })
    signsIn = false
    await expireAccessTokens()
    const { body } = await device.post('/account-info', { accountId: '4242' })
    expect({ refreshes: refreshes(provider), id: body.user?.id }).toEqual({ refreshes: 1, id: '4242' })
  })

  it('400: an unknown account, or the one with the password', async () => {
    const { app, device } = await start()
    expect((await device.post('/account-info', { accountId: 'nope' })).body.code).toBe('ACCOUNT_NOT_FOUND')
    const other = await signUp(app, alice)
    const [{ accountId }] = (await other.get('/list-accounts')).body
    for (const id of [accountId, '4242']) {
      expect((await other.post('/account-info', { accountId: id })).body.code).toBe('ACCOUNT_NOT_FOUND')
    }
  })

  it('503: the provider is unavailable', async () => {
    const { provider, device } = await start(github)
    provider.fail('api', 'answers garbage')
    const answer = await device.post('/account-info', { accountId: '4242' })
    expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
  })
})
