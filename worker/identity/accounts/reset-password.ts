import { randomString } from '../../kit/random.ts'
import type { User } from '../model/users.table.ts'
import type { Scope } from '../scope.ts'
import { securityEvent } from '../security/security-events.ts'
import { forgetSessionsOf } from '../sessions/sessions.ts'
import { unitOfWork } from '../unit-of-work.ts'
import { issueVerification } from '../verifications/verifications.ts'
import type { BatchError, SingleUse } from '../work.ts'
import { emailAndPasswordOptions } from './accounts.config.ts'
import { setPassword } from './accounts.store.ts'
import { proveAddress } from './prove-address.ts'

/** The tokens for a new password, as a kind of verification. */
export const resetKind = 'reset-password'

/**
 * Issues a token with which the user sets a new password.
 * @returns the token
 * @throws Fault if KV is unreachable
 */
export async function issueResetToken(
  scope: Scope,
  user: User,
  expiresIn = emailAndPasswordOptions.of(scope).resetPasswordTokenExpiresIn,
): Promise<string> {
  const token = randomString(24)
  await issueVerification(scope, resetKind, token, { user, expiresIn })
  return token
}

/**
 * Sets the password of a user who forgot it, and revokes their sessions, links and codes, in one batch with the use of
 * the link or code.
 * @param proof the kind of link or code: a mail also proves the address, which deletes all sign-in methods that were
 * added
 *   without that proof; a text message proves a number that is already proven
 * @throws `stale` if the proof was used before or the user has changed
 */
export async function resetForgottenPassword(
  scope: Scope,
  user: User,
  hash: string,
  { proof, use, stale }: { proof: 'mail' | 'text'; use: SingleUse; stale: BatchError },
): Promise<void> {
  const work = unitOfWork(scope, stale)
  work.use(use)
  const proven = proof === 'mail' ? proveAddress(scope, work, user) : user
  setPassword(scope, work, proven, hash)
  securityEvent(scope, work, { type: 'password-reset', user, method: proof })
  await work.commit(() => forgetSessionsOf(scope, user.id))
}
