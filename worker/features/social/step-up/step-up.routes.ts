import type { Handlers } from '../../../http/routes.ts'
import type { socialStepUpContract } from './step-up.contract.ts'
import { startStepUp } from './step-up.ts'

export const socialStepUpHandlers: Handlers<typeof socialStepUpContract> = {
  stepUpByProvider: async ({ scope, caller, body }) => ({
    url: await startStepUp(scope, caller, body),
    redirect: true,
  }),
}
