import { KeySquare } from 'lucide-react'
import type { NavigationEntry } from '../../lib/navigation.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default [
  {
    group: 'developers',
    path: '/developers/api-keys',
    label: defineTexts('navigation/developers/api-keys', { label: 'API keys' }),
    icon: KeySquare,
    on: 'apiKey',
  },
] satisfies NavigationEntry[]
