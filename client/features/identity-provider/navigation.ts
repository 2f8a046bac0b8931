import { AppWindow, Blocks, Bot } from 'lucide-react'
import type { NavigationEntry } from '../../lib/navigation.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default [
  {
    group: 'account',
    path: '/account/connections',
    label: defineTexts('navigation/account/connections', { label: 'Connected apps' }),
    icon: AppWindow,
    on: 'identityProvider',
  },
  {
    group: 'account',
    path: '/account/agents',
    label: defineTexts('navigation/account/agents', { label: 'Agents' }),
    icon: Bot,
    on: 'identityProvider',
  },
  {
    group: 'developers',
    path: '/developers/clients',
    label: defineTexts('navigation/developers/clients', { label: 'OAuth clients' }),
    icon: Blocks,
    on: 'identityProvider',
  },
] satisfies NavigationEntry[]
