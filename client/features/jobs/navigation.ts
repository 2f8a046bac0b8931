import { MailWarning } from 'lucide-react'
import type { NavigationEntry } from '../../lib/navigation.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default [
  {
    group: 'admin',
    path: '/admin/undelivered',
    label: defineTexts('navigation/admin/undelivered', { label: 'Undelivered' }),
    icon: MailWarning,
    on: 'admin',
    permission: { job: ['list'] },
  },
] satisfies NavigationEntry[]
