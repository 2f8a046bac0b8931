import type { FeatureCases } from '../../testing/cases.ts'
import { alice, signUp } from '../../testing/people.ts'
import { tokenTo } from '../../testing/set-ups.ts'
import { answered, signedUp, userCreation } from '../../testing/ways.ts'

export const cases: FeatureCases = {
  faults: {
    'the mail of a magic link': {
      endpoint: 'POST /sign-in/magic-link',
      before: async (app) => ({ device: app.device() }),
      input: (_given, { email }) => ({ email }),
      mails: true,
    },
    'magic link': {
      endpoint: 'GET /magic-link/verify',
      before: async (app, person) => {
        await app.device().post('/sign-in/magic-link', { email: person.email })
        return { device: app.device(), given: await tokenTo(app, person.email) }
      },
      input: (token) => ({ token }),
      afterwards: ['INVALID_TOKEN'],
    },
    'magic link to an unverified account': {
      endpoint: 'GET /magic-link/verify',
      before: async (app, person) => {
        await signUp(app, person)
        await app.device().post('/sign-in/magic-link', { email: person.email })
        return { device: app.device(), given: await tokenTo(app, person.email) }
      },
      input: (token) => ({ token }),
      afterwards: ['INVALID_TOKEN'],
    },
  },
  events: {
    'sign-up by magic link': {
      act: async ({ app }) => {
        const device = app.device()
        await device.post('/sign-in/magic-link', { email: alice.email })
        await answered(device.get(await app.linkTo(alice.email)))
      },
      ...userCreation,
    },
    'an address is proven by a user other than the one who signed up': {
      act: signedUp(async (_, { app }) => {
        await app.device().post('/sign-in/magic-link', { email: alice.email })
        await answered(app.device().get(await app.linkTo(alice.email)))
      }),
      events: ['session.ended', 'user.updated', 'session.created'],
      hooks: ['signingIn', 'sessionIssued', 'userUpdated'],
    },
  },
}
