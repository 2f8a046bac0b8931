import { defineEndpoints } from '../../http/feature.ts'
import { routes } from '../../http/routes.ts'
import { summarizeUser } from '../../identity/users/present-user.ts'
import { anonymousContract } from './anonymous.contract.ts'
import { signInAnonymously } from './anonymous.ts'

export const anonymousEndpoints = defineEndpoints({
  routes: routes(anonymousContract, {
    signInAnonymous: async ({ scope }) => {
      const { session, user } = await signInAnonymously(scope)
      const { image: _none, ...guest } = summarizeUser(scope, user)
      return { token: session.token, user: guest }
    },
  }),
})
