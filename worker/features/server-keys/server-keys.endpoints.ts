import { defineEndpoints } from '../../http/feature.ts'
import { reading, routes } from '../../http/routes.ts'
import { serverKeysContract } from './server-keys.contract.ts'
import { selectServerKeys } from './server-keys.store.ts'
import { createServerKey, presentServerKey, revokeServerKey } from './server-keys.ts'

export const serverKeysEndpoints = defineEndpoints({
  routes: routes(serverKeysContract, {
    listServerKeys: reading(
      ({ scope }) => ({ rows: selectServerKeys(scope.db, 500) }),
      (_call, { rows }) => ({ keys: rows.map(({ key, creatorName }) => presentServerKey(key, creatorName)) }),
    ),
    createServerKey: async ({ scope, caller, body }) => {
      const { row, shown } = await createServerKey(scope, caller, body)
      return { ...presentServerKey(row, caller.user.name), key: shown }
    },
    revokeServerKey: async ({ scope, caller, body }) => {
      await revokeServerKey(scope, caller, body.id)
      return { success: true } as const
    },
  }),
})
