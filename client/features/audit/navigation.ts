import { ScrollText } from 'lucide-react'
import type { NavigationEntry } from '../../lib/navigation.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default [
  {
    group: 'organization',
    path: '/organization/audit',
    label: defineTexts('navigation/organization/audit', { label: 'Audit log' }),
    icon: ScrollText,
    on: 'audit',
    memberPermission: { audit: ['read'] },
    order: 1,
  },
] satisfies NavigationEntry[]
