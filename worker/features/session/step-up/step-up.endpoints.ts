import { defineEndpoints } from '../../../http/feature.ts'
import { reading, routes } from '../../../http/routes.ts'
import { isFresh } from '../../../identity/sessions/sessions.ts'
import type { Means } from '../../../identity/sign-in/step-up.store.ts'
import { meansOf, methodsOf } from '../../../identity/sign-in/step-up.ts'
import { stepUpContract } from './step-up.contract.ts'
import { sendStepUpCode, verifyStepUp } from './step-up.ts'

export const stepUpEndpoints = defineEndpoints({
  routes: routes(stepUpContract, {
    stepUp: ({ scope, caller, body }) => verifyStepUp(scope, caller, body),
    stepUpMethods: reading(
      ({ scope, own }) => ({ means: meansOf(scope, own.userId) }),
      ({ scope, caller: { session, user } }, { means: [means] }) => ({
        methods: methodsOf(scope, user, means as Means),
        authenticatedAt: session.authenticatedAt,
        fresh: isFresh(scope, session),
      }),
    ),
    sendStepUpCode: async ({ scope, caller, body }) => {
      await sendStepUpCode(scope, caller, body.method)
      return { status: true }
    },
  }),
})
