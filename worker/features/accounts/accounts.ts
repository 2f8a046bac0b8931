import { deleteAccount, listAccounts } from '../../identity/accounts/accounts.store.ts'
import type { Account } from '../../identity/accounts/accounts.table.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { accountOptions } from '../../identity/settings.ts'
import { accountErrors as errors } from './accounts.errors.ts'

/** The accounts of a user, as they are listed. */
export const presentAccounts = (accounts: Account[]) =>
  accounts.map(({ id, providerId, createdAt, updatedAt, accountId, scope: granted }) => ({
    id,
    provider: providerId,
    createdAt,
    updatedAt,
    accountId,
    scopes: granted ? granted.split(',').filter(Boolean) : [],
  }))

/**
 * Removes one of the caller's accounts. The statement that deletes holds the rule about the last one; the list before
 * it only finds the words for a refusal.
 * @throws YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT, ACCOUNT_NOT_FOUND
 */
export async function unlinkAccount(
  scope: Scope,
  caller: Caller,
  { providerId, accountId }: { providerId: string; accountId?: string | undefined },
): Promise<void> {
  const { allowUnlinkingAll } = accountOptions.of(scope).accountLinking
  const accounts = await listAccounts(scope.db, caller.user.id)
  if (accounts.length === 1 && !allowUnlinkingAll) throw errors.YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT()
  const account = accounts.find(
    (candidate) =>
      candidate.providerId === providerId && (accountId === undefined || candidate.accountId === accountId),
  )
  if (!account) throw errors.ACCOUNT_NOT_FOUND()
  const removed = await deleteAccount(scope.db, caller.user.id, account.id, allowUnlinkingAll)
  if (!removed) throw errors.YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT()
}
