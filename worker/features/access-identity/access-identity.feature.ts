import { answerSignIn } from '../../http/answer-sign-in.ts'
import { defineFeature } from '../../http/feature.ts'
import { routes } from '../../http/routes.ts'
import { providersOpen } from '../../identity/accounts/ways-in.ts'
import { accessIdentityOptions, accessProvider } from './access-identity.config.ts'
import { accessIdentityContract, type OptionalPublicConfiguration } from './access-identity.contract.ts'
import { signInByAccess } from './access-identity.ts'

export const accessIdentity = defineFeature({
  name: 'access-identity',
  options: accessIdentityOptions,
  routes: routes(accessIdentityContract, {
    signInAccess: async ({ scope, request }) => answerSignIn(scope, await signInByAccess(scope, request)) as never,
  }),
  on: (options) => {
    const { team, audience } = accessIdentityOptions.of({ options })
    return team !== null && audience !== null
  },
  publicConfiguration: (): OptionalPublicConfiguration => ({ features: { accessIdentity: true } }),
  keepsWayIn: (scope, userId) => providersOpen(scope, userId, [accessProvider]),
})
