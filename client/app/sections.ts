import {
  AppWindow,
  Blocks,
  Building2,
  CreditCard,
  KeySquare,
  LockKeyhole,
  type LucideIcon,
  Mail,
  Network,
  ScrollText,
  ShieldCheck,
  UserCog,
  UserRound,
  UsersRound,
} from 'lucide-react'
import type { FeatureSwitches, User } from '../lib/auth/endpoints.ts'
import { administersAnything, administratorMay, type Permissions, type Roles } from '../lib/permissions.ts'
import type { Texts } from '../lib/texts/en.ts'

export interface SectionItem {
  path: string
  label(texts: Texts): string
  icon: LucideIcon
  /** Left out of the navigation unless it holds. The server decides what a person may do; this only tidies up. */
  when?(features: FeatureSwitches, user: User, rolesOfAll: Roles): boolean | undefined
}

export interface SectionGroup {
  id: string
  label(texts: Texts): string
  /** Only for those who are in an organization. */
  ofOrganization?: boolean
  items: SectionItem[]
}

/** For those whose role in the whole application allows it. */
const forAdministrators =
  (wanted: Permissions): NonNullable<SectionItem['when']> =>
  (on, { role }, rolesOfAll) =>
    on.admin && administersAnything(rolesOfAll, role ?? '') && administratorMay(rolesOfAll, role ?? '', wanted)

/** The navigation of the signed-in frame, in order. A group without an item that holds is not shown. */
export const sections: SectionGroup[] = [
  {
    id: 'account',
    label: (t) => t.account,
    items: [
      { path: '/account/profile', label: (t) => t.navigation.profile, icon: UserRound },
      { path: '/account/security', label: (t) => t.navigation.security, icon: LockKeyhole },
      {
        path: '/account/connections',
        label: (t) => t.navigation.connections,
        icon: AppWindow,
        when: (on) => on.identityProvider,
      },
      { path: '/account/billing', label: (t) => t.navigation.billing, icon: CreditCard, when: (on) => on.billing },
    ],
  },
  {
    id: 'organization',
    label: (t) => t.organization,
    ofOrganization: true,
    items: [
      {
        path: '/organization/settings',
        label: (t) => t.navigation.organizationSettings,
        icon: Building2,
        when: (on) => on.organization,
      },
      {
        path: '/organization/members',
        label: (t) => t.navigation.members,
        icon: UsersRound,
        when: (on) => on.organization,
      },
      {
        path: '/organization/invitations',
        label: (t) => t.navigation.invitations,
        icon: Mail,
        when: (on) => on.organization,
      },
      { path: '/organization/teams', label: (t) => t.navigation.teams, icon: Network, when: (on) => on.teams },
      {
        path: '/organization/roles',
        label: (t) => t.navigation.roles,
        icon: ShieldCheck,
        when: (on) => on.organization,
      },
    ],
  },
  {
    id: 'developers',
    label: (t) => t.developers,
    items: [
      { path: '/developers/api-keys', label: (t) => t.navigation.apiKeys, icon: KeySquare, when: (on) => on.apiKey },
      {
        path: '/developers/clients',
        label: (t) => t.navigation.oauthClients,
        icon: Blocks,
        when: (on) => on.identityProvider,
      },
    ],
  },
  {
    id: 'admin',
    label: (t) => t.administration,
    items: [
      {
        path: '/admin/users',
        label: (t) => t.navigation.users,
        icon: UserCog,
        when: forAdministrators({ user: ['list'] }),
      },
      {
        path: '/admin/audit',
        label: (t) => t.navigation.audit,
        icon: ScrollText,
        when: forAdministrators({ audit: ['list'] }),
      },
    ],
  },
]
