import { defineEnds } from '../../http/feature.ts'
import { storedSecrets } from '../../platform/stored-secrets.table.ts'
import { endApplicationsOf, endConnectionsOf } from './connections/connections.store.ts'
import { endTokens } from './model/grants/ended-tokens.ts'
import { restoredGrants } from './model/grants/restored.store.ts'
import { eraseTokens, ofCredentials, ofUser, ofUserWhen } from './model/grants/tokens.store.ts'

export const identityProviderEnds = defineEnds({
  // An earlier owner without a proof of the address must not keep connections.
  revokes: {
    access: (scope, userId, when) => ({
      statements: [...endTokens(scope, ofUserWhen(userId, when)), ...endConnectionsOf(scope.db, userId, when)],
    }),
    applications: (scope, userId) => [...endTokens(scope, ofUser(userId)), ...endApplicationsOf(scope.db, userId)],
    credentials: (scope, which) => [
      ...endTokens(scope, ofCredentials(which)),
      eraseTokens(scope.db, ofCredentials(which)),
    ],
  },
  stored: {
    // The salt of pairwise subjects.
    sealed: [{ table: storedSecrets, column: storedSecrets.value }],
    restored: restoredGrants,
  },
})
