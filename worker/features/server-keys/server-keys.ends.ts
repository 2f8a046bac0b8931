import { defineEnds } from '../../http/feature.ts'
import { serverRequests } from './server-keys.table.ts'

export const serverKeysEnds = defineEnds({
  sealed: [{ table: serverRequests, column: serverRequests.answer }],
})
