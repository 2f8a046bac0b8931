import type { User } from '../../../identity/users/users.table.ts'
import { splitRoles } from '../../../kit/permissions.ts'
import { plainWords } from '../../../kit/plain-words.ts'

/** What mails call people and roles. */

const articles: Record<string, string> = { owner: 'an owner', admin: 'an admin', member: 'a member' }

/** Stored roles in a sentence: `an admin and a member`. */
export function namesOf(role: string): string {
  const names = splitRoles(role).map((name) => (Object.hasOwn(articles, name) ? articles[name]! : `“${name}”`))
  return new Intl.ListFormat('en').format(names)
}

/** Somebody's own name for themselves; not everybody has given one. */
export const personOf = ({ name }: Pick<User, 'name'>): string => plainWords(name) || 'Somebody'

export const greeting = ({ name }: Pick<User, 'name'>): string =>
  plainWords(name) ? `Hello ${plainWords(name)},` : 'Hello,'

/** With the address, if it is known to be theirs: `Alice (alice@example.com)`. */
export const personWithAddress = (person: Pick<User, 'name' | 'email' | 'emailVerified'>): string =>
  person.emailVerified ? `${personOf(person)} (${person.email})` : personOf(person)
