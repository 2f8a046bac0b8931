import type { MessageScope } from '../../../identity/messages/compose.ts'
import type { User } from '../../../identity/model/users.table.ts'
import type { Language } from '../../../kit/language.ts'
import { splitRoles } from '../../../kit/permissions.ts'
import { plainWords } from '../../../kit/plain-words.ts'
import { defineTexts, fill } from '../../../kit/texts.ts'
import { textsIn } from '../../../languages/texts.ts'

/** Names of users and roles in mails. */

const words = defineTexts('mail/names', {
  roles: { owner: 'an owner', admin: 'an admin', member: 'a member' } as Record<string, string>,
  quoted: '“{role}”',
  unnamed: 'Someone',
})

/** Stored roles in a sentence: `an admin and a member`, `Admin und Mitglied`. */
export function roleNamesOf({ shared: { brand } }: MessageScope, role: string, language: Language): string {
  const { roles, quoted } = textsIn(words, language, brand.texts)
  const names = splitRoles(role).map((name) =>
    Object.hasOwn(roles, name) ? roles[name]! : fill(quoted, { role: name }, language),
  )
  return new Intl.ListFormat(language).format(names)
}

/** The name of a user, or a placeholder for a user without one. */
export const personOf = (
  { shared: { brand } }: MessageScope,
  { name }: Pick<User, 'name'>,
  language: Language,
): string => plainWords(name) || textsIn(words, language, brand.texts).unnamed

/** The address of a user, if it is verified. */
export const verifiedAddressOf = ({ email, emailVerified }: Pick<User, 'email' | 'emailVerified'>): string | null =>
  emailVerified ? email : null

/** `Alice (alice@example.com)`, or only the name. */
export const withAddress = (name: string, address: string | null): string =>
  address === null ? name : `${name} (${address})`
