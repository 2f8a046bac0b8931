import { answerSignIn } from '../../../http/answer-sign-in.ts'
import { defineEndpoints } from '../../../http/feature.ts'
import { routes } from '../../../http/routes.ts'
import { accessIdentityContract } from './access-identity.contract.ts'
import { signInByAccess } from './access-identity.ts'

export const accessIdentityEndpoints = defineEndpoints({
  routes: routes(accessIdentityContract, {
    signInAccess: async ({ scope, request }) => answerSignIn(scope, await signInByAccess(scope, request)) as never,
  }),
})
