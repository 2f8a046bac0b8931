import { defineEndpoints } from '../../http/feature.ts'
import { routes } from '../../http/routes.ts'
import { requireDirectoryToken } from './server/require-token.ts'
import { directoryServerContract } from './server/server.contract.ts'
import { directoryServerHandlers } from './server/server.routes.ts'
import { directoryTokensContract } from './tokens/tokens.contract.ts'
import { createDirectoryToken, describeDirectory, revokeDirectoryToken, rotateDirectoryToken } from './tokens/tokens.ts'

export const directoryEndpoints = defineEndpoints({
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
})
