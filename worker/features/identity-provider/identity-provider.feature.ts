import { defineFeature } from '../../http/feature.ts'
import { jwtOptions } from '../jwt/jwt.config.ts'
import { endConnectionsOf } from './connections/connections.store.ts'
import { identityProviderOptions } from './identity-provider.config.ts'
import { identityProviderRoutes } from './identity-provider.routes.ts'
import { forgetEndedSessions } from './logout/back-channel.store.ts'
import { tellOfEndedSessions } from './logout/back-channel.ts'
import { deleteExpiredTokens } from './token/tokens.store.ts'

/** Other applications sign their people in here: OAuth 2.0 and OpenID Connect. */
export const identityProvider = defineFeature({
  name: 'identity-provider',
  routes: identityProviderRoutes,
  options: identityProviderOptions,
  // Without its keys nobody could check what it signs.
  on: (options) => jwtOptions.of({ options }).enabled,
  publicConfiguration: () => ({ features: { identityProvider: true } }),
  // Whoever made the account without a proof of its address has let nobody in.
  endingAccess: (scope, userId, when) => ({ statements: endConnectionsOf(scope.db, userId, when) }),
  async scheduled(scope) {
    await tellOfEndedSessions(scope)
    await deleteExpiredTokens(scope.db, scope.now())
    await forgetEndedSessions(scope.db)
  },
})
