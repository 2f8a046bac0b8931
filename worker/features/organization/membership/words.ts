import type { User } from '../../../identity/users/users.table.ts'
import type { InEachLanguage, Language } from '../../../kit/language.ts'
import { splitRoles } from '../../../kit/permissions.ts'
import { plainWords } from '../../../kit/plain-words.ts'

/** What mails call people and roles. */

const words: InEachLanguage<{ roles: Record<string, string>; quoted(role: string): string; somebody: string }> = {
  en: {
    roles: { owner: 'an owner', admin: 'an admin', member: 'a member' },
    quoted: (role) => `“${role}”`,
    somebody: 'Someone',
  },
  de: {
    roles: { owner: 'Inhaber/in', admin: 'Admin', member: 'Mitglied' },
    quoted: (role) => `„${role}“`,
    somebody: 'Jemand',
  },
}

/** Stored roles in a sentence: `an admin and a member`, `Admin und Mitglied`. */
export function namesOf(role: string, language: Language): string {
  const { roles, quoted } = words[language]
  const names = splitRoles(role).map((name) => (Object.hasOwn(roles, name) ? roles[name]! : quoted(name)))
  return new Intl.ListFormat(language).format(names)
}

/** Somebody's own name for themselves; not everybody has given one. */
export const personOf = ({ name }: Pick<User, 'name'>, language: Language): string =>
  plainWords(name) || words[language].somebody

/** Somebody's address, where it is known to be theirs. */
export const addressOf = ({ email, emailVerified }: Pick<User, 'email' | 'emailVerified'>): string | null =>
  emailVerified ? email : null

/** `Alice (alice@example.com)`, or the name alone. */
export const withAddress = (name: string, address: string | null): string =>
  address === null ? name : `${name} (${address})`
