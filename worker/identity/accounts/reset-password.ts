import { isUnmetDemand, runBatch, type Statement } from '../../platform/statements.ts'
import type { Scope } from '../scope.ts'
import { forgetSessionsOf } from '../sessions/sessions.ts'
import { proveAddress } from '../users/prove-address.ts'
import type { User } from '../users/users.table.ts'
import { isUsedAlready } from '../verifications/used-records.ts'
import { resetPasswordStatements } from './accounts.store.ts'

/**
 * Sets the password of somebody who has forgotten it, and ends their sessions and all that is pending. The use of the
 * link or code is part of the same batch.
 * @param proof what was followed: a mail also proves the address, which ends every way into an account that was made
 *   without that proof; a text message proves a number that is proven already
 * @returns false, and nothing is written, when the proof was used before or the user has changed
 */
export async function resetForgottenPassword(
  scope: Scope,
  user: User,
  hash: string,
  { proof, use }: { proof: 'mail' | 'text'; use: Statement },
): Promise<boolean> {
  const proven = proof === 'mail' ? proveAddress(scope, user) : null
  try {
    await runBatch(scope.db, [
      use,
      ...(proven?.statements ?? []),
      ...resetPasswordStatements(scope, proven?.user ?? user, hash),
    ])
  } catch (thrown) {
    if (isUsedAlready(thrown) || isUnmetDemand(thrown)) return false
    throw thrown
  }
  forgetSessionsOf(scope, user.id)
  await proven?.written()
  for (const react of scope.lifecycle.passwordReset) await react(scope, proven?.user ?? user)
  return true
}
