import { describe, expect, it, vi } from 'vitest'
import { codeOf } from '../../../testing/authenticator.ts'
import { TestApp } from '../../../testing/harness.ts'
import { OAuthProvider } from '../../../testing/outside/oauth-provider.ts'
import { google } from '../../../testing/outside/social/google.ts'
import { locationOf, walk } from '../../../testing/outside/walk.ts'
import { alice, bob, signIn, signUp } from '../../../testing/people.ts'
import { rowsOf } from '../../../testing/rows.ts'
import { verifyAddresses } from '../../../testing/states.ts'
import { signUpProtected } from '../../../testing/two-factor.ts'

describe('GET /list-sign-in-methods', () => {
  it('200: the ways of the caller, the last used first; a rotated token does not count', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const app = new TestApp({ rateLimit: { enabled: false } })
    const device = await signUp(app, alice)
    await signUp(app, bob)
    vi.setSystemTime(Date.now() + 1000)
    await signIn(app, alice)
    const usedAt = new Date().toISOString()
    vi.setSystemTime(Date.now() + 1000)
    await device.post('/change-password', {
      currentPassword: alice.password,
      newPassword: 'another-password',
      revokeOtherSessions: true,
    })
    const { status, body, io } = await device.get('/list-sign-in-methods')
    expect(status).toBe(200)
    expect(body).toEqual([
      { method: 'email', lastUsedAt: usedAt },
      { method: 'sign-up', lastUsedAt: expect.any(String) },
    ])
    expect(io.d1![0]).toBe(1)
    vi.useRealTimers()
  })

  it('401 for a visitor', async () => {
    expect((await new TestApp().device().get('/list-sign-in-methods')).status).toBe(401)
  })
})

it('names the provider of a sign-in, also after a second factor; so does the list of sessions', async () => {
  const provider = new OAuthProvider(google).install()
  provider.person = { id: 'alice-at-google', email: alice.email }
  const app = new TestApp({
    rateLimit: { enabled: false },
    twoFactor: { enforceOn: 'all' },
    socialProviders: { google: provider.options },
    account: { accountLinking: { trustedProviders: ['google'] } },
  })
  const { totpURI } = await signUpProtected(app)
  await verifyAddresses()
  const device = app.device()
  expect(locationOf(await walk(device, provider))).toContain('/two-factor')
  await device.post('/two-factor/verify-totp', { code: await codeOf(totpURI) })
  const [last] = (await device.get('/list-sign-in-methods')).body
  expect(last.method).toBe('google')
  const sessions = (await device.get('/list-sessions')).body as { method: string }[]
  expect(sessions.map(({ method }) => method).sort()).toEqual(['google', 'sign-up'])
  const stored = await rowsOf('sessions', { method: 'google' })
  expect(stored.map(({ amr }) => amr)).toEqual([['fed', 'otp', 'mfa']])
  vi.restoreAllMocks()
})
