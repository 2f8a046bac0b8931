import type { Caller, Scope } from '../../identity/scope.ts'
import { emailAndPasswordOptions } from '../../identity/settings.ts'
import { passkeyErrors as errors } from './passkey.errors.ts'
import * as store from './passkey.store.ts'
import type { Passkey } from './passkey.table.ts'

/** @throws PASSKEY_NOT_FOUND, YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY for somebody else's */
export async function renamePasskey(
  scope: Scope,
  { user }: Caller,
  { id, name }: { id: string; name: string },
): Promise<Passkey> {
  const renamed = await store.renamePasskey(scope.db, { id, userId: user.id }, name)
  if (renamed) return renamed
  if (await store.passkeyExists(scope.db, id)) throw errors.YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY()
  throw errors.PASSKEY_NOT_FOUND()
}

/**
 * Deletes one of the caller's passkeys, but not their last way in. The statement that deletes holds that rule; the
 * list after it only finds the words for a refusal.
 * @throws PASSKEY_NOT_FOUND, YOU_CANT_DELETE_YOUR_LAST_WAY_IN
 */
export async function deletePasskey(scope: Scope, { user }: Caller, id: string): Promise<void> {
  const { waysIn } = scope.lifecycle
  const password = emailAndPasswordOptions.of(scope).enabled
  // Whoever reads the mailbox can have a new password set, too.
  const open = { password, mailbox: password || waysIn.includes('mailbox'), phone: waysIn.includes('phone') }
  if (await store.deletePasskey(scope.db, { id, userId: user.id }, open)) return
  const own = await store.listPasskeys(scope.db, user.id)
  throw own.some((passkey) => passkey.id === id)
    ? errors.YOU_CANT_DELETE_YOUR_LAST_WAY_IN()
    : errors.PASSKEY_NOT_FOUND()
}
