import { equalSecrets, hmac } from '../../kit/hash.ts'
import { randomString } from '../../kit/random.ts'
import { days } from '../../kit/time.ts'
import { isOwnSession } from '../caller.ts'
import type { Proof } from '../lifecycle.ts'
import type { Scope } from '../scope.ts'
import type { User } from '../users/users.table.ts'

/**
 * Browsers in which somebody has signed in before. What strangers use up of the budgets of guesses at a name stops
 * nobody there: guesses from such a browser count by themselves. The cookie opens nothing and names nobody: it holds
 * an id and, for the people who signed in and their names, HMACs that are good for that id only. A name may pass to
 * somebody else, a username or a number that was only claimed: so whose it was then is asked as well.
 */
const cookie = 'known_device'
const lifetime = days(90)
/** About four people, and their names. */
const mostTags = 16
const prefix = 'known-device'

/** A person, whatever they are called. */
const asPerson = ({ id }: User): string => `user:${id}`

/** The name of whoever has an address. Those that features add (`names` of http/feature.ts) are never the same as one. */
export const nameByAddress = (email: string): string => email.toLowerCase()

interface Device {
  id: string
  tags: string[]
}

function readDevice(scope: Scope): Device | null {
  const [mark, id, tags, ...rest] = (scope.cookies.getSigned(cookie) ?? '').split('.')
  if (mark !== prefix || !id || tags === undefined || rest.length > 0) return null
  return { id, tags: tags.split('~').filter(Boolean) }
}

/** @param proven whether the account's address was: an account that passes to another owner forgets its devices */
const tagOf = (secret: string, id: string, name: string, proven: boolean) =>
  hmac(secret, `${prefix}:${id}:${proven ? 'proven' : 'claimed'}:${name}`)
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 22)

/** Somebody has signed in: the browser is known by their names from now on. */
export function rememberDevice(scope: Scope, user: User, proven: Proof): void {
  // Whoever acts as somebody else, or has been known before, adds nothing.
  if (proven === 'delegated' || proven === 'session') return
  const device = readDevice(scope)
  const id = device?.id ?? randomString(16)
  const names = [nameByAddress(user.email), ...scope.lifecycle.namesOf(user), asPerson(user)]
  const tags = names.map((name) => tagOf(scope.settings.secrets[0], id, name, user.emailVerified))
  const all = [...new Set([...tags, ...(device?.tags ?? [])])].slice(0, mostTags)
  scope.cookies.setSigned(cookie, [prefix, id, all.join('~')].join('.'), { maxAge: lifetime })
}

export interface KnownDevice {
  id: string
  /** Whether the address was proven when somebody signed in here. */
  proven: boolean
  /** Whether it is known for the account as it is now: not if the name, or the proof of its address, is new. */
  isKnownFor(user: User): boolean
}

/** This browser, if somebody has signed in here by that name; otherwise null. */
export function knownDevice(scope: Scope, name: string): KnownDevice | null {
  const device = readDevice(scope)
  if (!device) return null
  const { id, tags } = device
  const holds = (what: string, proven: boolean) =>
    scope.settings.secrets.some((secret) => tags.some((tag) => equalSecrets(tag, tagOf(secret, id, what, proven))))
  const proven = holds(name, true)
  if (!proven && !holds(name, false)) return null
  return {
    id,
    proven,
    isKnownFor: (user) => (proven || !user.emailVerified) && holds(asPerson(user), proven),
  }
}

/**
 * The budget of a recipient's own browsers or sessions, apart from that of strangers; null for a stranger. It is one an
 * account, however many browsers somebody signs in with: each for itself would multiply the guesses. Whoever only
 * claims the address has another one than its owner.
 * @param find whoever has the name
 * @param owns whether the recipient is that user
 */
export async function ownBrowser(
  scope: Scope,
  name: string,
  find: () => Promise<User | null>,
  owns: (user: User) => boolean,
): Promise<string | null> {
  const known = knownDevice(scope, name)
  const user = known && (await find())
  if (known && user && known.isKnownFor(user)) return known.proven ? 'device' : 'claimed'
  const caller = await scope.caller()
  return caller && isOwnSession(caller) && owns(caller.user) ? 'session' : null
}
