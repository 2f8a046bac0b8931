import { removeUser } from '../../../identity/accounts/users.ts'
import type { User } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import type { Work } from '../../../identity/work.ts'
import { HookRefusal } from '../../../kit/errors.ts'
import { reasonOf } from '../../../platform/log.ts'
import { isUnentered, listLeftAccounts } from './access.store.ts'

/** Accounts per run of the cron trigger. A deletion costs about eight statements. */
const batchSize = 50

/**
 * Deletes an account that a directory has created and that its user has not entered. The batch decides, after its other writes.
 * @returns false if a hook of the product keeps the account, and nothing is written
 */
export async function removeUnentered(scope: Scope, user: User, work: Work): Promise<boolean> {
  work.require(isUnentered(user.id, null))
  try {
    await removeUser(scope, user, work)
    return true
  } catch (thrown) {
    if (!(thrown instanceof HookRefusal)) throw thrown
    return false
  }
}

/** For the cron trigger: accounts whose connection or organization was deleted, a batch of them. */
export async function removeLeftAccounts(scope: Scope): Promise<void> {
  for (const { user } of await listLeftAccounts(scope.db, batchSize)) {
    try {
      const work = unitOfWork(scope)
      work.audit({ action: 'directory.delete-account', actor: { type: 'system', id: null }, subjectId: user.id })
      await removeUnentered(scope, user, work)
    } catch (thrown) {
      scope.log('warn', 'directory-account-not-deleted', { reason: reasonOf(thrown) })
    }
  }
}
