import { keepWayIn } from '../../identity/accounts/ways-in.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { securityEvent } from '../../identity/security/security-events.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { passkeyErrors as errors } from './passkey.errors.ts'
import * as store from './passkey.store.ts'
import type { Passkey } from './passkey.table.ts'

/** @throws PASSKEY_NOT_FOUND, YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY for another user's passkey */
export async function renamePasskey(
  scope: Scope,
  { user }: Caller,
  { id, name }: { id: string; name: string },
): Promise<Passkey> {
  const work = unitOfWork(scope)
  const renamed = work
    .run(store.renamePasskey(scope.db, { id, userId: user.id }, name), { unlessUnchanged: true })
    .orFail(async () =>
      (await store.passkeyExists(scope.db, id))
        ? errors.YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY()
        : errors.PASSKEY_NOT_FOUND(),
    )
  await work.commit()
  return renamed.row
}

/** Deletes one of the caller's passkeys. @throws PASSKEY_NOT_FOUND, LAST_WAY_TO_SIGN_IN */
export async function deletePasskey(scope: Scope, { user, session }: Caller, id: string): Promise<void> {
  const work = unitOfWork(scope)
  work.run(store.deletePasskey(scope.db, { id, userId: user.id })).orFail(errors.PASSKEY_NOT_FOUND)
  securityEvent(scope, work, { type: 'passkey-removed', user, sessionId: session.id })
  keepWayIn(scope, work, user.id)
  await work.commit()
}
