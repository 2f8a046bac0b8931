import type { FeatureCases } from '../../testing/cases.ts'
import { comeBack, startAt, walk } from '../../testing/outside/walk.ts'
import { alice, signUp } from '../../testing/people.ts'
import { updateUsers, verifyAddresses } from '../../testing/states.ts'
import { answered, signedUp, userCreation } from '../../testing/ways.ts'

export const cases: FeatureCases = {
  withoutFaults: {
    'social/callback/faults.test.ts: state, callback, tokens': [
      'POST /sign-in/social',
      'POST /sign-in/provider',
      'GET /callback/:id',
      'POST /callback/:id',
      'POST /link-social',
      'POST /step-up/provider',
      'POST /get-access-token',
      'POST /refresh-token',
      'POST /account-info',
      'POST /social/send-code',
    ],
    'the use cases of /callback/:id by other paths': [
      'POST /sign-in/oauth2',
      'GET /oauth2/callback/:providerId',
      'POST /oauth2/link',
      'POST /one-tap/callback',
      'GET /oauth-proxy-callback',
    ],
  },
  events: {
    'sign-up at a provider': {
      act: async ({ app, provider }) => answered(walk(app.device(), provider)),
      ...userCreation,
    },
    'sign-in at a provider, whose name is another now': {
      act: async ({ app, provider, begin }) => {
        await walk(app.device(), provider)
        await updateUsers({ name: 'Before' })
        await begin()
        await answered(walk(app.device(), provider))
      },
      events: ['user.updated', 'session.created'],
      hooks: ['updatingUser', 'signingIn', 'sessionIssued', 'userUpdated'],
    },
  },
  securityEvents: {
    'a provider is linked and unlinked': {
      act: signedUp(async (device, { provider }) => {
        for (let time = 0; time < 2; time++)
          await answered(comeBack(device, await startAt(device, provider, {}, '/link-social')))
        await answered(device.post('/unlink-account', { providerId: 'google' }))
      }),
      events: ['provider-linked', 'provider-unlinked'],
    },
    'a provider is linked by a sign-in with the same address': {
      act: async ({ app, provider, begin }) => {
        await signUp(app, { ...alice, email: provider.person.email as string })
        await verifyAddresses()
        await begin()
        await answered(walk(app.device(), provider))
      },
      events: ['provider-linked', 'sign-in'],
      notices: ['provider-linked'],
    },
  },
}
