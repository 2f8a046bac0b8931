import type { FeatureCases } from '../../testing/cases.ts'
import { alice, signUp } from '../../testing/people.ts'
import { verifyAddresses } from '../../testing/states.ts'
import { answered } from '../../testing/ways.ts'

export const cases: FeatureCases = {
  events: {
    'a right password from an unknown place, which needs a code': {
      // A new device alone is one here.
      config: { risk: { level: 'challenge', challengeFrom: 2 } },
      act: async ({ app, begin }) => {
        await signUp(app, alice)
        await verifyAddresses()
        await begin()
        await answered(app.device().post('/sign-in/email', alice))
      },
      events: [],
      hooks: ['assessing'],
    },
  },
  securityEvents: {
    'a right password from an unknown place, then the code of the mailbox': {
      config: { risk: { level: 'challenge', challengeFrom: 2 } },
      act: async ({ app, begin }) => {
        await signUp(app, alice)
        await verifyAddresses()
        await begin()
        const device = app.device()
        await answered(device.post('/sign-in/email', alice))
        await answered(device.post('/two-factor/send-otp'))
        const [mail] = await app.mailbox()
        await answered(device.post('/two-factor/verify-otp', { code: mail!.codes[0] }))
      },
      events: ['sign-in-challenged', 'sign-in'],
    },
  },
}
