import { codeOf } from '../../testing/authenticator.ts'
import type { FeatureCases } from '../../testing/cases.ts'
import { alice, signUp } from '../../testing/people.ts'
import { challenge, signUpProtected, stopClock } from '../../testing/two-factor.ts'
import { answered, signedUp } from '../../testing/ways.ts'

export const cases: FeatureCases = {
  withoutFaults: {
    'two-factor/faults.test.ts': [
      'POST /two-factor/enable',
      'POST /two-factor/disable',
      'POST /two-factor/verify-totp',
      'POST /two-factor/send-otp',
      'POST /two-factor/verify-otp',
      'POST /two-factor/verify-backup-code',
      'POST /two-factor/generate-backup-codes',
      'POST /two-factor/forget-devices',
    ],
  },
  events: {
    'two-factor is switched on': {
      act: signedUp(async (device, { begin }) => {
        stopClock()
        const { totpURI } = (await device.post('/two-factor/enable', { password: alice.password })).body
        await begin()
        await answered(device.post('/two-factor/verify-totp', { code: await codeOf(totpURI, -1) }))
      }),
      events: ['user.updated', 'session.created', 'session.ended'],
      hooks: ['sessionIssued', 'userUpdated'],
    },
  },
  securityEvents: {
    'sign-in with a wrong second factor, then with the right one': {
      act: async ({ app, begin }) => {
        stopClock()
        const { totpURI } = await signUpProtected(app)
        await begin()
        const device = await challenge(app)
        await device.post('/two-factor/verify-totp', { code: '000000' })
        await answered(device.post('/two-factor/verify-totp', { code: await codeOf(totpURI) }))
      },
      events: ['sign-in-failed', 'sign-in'],
    },
    'the second factor is turned on, gets new backup codes, and is turned off': {
      act: async ({ app, begin }) => {
        stopClock()
        const device = await signUp(app, alice)
        const { password } = alice
        await begin()
        const { body } = await device.post('/two-factor/enable', { password })
        await answered(device.post('/two-factor/verify-totp', { code: await codeOf(body.totpURI) }))
        await answered(device.post('/two-factor/generate-backup-codes', { password }))
        await answered(device.post('/two-factor/disable', { password }))
      },
      events: ['two-factor-enabled', 'backup-codes-created', 'two-factor-disabled'],
    },
  },
}
