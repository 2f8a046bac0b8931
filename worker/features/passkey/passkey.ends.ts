import { defineEnds } from '../../http/feature.ts'
import { deletePasskeysWhen, hasPasskey } from './passkey.store.ts'

export const passkeyEnds = defineEnds({
  keeps: { wayIn: (_scope, userId) => hasPasskey(userId) },
  revokes: { access: (scope, userId, when) => ({ statements: [deletePasskeysWhen(scope.db, userId, when)] }) },
})
