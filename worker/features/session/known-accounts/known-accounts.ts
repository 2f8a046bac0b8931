import * as z from 'zod'
import { methodAtProvider, type SessionMethod } from '../../../identity/model/method.ts'
import type { User } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import { readSessionToken } from '../../../identity/sessions/session-cookies.ts'
import { base64url } from '../../../kit/base64.ts'
import { connectionPrefix } from '../../../kit/connection-id.ts'
import { open, seal } from '../../../kit/encrypt.ts'
import { deriveKey } from '../../../kit/hash.ts'
import type { KnownAccount } from '../../../kit/known-account.ts'
import { randomString } from '../../../kit/random.ts'
import { days, ms } from '../../../kit/time.ts'
import { knownAccountsCookie } from './known-accounts.config.ts'
import { knownAccountsErrors as errors } from './known-accounts.errors.ts'

/**
 * The accounts that have signed in with this browser, in a sealed cookie (decision 360). It grants nothing: the sign-in that
 * starts with it needs the same proof. It is for our own origin alone, also where sessions are shared.
 */
const cookie = knownAccountsCookie
const lifetime = days(90)
export const maxAccounts = 5
/** Below the limit of browsers for one cookie, with its name and attributes. */
const maxLength = 3500

const stored = z.object({
  id: z.string(),
  userId: z.string(),
  /** What is shown of the name; '' without one. */
  name: z.string(),
  identifier: z.string(),
  method: z.string(),
  credentialId: z.string().nullable(),
  /** Epoch milliseconds of the last sign-in. */
  at: z.number(),
})
export type StoredAccount = z.infer<typeof stored>
/** Of the deployment at this address only. */
const list = z.object({ baseUrl: z.string(), accounts: z.array(stored).max(maxAccounts) })

/** Keys of their own, so that no other sealed text is a list. */
const keysOf = ({ settings: { secrets } }: Scope): string[] =>
  secrets.map((secret) => base64url(deriveKey(secret, 'known-accounts')))

/** A page of another origin, which may be trusted with sessions, receives and changes nothing. */
function isOwnPage({ request: { headers }, settings: { baseUrl } }: Scope): boolean {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const isNavigation = headers.get('sec-fetch-mode') === 'navigate'
  return (
    (origin === null || origin === new URL(baseUrl).origin) &&
    (site === null || site === 'same-origin' || site === 'none' || isNavigation)
  )
}

/** The list as the cookie has it; [] for a cookie that is not ours. */
async function readCookie(scope: Scope): Promise<StoredAccount[]> {
  const sealed = scope.response.cookies.get(cookie)
  if (!sealed || sealed.length > maxLength) return []
  try {
    const { baseUrl, accounts } = list.parse(JSON.parse(await open(keysOf(scope), sealed)))
    const oldest = scope.now().getTime() - ms(lifetime)
    return baseUrl !== scope.settings.baseUrl ? [] : accounts.filter(({ at }) => at > oldest)
  } catch {
    return []
  }
}

async function writeCookie(scope: Scope, accounts: StoredAccount[]): Promise<void> {
  const own = { sameSite: 'Lax', domain: undefined, atTopLevel: true } as const
  if (accounts.length === 0) return scope.response.cookies.set(cookie, '', { ...own, maxAge: 0 })
  const sealed = await seal(keysOf(scope), JSON.stringify({ baseUrl: scope.settings.baseUrl, accounts }))
  if (sealed.length > maxLength) return writeCookie(scope, accounts.slice(0, -1))
  scope.response.cookies.set(cookie, sealed, { ...own, maxAge: lifetime })
}

/** The first word of a name, at most 24 characters: the name of a user is not for other users of the device. */
function shortName(name: string): string {
  const [first = ''] = name.trim().split(/\s+/)
  return [...first].slice(0, 24).join('')
}

/** `olga@example.com`: `o•••@example.com`; `+4915112345678`: `•••78`; `olga`: `o•••`. */
function hintOf(identifier: string): string {
  if (identifier.startsWith('+')) return `•••${identifier.slice(-2)}`
  const at = identifier.lastIndexOf('@')
  return `${[...identifier][0]}•••${at < 0 ? '' : identifier.slice(at)}`
}

/** What the user has signed in with. */
function identifierOf(
  { email, emailIsPlaceholder, phoneNumber, username }: User,
  method: SessionMethod,
): string | null {
  if (method === 'username' && username) return username
  if ((method === 'phone-number' || method === 'phone-otp') && phoneNumber) return phoneNumber
  return emailIsPlaceholder ? (phoneNumber ?? username) : email
}

/** Puts an account at the head of the list. */
export async function rememberAccount(
  scope: Scope,
  user: User,
  method: SessionMethod,
  credentialId: string | null,
): Promise<void> {
  const identifier = identifierOf(user, method)
  const known = await readCookie(scope)
  const others = known.filter(({ userId }) => userId !== user.id)
  if (identifier === null) return
  const account: StoredAccount = {
    id: known.find(({ userId }) => userId === user.id)?.id ?? randomString(16),
    userId: user.id,
    name: shortName(user.name),
    identifier,
    method,
    // The browser asks for any passkey without the id of a very long one.
    credentialId: credentialId !== null && credentialId.length <= 128 ? credentialId : null,
    at: scope.now().getTime(),
  }
  await writeCookie(scope, [account, ...others].slice(0, maxAccounts))
}

/** Removes the account of a user. */
export async function forgetUser(scope: Scope, userId: string): Promise<void> {
  const known = await readCookie(scope)
  const left = known.filter((account) => account.userId !== userId)
  if (left.length < known.length) await writeCookie(scope, left)
}

/** A user of the list has a new name, address or number, or has been banned. */
export async function followUser(scope: Scope, user: User): Promise<void> {
  const known = await readCookie(scope)
  const account = known.find(({ userId }) => userId === user.id)
  if (!account) return
  if (user.banned) return forgetUser(scope, user.id)
  const identifier = identifierOf(user, account.method) ?? account.identifier
  const now = { ...account, name: shortName(user.name), identifier }
  await writeCookie(
    scope,
    known.map((each) => (each === account ? now : each)),
  )
}

const present = ({ id, name, identifier, method }: StoredAccount): KnownAccount => ({
  id,
  name: name || null,
  hint: hintOf(identifier),
  method: method.startsWith(connectionPrefix) ? 'sso' : method,
})

/** For a page of the sign-in without a session. */
export const knownAccounts = async (scope: Scope): Promise<KnownAccount[]> =>
  isOwnPage(scope) ? (await readCookie(scope)).map(present) : []

/** Without the account of the session. */
export async function listKnownAccounts(scope: Scope): Promise<KnownAccount[]> {
  const known = isOwnPage(scope) ? await readCookie(scope) : []
  const signedIn = known.length > 0 && readSessionToken(scope) !== null ? await scope.caller() : null
  return known.filter(({ userId }) => userId !== signedIn?.user.id).map(present)
}

/** @throws KNOWN_ACCOUNT_NOT_FOUND */
export async function chooseKnownAccount(scope: Scope, id: string) {
  const known = isOwnPage(scope) ? await readCookie(scope) : []
  const account = known.find((one) => one.id === id)
  if (!account) throw errors.KNOWN_ACCOUNT_NOT_FOUND()
  const { identifier, credentialId } = account
  return { identifier, method: methodAtProvider(present(account).method), credentialId }
}

/** Removes one account, or all of them. */
export async function forgetKnownAccounts(scope: Scope, id: string | undefined): Promise<void> {
  if (!isOwnPage(scope) || scope.response.cookies.get(cookie) === undefined) return
  await writeCookie(scope, id === undefined ? [] : (await readCookie(scope)).filter((account) => account.id !== id))
}
