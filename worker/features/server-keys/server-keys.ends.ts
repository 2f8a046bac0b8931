import { defineEnds } from '../../http/feature.ts'
import { serverKeys, serverRequests } from './server-keys.table.ts'

export const serverKeysEnds = defineEnds({
  stored: {
    sealed: [{ table: serverRequests, column: serverRequests.answer }],
    restored: [{ table: serverKeys, kind: 'keys' }],
  },
})
