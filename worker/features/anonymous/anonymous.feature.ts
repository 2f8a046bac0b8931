import { defineFeature } from '../../http/feature.ts'
import { routes } from '../../http/routes.ts'
import { summarizeUser } from '../../identity/users/present-user.ts'
import { anonymousOptions } from './anonymous.config.ts'
import { anonymousContract, type OptionalPublicConfiguration } from './anonymous.contract.ts'
import { adoptGuest, anonymousJobs } from './anonymous.steps.ts'
import { signInAnonymously } from './anonymous.ts'
import { deleteUnseenGuests } from './unseen-guests.ts'

export const anonymous = defineFeature({
  name: 'anonymous',
  steps: {
    signingIn: adoptGuest,
  },
  options: anonymousOptions,
  routes: routes(anonymousContract, {
    signInAnonymous: async ({ scope }) => {
      const { session, user } = await signInAnonymously(scope)
      const { image: _none, ...guest } = summarizeUser(scope, user)
      return { token: session.token, user: guest }
    },
  }),
  publicConfiguration: (): OptionalPublicConfiguration => ({ features: { anonymous: true } }),
  jobs: anonymousJobs,
  scheduled: deleteUnseenGuests,
  shows: { user: ['isAnonymous'] },
})
