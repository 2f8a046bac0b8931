import { comparedAddress } from '../../kit/email-address.ts'
import { deriveKey, equalSecrets, hmac } from '../../kit/hash.ts'
import { randomString } from '../../kit/random.ts'
import { days } from '../../kit/time.ts'
import { isOwnSession } from '../caller.ts'
import type { Proof } from '../lifecycle.ts'
import type { User } from '../model/users.table.ts'
import { namesOf } from '../registry.ts'
import type { Scope } from '../scope.ts'

/**
 * Browsers in which a user has signed in before. Guesses from such a browser have a separate budget, so attackers who
 * use up the budget of a name do not block it. The cookie grants no access and contains no names: it contains an id
 * and, for the users who signed in and their names, HMACs that are valid for that id only. A username or a number that
 * was only claimed may pass to another user, so the check also covers the user who had the name then. The tags of a
 * user carry the security version: a change or a reset of the password invalidates them.
 */
const cookie = 'known_device'
const lifetime = days(90)
/** About four users and their names. */
const maxTags = 16
const prefix = 'known-device'

/** A user, independent of their names, until the password changes or all sessions end for another reason. */
const nameByVersion = ({ id, securityVersion }: User): string => `user:${id}:${securityVersion}`

/** The name of the user of an address. Names that features add (`names` of http/feature.ts) never equal an address. */
export const nameByAddress = (email: string): string => comparedAddress(email)

interface Device {
  id: string
  tags: string[]
}

function readDevice(scope: Scope): Device | null {
  const [mark, id, tags, ...rest] = (scope.response.cookies.getSigned(cookie) ?? '').split('.')
  if (mark !== prefix || !id || tags === undefined || rest.length > 0) return null
  return { id, tags: tags.split('~').filter(Boolean) }
}

/**
 * @param proven whether the account's address was proven: an account that passes to another owner loses its known
 * devices
 */
const tagOf = (secret: string, id: string, name: string, proven: boolean) =>
  hmac(deriveKey(secret, 'known-device'), `${prefix}:${id}:${proven ? 'proven' : 'claimed'}:${name}`)
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 22)

/** Stores the names of a user who has signed in, which makes the browser a known device. */
export function rememberDevice(scope: Scope, user: User, proven: Proof): void {
  // An impersonation or an existing session adds no names.
  if (proven === 'delegated' || proven === 'session') return
  const device = readDevice(scope)
  const id = device?.id ?? randomString(16)
  const names = [nameByAddress(user.email), ...namesOf(scope, user), nameByVersion(user)]
  const tags = names.map((name) => tagOf(scope.settings.secrets[0], id, name, user.emailVerified))
  const all = [...new Set([...tags, ...(device?.tags ?? [])])].slice(0, maxTags)
  scope.response.cookies.setSigned(cookie, [prefix, id, all.join('~')].join('.'), { maxAge: lifetime })
}

export interface KnownDevice {
  /** Whether the address was proven at the sign-in in this browser. */
  proven: boolean
  /**
   * Whether the browser is known for the current account: not if the name, its proof or the security version is new.
   */
  isKnownFor(user: User): boolean
}

/** Returns this browser if a user has signed in here with that name; otherwise null. */
export function knownDevice(scope: Scope, name: string): KnownDevice | null {
  const device = readDevice(scope)
  if (!device) return null
  const { id, tags } = device
  const holds = (what: string, proven: boolean) =>
    scope.settings.secrets.some((secret) => tags.some((tag) => equalSecrets(tag, tagOf(secret, id, what, proven))))
  const proven = holds(name, true)
  if (!proven && !holds(name, false)) return null
  return {
    proven,
    isKnownFor: (user) => (proven || !user.emailVerified) && holds(nameByVersion(user), proven),
  }
}

/**
 * Returns the budget of a recipient's own browsers or sessions, separate from that of all other browsers; null for
 * another browser. All browsers of an account share one budget, because a budget per browser would multiply the
 * guesses. A user who only claims the address has a different budget from its owner.
 * @param find returns the user who has the name
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
