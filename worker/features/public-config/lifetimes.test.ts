import { expect, it } from 'vitest'
import { TestApp } from '../../testing/harness.ts'
import { alice, signUp } from '../../testing/people.ts'

const lifetimes = {
  emailAndPassword: { resetPasswordTokenExpiresIn: 7200 },
  magicLink: { expiresIn: 600 },
  emailOTP: { expiresIn: 90 },
  phoneNumber: { expiresIn: 60, signUpOnVerification: true },
  twoFactor: { otpOptions: { period: 240 } },
  organization: { invitationExpiresIn: 86_400 },
}

it('the screens receive the lifetimes of links and codes', async () => {
  expect((await new TestApp(lifetimes).device().get('/config')).body.lifetimes).toEqual({
    passwordReset: 7200,
    magicLink: 600,
    emailCode: 90,
    phoneCode: 60,
    secondFactorCode: 240,
    invitation: 86_400,
    impersonation: 3600,
  })
  const without = new TestApp({ magicLink: { enabled: false } })
  expect((await without.device().get('/config')).body.lifetimes).not.toHaveProperty('magicLink')
})

it('mails and text messages say how long what is in them lives', async () => {
  const app = new TestApp({ ...lifetimes, rateLimit: { enabled: false } })
  const device = await signUp(app, alice)
  const words: [path: string, body: object, words: string][] = [
    ['/request-password-reset', { email: alice.email }, 'for 2 hours.'],
    ['/sign-in/magic-link', { email: alice.email }, 'for 10 minutes.'],
    ['/email-otp/send-verification-otp', { email: alice.email, type: 'sign-in' }, 'for 90 seconds.'],
    ['/phone-number/send-otp', { phoneNumber: '+15550001111' }, 'for 1 minute.'],
  ]
  for (const [path, body, expected] of words) {
    expect((await device.post(path, body)).status, path).toBe(200)
    expect((await app.mailbox())[0]!.text, path).toContain(expected)
  }
})
