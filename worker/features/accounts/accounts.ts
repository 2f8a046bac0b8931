import { accountOptions } from '../../identity/accounts/accounts.config.ts'
import { deleteAccount, listAccounts } from '../../identity/accounts/accounts.store.ts'
import { keepWayIn } from '../../identity/accounts/ways-in.ts'
import type { Account } from '../../identity/model/accounts.table.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { securityEvent } from '../../identity/security/security-events.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { accountErrors as errors } from './accounts.errors.ts'

/** The accounts of a user in the order and form of the list. */
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
 * Removes one of the caller's accounts. Without `allowUnlinkingAll`, neither the last account (a rule of the protocol)
 * nor the last way to sign in: the batch decides, and the list before it only finds the error.
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
  const { user, session } = caller
  const work = unitOfWork(scope)
  work
    .run(deleteAccount(scope.db, user.id, account.id, allowUnlinkingAll))
    .orFail(errors.YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT)
  const details = { provider: account.providerId }
  securityEvent(scope, work, { type: 'provider-unlinked', user, sessionId: session.id, details })
  if (!allowUnlinkingAll) keepWayIn(scope, work, user.id)
  await work.commit()
}
