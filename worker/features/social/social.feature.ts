import { defineFeature } from '../../http/feature.ts'
import { routes } from '../../http/routes.ts'
import { providersOpen } from '../../identity/accounts/ways-in.ts'
import { accounts } from '../../identity/model/accounts.table.ts'
import { callbackContract } from './callback/callback.contract.ts'
import { callbackHandlers } from './callback/callback.routes.ts'
import { configuredIds, publicProviders } from './configured/public-providers.ts'
import { socialProviderOptions } from './configured/social-providers.config.ts'
import { linkContract } from './link/link.contract.ts'
import { linkHandlers } from './link/link.routes.ts'
import { signInContract } from './sign-in/sign-in.contract.ts'
import { signInHandlers } from './sign-in/sign-in.routes.ts'
import { socialOperations } from './social.operations.ts'
import { socialStepUpContract } from './step-up/step-up.contract.ts'
import { socialStepUpHandlers } from './step-up/step-up.routes.ts'
import { canStepUpAt } from './step-up/step-up.ts'
import { tokensContract } from './tokens/tokens.contract.ts'
import { tokensHandlers } from './tokens/tokens.routes.ts'
import { tokenJobs } from './tokens/tokens.ts'

export const social = defineFeature({
  name: 'social',
  routes: routes(
    { ...signInContract, ...callbackContract, ...linkContract, ...socialStepUpContract, ...tokensContract },
    { ...signInHandlers, ...callbackHandlers, ...linkHandlers, ...socialStepUpHandlers, ...tokensHandlers },
  ),
  operations: socialOperations,
  options: socialProviderOptions,
  publicConfiguration: publicProviders,
  keepsWayIn: (scope, userId) => providersOpen(scope, userId, configuredIds(scope)),
  stepUpProvider: canStepUpAt,
  jobs: tokenJobs,
  sealed: [accounts.accessToken, accounts.refreshToken, accounts.idToken].map((column) => ({
    table: accounts,
    column,
  })),
})
