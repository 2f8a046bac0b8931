import {
  AtSign,
  Building2,
  KeyRound,
  KeySquare,
  Link2,
  LockKeyhole,
  type LucideIcon,
  Mail,
  MonitorSmartphone,
  Network,
  ShieldCheck,
  Smartphone,
  Trash2,
  UserRound,
  UsersRound,
} from 'lucide-react'
import type { FeatureSwitches, User } from '../lib/auth/endpoints.ts'
import type { Texts } from '../lib/texts/en.ts'

export interface SectionItem {
  path: string
  label(texts: Texts): string
  icon: LucideIcon
  /** Left out of the navigation unless it holds. The server decides what a person may do; this only tidies up. */
  when?(features: FeatureSwitches, user: User): boolean | undefined
}

export interface SectionGroup {
  id: string
  label(texts: Texts): string
  items: SectionItem[]
}

/** The navigation of the signed-in frame, in order. A group without an item that holds is not shown. */
export const sections: SectionGroup[] = [
  {
    id: 'account',
    label: (t) => t.account,
    items: [
      { path: '/account/profile', label: (t) => t.navigation.profile, icon: UserRound },
      { path: '/account/email', label: (t) => t.navigation.email, icon: AtSign },
      { path: '/account/phone', label: (t) => t.navigation.phone, icon: Smartphone, when: (on) => on.phoneNumber },
      { path: '/account/password', label: (t) => t.navigation.password, icon: KeyRound },
      { path: '/account/accounts', label: (t) => t.navigation.accounts, icon: Link2 },
      {
        path: '/account/two-factor',
        label: (t) => t.navigation.twoFactor,
        icon: LockKeyhole,
        when: (on) => on.twoFactor,
      },
      { path: '/account/sessions', label: (t) => t.navigation.sessions, icon: MonitorSmartphone },
      { path: '/account/delete', label: (t) => t.navigation.delete, icon: Trash2, when: (on) => on.deleteUser },
    ],
  },
  {
    id: 'organization',
    label: (t) => t.organization,
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
    ],
  },
]
