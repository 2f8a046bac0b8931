import { answerSignIn } from '../../../http/answer-sign-in.ts'
import { defineEndpoints } from '../../../http/feature.ts'
import { routes } from '../../../http/routes.ts'
import { oneTapContract } from './one-tap.contract.ts'
import { signInByOneTap } from './one-tap.ts'

export const oneTapEndpoints = defineEndpoints({
  routes: routes(oneTapContract, {
    oneTapCallback: async ({ scope, body }) => answerSignIn(scope, await signInByOneTap(scope, body.idToken)) as never,
  }),
})
