import { emailVerificationOptions } from '../../../identity/accounts/accounts.config.ts'
import { finishChange } from '../../../identity/accounts/address-changes.ts'
import { recordAddressChange } from '../../../identity/accounts/address-reverts.ts'
import { addVerificationMail, mailNewAddress, mailVerification } from '../../../identity/accounts/email-mails.ts'
import { readVerificationToken, type VerificationClaims } from '../../../identity/accounts/email-token.ts'
import { isOwnSession } from '../../../identity/caller.ts'
import type { User } from '../../../identity/model/users.table.ts'
import type { Caller, Scope } from '../../../identity/scope.ts'
import { refreshSessionCookies } from '../../../identity/sessions/sessions.ts'
import { confirmAddress } from '../../../identity/sign-in/confirm-address.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { announceUser } from '../../../identity/users/announce.ts'
import { findUserByEmail } from '../../../identity/users/users.store.ts'
import { markLinkRequest } from '../../../identity/verifications/mailed-links.ts'
import type { Work } from '../../../identity/work.ts'
import type { AppErrorKind } from '../../../kit/errors.ts'
import { emailVerificationErrors as errors } from './email-verification.errors.ts'
import { isAddressOf, moveAddress } from './email-verification.store.ts'

/** Sends the verification mail again, except to a verified address. The strict profile hides USER_NOT_FOUND. */
export async function resendVerification(scope: Scope, email: string, callbackURL?: string): Promise<void> {
  if (!emailVerificationOptions.of(scope).enabled) throw errors.VERIFICATION_EMAIL_ISNT_ENABLED()
  markLinkRequest(scope)
  const user = await findUserByEmail(scope.db, email)
  if (!user) {
    if (scope.settings.profile === 'strict') return
    throw errors.USER_NOT_FOUND()
  }
  if (!user.emailVerified && !user.emailIsPlaceholder) await mailVerification(scope, user, callbackURL)
}

/** The outcome of a verification link. `user` is set after a change of address. */
export type VerifiedEmail = { kind: 'verified'; user: User | null } | { kind: 'refused'; error: AppErrorKind }

/** A link that can be used. */
type Usable = { kind: 'confirm-address'; user: User } | { kind: 'change-address'; caller: Caller; claims: Change }

type Change = VerificationClaims & { updateTo: string; changeId: string }

const refused = (error: AppErrorKind): VerifiedEmail => ({ kind: 'refused', error })

/** Reads a verification link without its effect: the outcome, if the link is not valid here or has had its effect. */
export async function openVerification(scope: Scope, token: string): Promise<VerifiedEmail | Usable> {
  const claims = await readVerificationToken(scope, token)
  if (claims === 'expired') return refused(errors.TOKEN_EXPIRED)
  if (claims === 'invalid') return refused(errors.INVALID_TOKEN)
  if (claims.updateTo !== undefined) return openChange(scope, { ...claims, updateTo: claims.updateTo })
  const user = await findUserByEmail(scope.db, claims.email)
  if (!user || user.id !== claims.userId) return refused(errors.TOKEN_USER_NOT_FOUND)
  if (user.emailVerified) return { kind: 'verified', user: null }
  if (user.securityVersion !== claims.securityVersion) return refused(errors.INVALID_TOKEN)
  return { kind: 'confirm-address', user }
}

/** The link of a change of address works in a browser where the user is signed in. */
async function openChange(
  scope: Scope,
  { changeId, ...claims }: VerificationClaims & { updateTo: string },
): Promise<VerifiedEmail | Usable> {
  const caller = await scope.caller()
  if (!caller || !isOwnSession(caller) || caller.user.id !== claims.userId) return refused(errors.UNAUTHORIZED)
  if (caller.user.email === claims.updateTo && caller.user.emailVerified) return { kind: 'verified', user: caller.user }
  // The address has changed, by this link or otherwise.
  if (caller.user.email !== claims.email) return refused(errors.INVALID_TOKEN)
  if (caller.user.securityVersion !== claims.securityVersion || !changeId) return refused(errors.INVALID_TOKEN)
  return { kind: 'change-address', caller, claims: { ...claims, changeId } }
}

/** Follows a verification link: verifies the address, or changes it. A second use of the link succeeds too. */
export async function verifyEmail(scope: Scope, token: string, callbackURL?: string): Promise<VerifiedEmail> {
  const opened = await openVerification(scope, token)
  switch (opened.kind) {
    case 'confirm-address':
      return confirm(scope, opened.user)
    case 'change-address':
      return followChange(scope, opened.caller, opened.claims, callbackURL)
    default:
      return opened
  }
}

async function confirm(scope: Scope, user: User): Promise<VerifiedEmail> {
  const late = new Error('verified or changed in the meantime')
  try {
    await confirmAddress(scope, user, { by: 'link', stale: () => late })
  } catch (thrown) {
    if (thrown !== late) throw thrown
    if (!(await findUserByEmail(scope.db, user.email))?.emailVerified) return refused(errors.INVALID_TOKEN)
  }
  return { kind: 'verified', user: null }
}

/**
 * Follows the link of a change of address. The link in the current mailbox sets the new address, which is not verified yet.
 * The strict profile sets it only with the link in the new mailbox: the response would reveal whether another user has the
 * address.
 */
async function followChange(
  scope: Scope,
  caller: Caller,
  claims: Change,
  callbackURL?: string,
): Promise<VerifiedEmail> {
  const { updateTo, changeId } = claims
  const change = { email: updateTo, id: changeId }
  if (claims.provesNew) return changeAddress(scope, caller, change, { verified: true })
  if (scope.settings.profile !== 'strict') return changeAddress(scope, caller, change, { callbackURL })
  const work = unitOfWork(scope, () => late)
  await mailNewAddress(scope, work, caller.user, updateTo, callbackURL, changeId)
  return finish(work, caller.user)
}

async function changeAddress(
  scope: Scope,
  caller: Caller,
  { email, id }: { email: string; id: string },
  { verified = false, callbackURL }: { verified?: boolean; callbackURL?: string | undefined },
): Promise<VerifiedEmail> {
  const moved: User = {
    ...caller.user,
    email,
    emailVerified: verified,
    addressVouchedBy: null,
    emailIsPlaceholder: false,
    securityVersion: caller.user.securityVersion + 1,
    updatedAt: scope.now(),
  }
  const work = unitOfWork(scope, () => late)
  finishChange(scope, work, moved.id, id)
  work.require(isAddressOf(caller.user))
  work.run(moveAddress(scope.db, moved))
  announceUser(scope, work, 'user.updated', moved.id, moved)
  recordAddressChange(scope, work, caller.user, caller.session.id)
  if (!verified) await addVerificationMail(scope, work, moved, callbackURL)
  // Another user has taken the new address.
  work.unique('*', () => late)
  return finish(work, moved, () => refreshSessionCookies(scope, caller, moved))
}

/** The change was cancelled or replaced in the meantime, or the old address is no longer the user's. */
const late = new Error('the change of address is no longer pending')

async function finish(work: Work, user: User, then?: () => void): Promise<VerifiedEmail> {
  try {
    await work.commit(then)
    return { kind: 'verified', user }
  } catch (thrown) {
    if (thrown === late) return refused(errors.INVALID_TOKEN)
    throw thrown
  }
}
