import { defineEndpoints } from '../../http/feature.ts'
import { routes } from '../../http/routes.ts'
import { callbackContract } from './callback/callback.contract.ts'
import { callbackHandlers } from './callback/callback.routes.ts'
import { linkContract } from './link/link.contract.ts'
import { linkHandlers } from './link/link.routes.ts'
import { signInContract } from './sign-in/sign-in.contract.ts'
import { signInHandlers } from './sign-in/sign-in.routes.ts'
import { socialOperations } from './social.operations.ts'
import { socialStepUpContract } from './step-up/step-up.contract.ts'
import { socialStepUpHandlers } from './step-up/step-up.routes.ts'
import { tokensContract } from './tokens/tokens.contract.ts'
import { tokensHandlers } from './tokens/tokens.routes.ts'

export const socialEndpoints = defineEndpoints({
  routes: routes(
    { ...signInContract, ...callbackContract, ...linkContract, ...socialStepUpContract, ...tokensContract },
    { ...signInHandlers, ...callbackHandlers, ...linkHandlers, ...socialStepUpHandlers, ...tokensHandlers },
  ),
  operations: socialOperations,
})
