import { mayDo, type Roles } from '../../worker/kit/permissions.ts'
import type { FeatureSwitches, User } from '../lib/auth/endpoints.ts'
import type { NavigationEntry } from '../lib/navigation.ts'
import { administersAnything, administratorMay } from '../lib/permissions.ts'
import type { Texts } from '../lib/texts/texts.ts'
import { ofPages } from '../pages/account-pages.ts'

export const groups: { id: NavigationEntry['group']; label(texts: Texts): string }[] = [
  { id: 'account', label: (t) => t.account },
  { id: 'organization', label: (t) => t.organization },
  { id: 'developers', label: (t) => t.developers },
  { id: 'admin', label: (t) => t.administration },
]

const ofFeatures = import.meta.glob<NavigationEntry[]>('../features/*/navigation.ts', {
  eager: true,
  import: 'default',
})

const entries = [...ofPages, ...Object.values(ofFeatures).flat()].sort(({ order: a = 0 }, { order: b = 0 }) => a - b)

/** The roles of a member of the active organization; null while they are unknown. */
export interface Membership {
  role: string
  roles: Roles
}

/** The entries that a user sees. The server decides what they may do. */
export const entriesFor = (
  features: FeatureSwitches,
  { role }: User,
  roles: Roles,
  member: Membership | null,
): NavigationEntry[] =>
  entries.filter(
    ({ on, permission, memberPermission }) =>
      [on ?? []].flat().every((name) => features[name]) &&
      (!memberPermission || (member !== null && mayDo(member.roles, member.role, memberPermission))) &&
      (!permission || (administersAnything(roles, role ?? '') && administratorMay(roles, role ?? '', permission))),
  )
