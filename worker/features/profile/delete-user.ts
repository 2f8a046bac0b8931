import { findPasswordHash } from '../../identity/accounts/accounts.store.ts'
import { confirmPassword } from '../../identity/accounts/passwords.ts'
import { removeUser } from '../../identity/accounts/users.ts'
import { sendMailAfter } from '../../identity/messages/send.ts'
import type { User } from '../../identity/model/users.table.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { clearSessionCookies } from '../../identity/sessions/session-cookies.ts'
import { forgetSessionsOf, isFresh } from '../../identity/sessions/sessions.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { userOptions } from '../../identity/users/users.config.ts'
import { mailedLink } from '../../identity/verifications/mailed-links.ts'
import { issueVerification, readVerification, speaksFor } from '../../identity/verifications/verifications.ts'
import type { SingleUse } from '../../identity/work.ts'
import { alphabets, randomString } from '../../kit/random.ts'
import { profileErrors as errors } from './profile.errors.ts'
import { deletionMail, deletionMailKind } from './profile.mails.ts'

const kind = 'delete-account'

/** The result of a deletion request. */
export type Deletion = 'User deleted' | 'Verification email sent'

/** Deletes the caller, who shows a mailed token, gives the password or signed in recently; by option only the token. */
export async function deleteCaller(
  scope: Scope,
  caller: Caller,
  proof: { password?: string | undefined; token?: string | undefined; callbackURL?: string | undefined },
): Promise<Deletion> {
  const { enabled, sendDeleteAccountVerification } = userOptions.of(scope).deleteUser
  // A placeholder address receives no mail, so its user could not delete the account by mail.
  const byMail = sendDeleteAccountVerification && !caller.user.emailIsPlaceholder
  if (!enabled) throw errors.NOT_FOUND()
  if (proof.token !== undefined) {
    return remove(scope, caller.user, await tokenUse(scope, caller, proof.token))
  }
  if (proof.password !== undefined) {
    await confirmPassword(scope, caller.user, proof.password)
  } else if (byMail) {
    const hasPassword = (await findPasswordHash(scope.db, caller.user.id)) !== null
    if (hasPassword) throw errors.USER_ALREADY_HAS_A_PASSWORD_PROVIDE_THAT_TO_DELETE_THE_ACCOUNT()
  } else if (!isFresh(scope, caller.session)) {
    const hasPassword = (await findPasswordHash(scope.db, caller.user.id)) !== null
    throw hasPassword
      ? errors.USER_CANNOT_BE_DELETED_PLEASE_PROVIDE_A_PASSWORD_OR_TOKEN()
      : errors.SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION()
  }
  if (!byMail) return remove(scope, caller.user)
  await mailDeletionLink(scope, caller.user, proof.callbackURL)
  return 'Verification email sent'
}

/** Does not use the link of a deletion mail. @throws its error if it cannot be used */
export async function checkDeletion(scope: Scope, token: string): Promise<void> {
  await openDeletion(scope, token)
}

/** Follows the link of a deletion mail. */
export async function confirmDeletion(scope: Scope, token: string): Promise<Deletion> {
  const { user, use } = await openDeletion(scope, token)
  return remove(scope, user, use)
}

/**
 * Reads the link of a deletion mail, in a browser where its user is signed in.
 * @throws NOT_FOUND, FAILED_TO_GET_USER_INFO, INVALID_TOKEN
 */
async function openDeletion(scope: Scope, token: string): Promise<{ user: User; use: SingleUse }> {
  if (!userOptions.of(scope).deleteUser.enabled) throw errors.NOT_FOUND()
  const caller = await scope.caller()
  if (!caller) throw errors.FAILED_TO_GET_USER_INFO()
  return { user: caller.user, use: await tokenUse(scope, caller, token) }
}

/** The name contains the user id, so that a call of another user cannot use the token. */
const tokenName = (user: User, token: string) => `${user.id}:${token}`

/** The use of the token, for the batch of the deletion. @throws INVALID_TOKEN */
async function tokenUse(scope: Scope, { user }: Caller, token: string): Promise<SingleUse> {
  const name = tokenName(user, token)
  const read = await readVerification(scope, kind, name)
  if (read.kind !== 'valid' || !speaksFor(read.data, user)) throw errors.INVALID_TOKEN()
  return { kind, token: name, expiresAt: read.expiresAt }
}

async function remove(scope: Scope, user: User, use?: SingleUse): Promise<Deletion> {
  const work = unitOfWork(scope)
  if (use) work.use(use, errors.INVALID_TOKEN)
  await removeUser(scope, user, work)
  forgetSessionsOf(scope, user.id)
  clearSessionCookies(scope)
  return 'User deleted'
}

async function mailDeletionLink(scope: Scope, user: User, callbackURL = '/'): Promise<void> {
  const { deleteTokenExpiresIn: expiresIn } = userOptions.of(scope).deleteUser
  const token = randomString(32, alphabets.lowerAndDigits)
  const make = async () => {
    await issueVerification(scope, kind, tokenName(user, token), { user, expiresIn })
    const url = mailedLink(scope, '/delete-user/callback', { token, callbackURL })
    return deletionMail(scope, user, { url, expiresIn })
  }
  await sendMailAfter(scope, { to: user.email, kind: deletionMailKind, make })
}
