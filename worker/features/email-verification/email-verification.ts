import { isOwnSession } from '../../identity/caller.ts'
import { recordUser } from '../../identity/events/record.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { refreshSessionCookies } from '../../identity/sessions/sessions.ts'
import { emailVerificationOptions } from '../../identity/settings.ts'
import { finishChange } from '../../identity/users/address-changes.ts'
import { confirmAddress } from '../../identity/users/confirm-address.ts'
import { findUserByEmail } from '../../identity/users/users.store.ts'
import type { User } from '../../identity/users/users.table.ts'
import { userChanged } from '../../identity/users/users.ts'
import {
  mailVerification,
  newAddressStatements,
  verificationMailTask,
} from '../../identity/verifications/email-mails.ts'
import { readVerificationToken, type VerificationClaims } from '../../identity/verifications/email-token.ts'
import type { AppErrorKind } from '../../kit/errors.ts'
import { isUniqueViolation } from '../../platform/database.ts'
import { isUnmetDemand, runBatch } from '../../platform/statements.ts'
import { emailVerificationErrors as errors } from './email-verification.errors.ts'
import { moveAddress } from './email-verification.store.ts'

/**
 * Sends the verification mail again. Nothing is sent to an address that is verified.
 * @throws VERIFICATION_EMAIL_ISNT_ENABLED; USER_NOT_FOUND, but not in the strict profile, which tells nobody
 */
export async function resendVerification(scope: Scope, email: string, callbackURL?: string): Promise<void> {
  if (!emailVerificationOptions.of(scope).enabled) throw errors.VERIFICATION_EMAIL_ISNT_ENABLED()
  const user = await findUserByEmail(scope.db, email)
  if (!user) {
    if (scope.settings.profile === 'strict') return
    throw errors.USER_NOT_FOUND()
  }
  if (!user.emailVerified && !user.emailIsPlaceholder) await mailVerification(scope, user, callbackURL)
}

/** How a verification link ended. `user` is set after a change of address. */
export type Verified = { kind: 'verified'; user: User | null } | { kind: 'refused'; error: AppErrorKind }

const refused = (error: AppErrorKind): Verified => ({ kind: 'refused', error })

/** Follows a verification link: verifies the address, or changes it. One that is followed again is still right. */
export async function verifyEmail(scope: Scope, token: string, callbackURL?: string): Promise<Verified> {
  const claims = await readVerificationToken(scope, token)
  if (claims === 'expired') return refused(errors.TOKEN_EXPIRED)
  if (claims === 'invalid') return refused(errors.INVALID_TOKEN)
  if (claims.updateTo !== undefined) return followChange(scope, { ...claims, updateTo: claims.updateTo }, callbackURL)
  const user = await findUserByEmail(scope.db, claims.email)
  if (!user || user.id !== claims.userId) return refused(errors.TOKEN_USER_NOT_FOUND)
  if (user.emailVerified) return { kind: 'verified', user: null }
  if (user.securityVersion !== claims.securityVersion) return refused(errors.INVALID_TOKEN)
  const confirmed = await confirmAddress(scope, user, { by: 'link' })
  if (!confirmed && !(await findUserByEmail(scope.db, claims.email))?.emailVerified)
    return refused(errors.INVALID_TOKEN)
  return { kind: 'verified', user: null }
}

/**
 * Follows the link of a change of address, in a browser where its user is signed in. The link that was mailed to the
 * address in force moves the user to the new one, which is not verified yet. In the strict profile the new address is
 * taken only when a link was followed there: an answer would tell whether somebody has it.
 */
async function followChange(
  scope: Scope,
  claims: VerificationClaims & { updateTo: string },
  callbackURL?: string,
): Promise<Verified> {
  const caller = await scope.caller()
  if (!caller || !isOwnSession(caller) || caller.user.id !== claims.userId) return refused(errors.UNAUTHORIZED)
  if (caller.user.email === claims.updateTo && caller.user.emailVerified) return { kind: 'verified', user: caller.user }
  if (caller.user.email !== claims.email) return refused(errors.UNAUTHORIZED)
  const { updateTo, changeId } = claims
  if (caller.user.securityVersion !== claims.securityVersion || !changeId) return refused(errors.INVALID_TOKEN)
  const change = { email: updateTo, id: changeId }
  if (claims.provesNew) return changeAddress(scope, caller, change, { verified: true })
  if (scope.settings.profile !== 'strict') return changeAddress(scope, caller, change, { callbackURL })
  try {
    await runBatch(scope.db, await newAddressStatements(scope, caller.user, updateTo, callbackURL, changeId))
  } catch (thrown) {
    if (isUnmetDemand(thrown)) return refused(errors.INVALID_TOKEN)
    throw thrown
  }
  return { kind: 'verified', user: caller.user }
}

async function changeAddress(
  scope: Scope,
  caller: Caller,
  { email, id }: { email: string; id: string },
  { verified = false, callbackURL }: { verified?: boolean; callbackURL?: string | undefined },
): Promise<Verified> {
  const moved: User = {
    ...caller.user,
    email,
    emailVerified: verified,
    emailIsPlaceholder: false,
    securityVersion: caller.user.securityVersion + 1,
    updatedAt: scope.now(),
  }
  const mail = verified ? [] : await verificationMailTask(scope, moved, callbackURL)
  try {
    await runBatch(scope.db, [
      ...finishChange(scope, moved.id, id),
      ...moveAddress(scope.db, caller.user, moved),
      ...recordUser(scope, 'user.updated', moved.id),
      ...mail,
    ])
  } catch (thrown) {
    // The change was cancelled or replaced, or somebody else has taken the address since, or this one is not theirs any more.
    if (isUniqueViolation(thrown) || isUnmetDemand(thrown)) return refused(errors.INVALID_TOKEN)
    throw thrown
  }
  refreshSessionCookies(scope, caller, moved)
  await userChanged(scope, moved)
  return { kind: 'verified', user: moved }
}
