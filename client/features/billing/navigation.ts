import { CreditCard } from 'lucide-react'
import type { NavigationEntry } from '../../lib/navigation.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default [
  {
    group: 'account',
    path: '/account/billing',
    label: defineTexts('navigation/account/billing', { label: 'Billing' }),
    icon: CreditCard,
    on: 'billing',
    order: 1,
  },
] satisfies NavigationEntry[]
