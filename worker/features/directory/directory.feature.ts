import { defineFeature } from '../../http/feature.ts'
import { routes } from '../../http/routes.ts'
import { after, days } from '../../kit/time.ts'
import { manageEntries } from './access/access.store.ts'
import { refuseDeparted } from './access/access.ts'
import { removeLeftAccounts } from './access/unentered.ts'
import { directoryIsOn, directoryOptions } from './directory.config.ts'
import { requireDirectoryToken } from './server/require-token.ts'
import { directoryServerContract } from './server/server.contract.ts'
import { directoryServerHandlers } from './server/server.routes.ts'
import { directoryTokensContract, type OptionalPublicConfiguration } from './tokens/tokens.contract.ts'
import { deleteExpiredTokens, hasDirectory } from './tokens/tokens.store.ts'
import { createDirectoryToken, describeDirectory, revokeDirectoryToken, rotateDirectoryToken } from './tokens/tokens.ts'
import { watchUsage } from './users/usage.ts'

/** Directory sync (SCIM 2.0) of the connections of organizations. */
export const directory = defineFeature({
  name: 'directory',
  steps: { signingIn: refuseDeparted, recording: manageEntries },
  routes: routes(
    { ...directoryTokensContract, ...directoryServerContract },
    {
      directory: ({ scope, caller, query }) => describeDirectory(scope, caller, query),
      createDirectoryToken: ({ scope, caller, body }) => createDirectoryToken(scope, caller, body),
      rotateDirectoryToken: ({ scope, caller, body }) => rotateDirectoryToken(scope, caller, body),
      revokeDirectoryToken: async ({ scope, caller, body }) => {
        await revokeDirectoryToken(scope, caller, body)
        return { success: true as const }
      },
      ...directoryServerHandlers,
    },
    { directory: requireDirectoryToken },
  ),
  raisedMemberLimit: (scope, organizationId) => ({
    holds: hasDirectory(organizationId),
    max: directoryOptions.of(scope).maxUsers,
  }),
  options: directoryOptions,
  on: directoryIsOn,
  publicConfiguration: (): OptionalPublicConfiguration => ({ features: { directory: true } }),
  scheduled: async (scope) => {
    // Expired tokens are listed for 30 days.
    await deleteExpiredTokens(scope.db, after(scope.now(), -days(30))).run()
    await removeLeftAccounts(scope)
    await watchUsage(scope)
  },
})
