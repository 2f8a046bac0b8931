import type { FeatureCases } from '../../../testing/cases.ts'
import { addPasskey } from '../../../testing/passkeys.ts'
import { acquaintance, codeTo, signedIn, verified } from '../../../testing/set-ups.ts'

export const cases: FeatureCases = {
  faults: {
    'step-up by password': {
      endpoint: 'POST /step-up',
      before: signedIn,
      input: (_given, { password }) => ({ method: 'password', password }),
    },
    'step-up by a mailed code': {
      endpoint: 'POST /step-up',
      before: async (app, person) => {
        const { device } = await verified(app, person)
        await device.post('/step-up/send-code', { method: 'email-otp' })
        return { device, given: await codeTo(app, person.email) }
      },
      input: (code) => ({ method: 'email-otp', code }),
      afterwards: ['OTP_HAS_EXPIRED'],
    },
    'step-up by passkey': {
      endpoint: 'POST /step-up',
      before: async (app, person) => {
        const { device } = await acquaintance(app, person)
        const authenticator = await addPasskey(device)
        const { body: options } = await device.get('/step-up/passkey-options')
        return { device, given: authenticator.assert(options) }
      },
      input: (response) => ({ method: 'passkey', response }),
      afterwards: ['AUTHENTICATION_FAILED', 'CHALLENGE_NOT_FOUND'],
    },
  },
  withoutFaults: { 'one record, which is put again': ['POST /step-up/send-code'] },
}
