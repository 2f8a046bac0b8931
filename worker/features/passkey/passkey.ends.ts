import { defineEnds } from '../../http/feature.ts'
import { deletePasskeysWhen, hasPasskey } from './passkey.store.ts'

export const passkeyEnds = defineEnds({
  keepsWayIn: (_scope, userId) => hasPasskey(userId),
  endingAccess: (scope, userId, when) => ({ statements: [deletePasskeysWhen(scope.db, userId, when)] }),
})
