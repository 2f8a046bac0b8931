import { inBackground, sendMailAfter } from '../../identity/messages/send.ts'
import type { User } from '../../identity/model/users.table.ts'
import { landingFor } from '../../identity/pages.ts'
import type { Scope } from '../../identity/scope.ts'
import type { SignInResult } from '../../identity/sign-in/sign-in.ts'
import { signInByAddress } from '../../identity/sign-in/sign-in-by-address.ts'
import { isUsed } from '../../identity/used-records.ts'
import { findUserByEmail } from '../../identity/users/users.store.ts'
import { mailedLink, markLinkRequest } from '../../identity/verifications/mailed-links.ts'
import { issueVerification, readVerification, speaksFor } from '../../identity/verifications/verifications.ts'
import { comparedAddress } from '../../kit/email-address.ts'
import { AppError, HookRefusal } from '../../kit/errors.ts'
import { alphabets, randomString } from '../../kit/random.ts'
import { magicLinkOptions } from './magic-link.config.ts'
import { magicLinkErrors as errors, type LinkRefusal } from './magic-link.errors.ts'
import { magicLinkMail, magicLinkMailKind } from './magic-link.mails.ts'

const kind = 'magic-link'

/** The record of a link. For an existing user it ends with the security version; for an unknown address it creates a user. */
interface LinkData {
  email: string
  name: string
}

/** Mails a link that signs in. @throws USER_NOT_FOUND where links create no users, except in the strict profile */
export async function sendMagicLink(
  scope: Scope,
  { email, name = '', callbackURL }: { email: string; name?: string | undefined; callbackURL?: string | undefined },
): Promise<void> {
  markLinkRequest(scope)
  const user = await findUserByEmail(scope.db, email)
  if (!user && magicLinkOptions.of(scope).disableSignUp) {
    if (scope.settings.profile === 'strict') return
    throw errors.USER_NOT_FOUND()
  }
  if (user?.emailIsPlaceholder) return
  await inBackground(scope, () => mailLink(scope, comparedAddress(email), name, user, callbackURL))
}

async function mailLink(scope: Scope, email: string, name: string, user: User | null, given?: string) {
  const { expiresIn } = magicLinkOptions.of(scope)
  const token = randomString(32, alphabets.letters)
  const make = async () => {
    await issueVerification<LinkData>(scope, kind, token, { user, expiresIn, email, name })
    const callbackURL = landingFor(scope, 'magicLink', given)
    const url = mailedLink(scope, '/magic-link/verify', { token, callbackURL })
    return magicLinkMail(scope, { name: user?.name, language: user?.language, email }, { url, expiresIn })
  }
  await sendMailAfter(scope, { to: email, kind: magicLinkMailKind, make })
}

/** Why a link cannot be used; null if it can. Does not use the link. A random token costs no query. */
export async function linkRefusal(scope: Scope, token: string): Promise<'EXPIRED_TOKEN' | 'INVALID_TOKEN' | null> {
  const read = await readVerification(scope, kind, token)
  if (read.kind === 'expired') return 'EXPIRED_TOKEN'
  return read.kind === 'invalid' || (await isUsed(scope, { kind, token })) ? 'INVALID_TOKEN' : null
}

export type FollowedLink =
  | { kind: 'followed'; result: SignInResult }
  | { kind: 'refused'; error: LinkRefusal | HookRefusal['code'] }

const keepsLink = (code: string): code is 'TOO_MANY_REQUESTS' | 'DISPOSABLE_EMAIL' =>
  code === 'TOO_MANY_REQUESTS' || code === 'DISPOSABLE_EMAIL'

const refused = (error: LinkRefusal | HookRefusal['code']): FollowedLink => ({ kind: 'refused', error })

/** Follows a link: of parallel clicks, one signs in. */
export async function followMagicLink(scope: Scope, token: string): Promise<FollowedLink> {
  const read = await readVerification<LinkData>(scope, kind, token)
  if (read.kind === 'expired') return refused('EXPIRED_TOKEN')
  if (read.kind === 'invalid') return refused('INVALID_TOKEN')
  const { data, expiresAt } = read
  const user = await findUserByEmail(scope.db, data.email)
  if (!speaksFor(data, user)) return refused('INVALID_TOKEN')
  if (!user && magicLinkOptions.of(scope).disableSignUp) return refused('new_user_signup_disabled')
  const late = new Error('the link was used, or another proof of the address was first')
  const proof = { ...data, method: 'magic-link', use: { kind, token, expiresAt }, stale: () => late } as const
  try {
    return { kind: 'followed', result: await signInByAddress(scope, user, proof) }
  } catch (thrown) {
    if (thrown === late) return refused('INVALID_TOKEN')
    if (!(thrown instanceof AppError)) throw thrown
    if (thrown instanceof HookRefusal) return refused(thrown.code)
    if (thrown.code === 'BANNED_USER') return refused('banned')
    // The link remains valid, because its use is in the batch of the user.
    if (!user && keepsLink(thrown.code)) return refused(thrown.code)
    return refused(user ? 'failed_to_create_session' : 'failed_to_create_user')
  }
}
