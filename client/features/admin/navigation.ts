import { Building, ScrollText, ShieldAlert, UserCog } from 'lucide-react'
import type { NavigationEntry } from '../../lib/navigation.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default [
  {
    group: 'admin',
    path: '/admin/users',
    label: defineTexts('navigation/admin/users', { label: 'Users' }),
    icon: UserCog,
    on: 'admin',
    permission: { user: ['list'] },
  },
  {
    group: 'admin',
    path: '/admin/organizations',
    label: defineTexts('navigation/admin/organizations', { label: 'Organizations' }),
    icon: Building,
    on: 'organization',
    permission: { organization: ['list'] },
  },
  {
    group: 'admin',
    path: '/admin/events',
    label: defineTexts('navigation/admin/events', { label: 'Security events' }),
    icon: ShieldAlert,
    on: 'admin',
    permission: { session: ['list'] },
  },
  {
    group: 'admin',
    path: '/admin/audit',
    label: defineTexts('navigation/admin/audit', { label: 'Audit log' }),
    icon: ScrollText,
    on: 'admin',
    permission: { audit: ['list'] },
  },
] satisfies NavigationEntry[]
