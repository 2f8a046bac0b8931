import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../../configuration/read-config.ts'
import { TestApp } from '../../../testing/harness.ts'
import { OAuthProvider } from '../../../testing/outside/oauth-provider.ts'
import { google } from '../../../testing/outside/social/google.ts'
import { alice, signUp } from '../../../testing/people.ts'
import { verifyAddresses } from '../../../testing/states.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

function start(config: Config = {}, claims: object = {}) {
  const provider = new OAuthProvider({ ...google, claims: (person) => ({ ...google.claims!(person), ...claims }) })
  provider.install()
  const app = new TestApp({ socialProviders: { google: provider.options }, ...config })
  const token = () => provider.signIdToken(google.clientId)
  return { provider, app, device: app.device(), token }
}

const path = '/one-tap/callback'

describe('/one-tap/callback', () => {
  it('200: a new person, then the same one again, also by way of /sign-in/social', async () => {
    const { device, token, app } = start()
    const first = await device.post(path, { idToken: await token() })
    expect(first.body).toEqual({
      token: expect.any(String),
      user: {
        id: expect.any(String),
        email: 'octo@example.com',
        emailVerified: true,
        name: 'Gina Oogle',
        image: 'https://lh3.example.com/g.png',
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    })
    expect((await device.get('/get-session')).body.user.id).toBe(first.body.user.id)
    const again = await app.device().post(path, { idToken: await token() })
    expect(again.body.user.id).toBe(first.body.user.id)
    const social = await app.device().post('/sign-in/social', { provider: 'google', idToken: { token: await token() } })
    expect(social.body.user.id).toBe(first.body.user.id)
  })

  it('400: no token, no token of Google, one for another client', async () => {
    const { device, provider } = start()
    expect((await device.post(path, {})).body.code).toBe('VALIDATION_ERROR')
    for (const idToken of ['bad', await provider.signIdToken('someone-else')]) {
      const answer = await device.post(path, { idToken })
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 400,
        body: { code: 'INVALID_ID_TOKEN', message: 'invalid id token' },
      })
    }
  })

  it('400: no address in it', async () => {
    const { device, provider, token } = start()
    provider.person = { id: '7' }
    const answer = await device.post(path, { idToken: await token() })
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 400,
      body: { code: 'EMAIL_NOT_AVAILABLE_IN_TOKEN', message: 'Email not available in token' },
    })
  })

  it('401: a user has the address, and Google has not verified it', async () => {
    const { app, device, provider, token } = start({}, { email_verified: false })
    await signUp(app, alice)
    provider.person = { id: '7', email: alice.email }
    const answer = await device.post(path, { idToken: await token() })
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 401,
      body: { code: 'GOOGLE_SUB_DOESNT_MATCH', message: "Google sub doesn't match" },
    })
  })

  it('200: a user has the address, and Google has verified it', async () => {
    const { app, device, provider, token } = start()
    await signUp(app, alice)
    await verifyAddresses()
    provider.person = { id: '7', email: alice.email }
    expect((await device.post(path, { idToken: await token() })).status).toBe(200)
    expect((await device.get('/list-accounts')).body).toHaveLength(2)
  })

  it('401: sign-up switched off', async () => {
    const { device, token } = start({ oneTap: { disableSignup: true } })
    expect((await device.post(path, { idToken: await token() })).body.code).toBe('SIGNUP_DISABLED')
  })

  it('401: users are created with requestSignUp only, which this endpoint lacks', async () => {
    const { provider, token } = start()
    const app = new TestApp({ socialProviders: { google: { ...provider.options, disableImplicitSignUp: true } } })
    expect((await app.device().post(path, { idToken: await token() })).body.code).toBe('SIGNUP_DISABLED')
  })

  it('404: Google is not configured; the feature is off', async () => {
    expect((await new TestApp().device().post(path, { idToken: 'x' })).body.code).toBe('PROVIDER_NOT_FOUND')
    const off = new TestApp({ oneTap: { enabled: false } })
    expect((await off.device().post(path, { idToken: 'x' })).body.code).toBe('NOT_FOUND')
  })

  it('200: with its own client id', async () => {
    const { provider } = start()
    const app = new TestApp({ oneTap: { clientId: 'tap-client' } })
    const idToken = await provider.signIdToken('tap-client')
    expect((await app.device().post(path, { idToken })).status).toBe(200)
    expect((await app.device().get('/config')).body.oneTap).toEqual({ clientId: 'tap-client' })
  })
})
