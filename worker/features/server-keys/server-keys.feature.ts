import { defineFeature } from '../../http/feature.ts'
import { reading, routes } from '../../http/routes.ts'
import { days, ms } from '../../kit/time.ts'
import { answerOnce } from './idempotency.ts'
import { rememberedFor } from './known-server-keys.ts'
import { serverKeyOptions } from './server-keys.config.ts'
import { type OptionalPublicConfiguration, serverKeysContract } from './server-keys.contract.ts'
import { deleteExpiredKeys, deleteOldRequests, listKeys } from './server-keys.store.ts'
import { serverRequests } from './server-keys.table.ts'
import { createServerKey, presentServerKey, revokeServerKey } from './server-keys.ts'
import { requireServerKey } from './use-server-key.ts'

/** How long an expired key is listed. */
const shownAfterExpiry = ms(days(30))

export const serverKeys = defineFeature({
  name: 'server-keys',
  options: serverKeyOptions,
  routes: routes(serverKeysContract, {
    listServerKeys: reading(
      ({ scope }) => ({ rows: listKeys(scope.db, 500) }),
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
  publicConfiguration: (): OptionalPublicConfiguration => ({ features: { serverKeys: true } }),
  serverKeys: { require: requireServerKey, once: answerOnce },
  outlivesSession: () => ({ here: rememberedFor }),
  sealed: [{ table: serverRequests, column: serverRequests.answer }],
  async scheduled({ db, now }) {
    await deleteOldRequests(db, now()).run()
    await deleteExpiredKeys(db, new Date(now().getTime() - shownAfterExpiry)).run()
  },
})
