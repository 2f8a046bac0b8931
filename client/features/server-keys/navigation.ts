import { KeyRound } from 'lucide-react'
import type { NavigationEntry } from '../../lib/navigation.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default [
  {
    group: 'admin',
    path: '/admin/server-keys',
    label: defineTexts('navigation/admin/server-keys', { label: 'Server keys' }),
    icon: KeyRound,
    on: 'serverKeys',
    permission: { serverKey: ['list'] },
  },
] satisfies NavigationEntry[]
