import { ChartColumn, ShieldAlert } from 'lucide-react'
import type { NavigationEntry } from '../../lib/navigation.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default [
  {
    group: 'admin',
    path: '/admin',
    label: defineTexts('navigation/admin', { label: 'Overview' }),
    icon: ChartColumn,
    on: 'admin',
    permission: { user: ['list'] },
    order: -1,
  },
  {
    group: 'admin',
    path: '/admin/threats',
    label: defineTexts('navigation/admin/threats', { label: 'Threats' }),
    icon: ShieldAlert,
    on: 'risk',
    permission: { session: ['list'] },
  },
] satisfies NavigationEntry[]
