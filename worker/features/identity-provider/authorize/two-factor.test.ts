import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { codeOf } from '../../../testing/authenticator.ts'
import { TestApp } from '../../../testing/harness.ts'
import {
  authorizationRequest,
  authorize,
  claimsIn,
  codeOf as codeIn,
  exchange,
  registerClient,
} from '../../../testing/oauth.ts'
import { alice } from '../../../testing/people.ts'
import { passTime, signUpProtected, stopClock } from '../../../testing/two-factor.ts'

beforeEach(stopClock)
afterEach(() => {
  vi.useRealTimers()
})

it('a request waits for the second factor, and the id token contains it', async () => {
  const app = new TestApp({ rateLimit: { enabled: false } })
  const { device: first, totpURI } = await signUpProtected(app)
  const client = await registerClient(first)
  const device = app.device()
  const cors = { headers: { 'sec-fetch-mode': 'cors' } }
  await authorize(device, authorizationRequest(client))
  const password = await device.post('/sign-in/email', alice, cors)
  expect({ status: password.status, body: password.body }).toEqual({ status: 200, body: { twoFactorRedirect: true } })
  await passTime(60)
  const { body } = await device.post('/two-factor/verify-totp', { code: await codeOf(totpURI) }, cors)
  expect(body).toEqual({ redirect: true, url: expect.stringContaining('/oauth2/authorize?') })
  expect((await device.get(body.url)).headers.get('location')).toContain('/consent?')
  const agreed = await device.post('/oauth2/consent', { accept: true })
  const tokens = await exchange(app, client, codeIn(new URL(agreed.body.redirectURI)))
  const { amr, acr } = claimsIn(tokens.body.id_token)
  expect({ amr, acr }).toEqual({ amr: expect.arrayContaining(['mfa', 'otp']), acr: 'https://refeds.org/profile/mfa' })
})
