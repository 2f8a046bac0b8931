import { Palette } from 'lucide-react'
import type { NavigationEntry } from '../../lib/navigation.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default [
  {
    group: 'admin',
    path: '/admin/brand',
    label: defineTexts('navigation/admin/brand', { label: 'Brand' }),
    icon: Palette,
    on: 'admin',
    permission: { user: ['list'] },
    order: 1,
  },
] satisfies NavigationEntry[]
