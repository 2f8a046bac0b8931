import type { Scope } from '../../identity/scope.ts'
import { basePath } from '../../identity/settings.ts'
import { completeSignIn, type SignInResult } from '../../identity/sign-in.ts'
import { proveAddress } from '../../identity/users/prove-address.ts'
import { findUserByEmail } from '../../identity/users/users.store.ts'
import type { User } from '../../identity/users/users.table.ts'
import { createUser } from '../../identity/users/users.ts'
import { AppError } from '../../kit/errors.ts'
import { alphabets, randomString } from '../../kit/random.ts'
import { after, inWords } from '../../kit/time.ts'
import { withQuery } from '../../kit/urls.ts'
import { composeMail } from '../../platform/mailer/layout.ts'
import { magicLinkOptions } from './magic-link.config.ts'
import { magicLinkErrors as errors, type LinkRefusal } from './magic-link.errors.ts'

const kind = 'magic-link'

/** Where the link leads when the caller named no place: the app's own screen. */
const landing = '/magic-link'

/** What a link stands for. Made for a user, it dies with their security version; made for nobody, it signs up. */
interface LinkData {
  email: string
  name: string
  userId: string | null
  securityVersion: number
}

/**
 * Mails a link that signs in.
 * @param name of the person who is created when nobody has the address
 * @throws USER_NOT_FOUND where nobody may sign up by link; not in the strict profile, which tells nobody
 */
export async function sendMagicLink(
  scope: Scope,
  { email, name = '', callbackURL }: { email: string; name?: string | undefined; callbackURL?: string | undefined },
): Promise<void> {
  const user = await findUserByEmail(scope.db, email)
  if (!user && magicLinkOptions.of(scope).disableSignUp) {
    if (scope.settings.profile === 'strict') return
    throw errors.USER_NOT_FOUND()
  }
  await scope.later(() => mailLink(scope, email.toLowerCase(), name, user, callbackURL || landing))
}

async function mailLink(scope: Scope, email: string, name: string, user: User | null, callbackURL: string) {
  const { expiresIn } = magicLinkOptions.of(scope)
  const { appName, baseUrl } = scope.settings
  const token = randomString(32, alphabets.letters)
  const data: LinkData = { email, name, userId: user?.id ?? null, securityVersion: user?.securityVersion ?? 0 }
  await scope.records.put(kind, token, {
    value: JSON.stringify(data),
    expiresAt: after(scope.now(), expiresIn).getTime(),
  })
  await scope.mail(
    composeMail({
      to: email,
      appName,
      subject: `Sign in to ${appName}`,
      heading: `Sign in to ${appName}`,
      paragraphs: [`Hello${user?.name ? ` ${user.name}` : ''},`, 'here is the link to sign in that you asked for.'],
      action: { label: 'Sign in', url: withQuery(`${baseUrl}${basePath}/magic-link/verify`, { token, callbackURL }) },
      note: `The link works once, for ${inWords(expiresIn)}. If it was not you, ignore this mail.`,
    }),
  )
}

export type FollowedLink = { kind: 'followed'; result: SignInResult } | { kind: 'refused'; error: LinkRefusal }

const refused = (error: LinkRefusal): FollowedLink => ({ kind: 'refused', error })

/** Follows a link: of any number of parallel clicks one signs in. */
export async function followMagicLink(scope: Scope, token: string): Promise<FollowedLink> {
  const taken = await scope.records.take(kind, token)
  if (taken.kind === 'expired') return refused('EXPIRED_TOKEN')
  if (taken.kind !== 'taken') return refused('INVALID_TOKEN')
  const { email, name, userId, securityVersion } = JSON.parse(taken.value) as LinkData

  let user = await findUserByEmail(scope.db, email)
  if (userId !== null && (user?.id !== userId || user.securityVersion !== securityVersion)) {
    return refused('INVALID_TOKEN')
  }
  if (!user) {
    if (magicLinkOptions.of(scope).disableSignUp) return refused('new_user_signup_disabled')
    user = await signUp(scope, email, name)
    if (!user) return refused('failed_to_create_user')
  }
  try {
    const proven = await proveAddress(scope, user)
    return { kind: 'followed', result: await completeSignIn(scope, { user: proven, method: 'magic-link' }) }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return refused(thrown.code === 'BANNED_USER' ? 'banned' : 'failed_to_create_session')
  }
}

/** The new person, or whoever got the address a moment before; null when a feature refuses them. */
async function signUp(scope: Scope, email: string, name: string): Promise<User | null> {
  try {
    return (
      (await createUser(scope, { email, name, emailVerified: true }, null)) ?? (await findUserByEmail(scope.db, email))
    )
  } catch (thrown) {
    if (thrown instanceof AppError) return null
    throw thrown
  }
}
