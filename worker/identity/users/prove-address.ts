import type { Scope } from '../scope.ts'
import { forgetSessionsOf } from '../sessions/sessions.ts'
import { type Identity, takeOverUnverified } from './prove-address.store.ts'
import { coreErrors } from './users.errors.ts'
import { findUserById } from './users.store.ts'
import type { User } from './users.table.ts'

/**
 * Somebody is about to sign in by a proof that the user's address is theirs: a mailed link or code, or a provider's
 * word. An address that is proven for the first time takes the account from whoever had made it without a proof:
 * their password, identities, phone number, second factor and sessions go, in one batch, and with the security
 * version all that is pending. Everything else of the account stays.
 * @param keep the provider's identity that is the proof, where it is linked already
 * @returns the user as it is now, to be handed to completeSignIn
 * @throws FAILED_TO_CREATE_SESSION when the user or their address is gone in the meantime
 */
export async function proveAddress(scope: Scope, user: User, keep?: Identity): Promise<User> {
  if (user.emailVerified) return user
  const proven = await takeOverUnverified(scope.db, user, scope.now(), keep, (userId, when) =>
    scope.lifecycle.endingAccess.flatMap((end) => end(scope, userId, when)),
  )
  if (!proven) {
    const current = await findUserById(scope.db, user.id)
    if (!current?.emailVerified || current.email !== user.email) throw coreErrors.FAILED_TO_CREATE_SESSION()
    return current
  }
  forgetSessionsOf(scope, user.id)
  for (const react of scope.lifecycle.userUpdated) await react(scope, proven)
  return proven
}
