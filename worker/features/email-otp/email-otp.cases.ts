import type { FeatureCases } from '../../testing/cases.ts'
import { alice, signUp } from '../../testing/people.ts'
import { codeTo, known } from '../../testing/set-ups.ts'
import { verifyAddresses } from '../../testing/states.ts'
import { answered, signedUp, userCreation } from '../../testing/ways.ts'

export const cases: FeatureCases = {
  faults: {
    'the mail of a code': {
      endpoint: 'POST /email-otp/send-verification-otp',
      before: async (app) => ({ device: app.device() }),
      input: (_given, { email }) => ({ email, type: 'sign-in' }),
      mails: true,
    },
    'reset by code': {
      endpoint: 'POST /email-otp/reset-password',
      before: async (app, person) => {
        await signUp(app, person)
        await app.device().post('/forget-password/email-otp', { email: person.email })
        return { device: app.device(), given: await codeTo(app, person.email) }
      },
      input: (otp, { email }) => ({ email, otp, password: 'another-password' }),
      afterwards: ['INVALID_OTP'],
    },
    'sign-in by code': {
      endpoint: 'POST /sign-in/email-otp',
      before: async (app, person) => {
        await app.device().post('/email-otp/send-verification-otp', { email: person.email, type: 'sign-in' })
        return { device: app.device(), given: await codeTo(app, person.email) }
      },
      input: (otp, { email }) => ({ email, otp }),
      afterwards: ['INVALID_OTP'],
    },
    'verification by code': {
      endpoint: 'POST /email-otp/verify-email',
      before: async (app, person) => {
        await signUp(app, person)
        await app.device().post('/email-otp/send-verification-otp', { email: person.email, type: 'email-verification' })
        return { device: app.device(), given: await codeTo(app, person.email) }
      },
      input: (otp, { email }) => ({ email, otp }),
      afterwards: ['INVALID_OTP'],
    },
    'the mail of a code for a reset': {
      endpoint: 'POST /forget-password/email-otp',
      before: known,
      input: (_given, { email }) => ({ email }),
      mails: true,
    },
  },
  events: {
    'sign-up by mailed code': {
      act: async ({ app }) => {
        const { email } = alice
        await app.device().post('/email-otp/send-verification-otp', { email, type: 'sign-in' })
        await answered(app.device().post('/sign-in/email-otp', { email, otp: await codeTo(app, email) }))
      },
      ...userCreation,
    },
    'a password is reset by mailed code': {
      act: signedUp(async (_, { app, begin }) => {
        await verifyAddresses()
        await app.device().post('/forget-password/email-otp', { email: alice.email })
        await begin()
        const otp = await codeTo(app, alice.email)
        await answered(
          app.device().post('/email-otp/reset-password', { email: alice.email, otp, password: 'another-password' }),
        )
      }),
      events: ['session.ended', 'password.reset'],
      hooks: ['passwordReset'],
    },
  },
  securityEvents: {
    'sign-in with a wrong code': {
      act: signedUp(async (device, { app }) => {
        await device.post('/email-otp/send-verification-otp', { email: alice.email, type: 'sign-in' })
        const otp = (await codeTo(app, alice.email)) === '111111' ? '222222' : '111111'
        await answered(device.post('/sign-in/email-otp', { email: alice.email, otp }), 400)
      }),
      events: ['sign-in-failed'],
    },
  },
}
