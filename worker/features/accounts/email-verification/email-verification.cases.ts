import type { FeatureCases } from '../../../testing/cases.ts'
import { alice, signUp } from '../../../testing/people.ts'
import { acquaintance, tokenTo, verified } from '../../../testing/set-ups.ts'
import { answered, signedUp } from '../../../testing/ways.ts'

export const cases: FeatureCases = {
  faults: {
    'verification by link': {
      endpoint: 'GET /verify-email',
      before: async (app, person) => {
        await signUp(app, person)
        return { device: app.device(), given: await tokenTo(app, person.email) }
      },
      input: (token) => ({ token }),
    },
    'confirming a change of address': {
      endpoint: 'GET /verify-email',
      before: async (app, person) => {
        const { device } = await verified(app, person)
        await device.post('/change-email', { newEmail: `new-${person.email}` })
        return { device, given: await tokenTo(app, person.email) }
      },
      input: (token) => ({ token }),
      afterwards: ['UNAUTHORIZED', 'INVALID_TOKEN'],
    },
    'the mail of a verification': {
      endpoint: 'POST /send-verification-email',
      before: async (app, person) => ({ device: (await acquaintance(app, person, { verified: false })).device }),
      input: (_given, { email }) => ({ email }),
      mails: true,
    },
  },
  events: {
    'an address is verified': {
      act: signedUp(async (device, { app }) => answered(device.get(await app.linkTo(alice.email)))),
      events: ['user.updated'],
      hooks: ['userUpdated'],
    },
  },
}
