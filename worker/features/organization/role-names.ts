import { splitRoles } from '../../kit/permissions.ts'

const articles: Record<string, string> = { owner: 'an owner', admin: 'an admin', member: 'a member' }

/** Stored roles in a sentence: `an admin and a member`. */
export function namesOf(role: string): string {
  const names = splitRoles(role).map((name) => (Object.hasOwn(articles, name) ? articles[name]! : `“${name}”`))
  return new Intl.ListFormat('en').format(names)
}
