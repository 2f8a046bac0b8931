import { AppWindow, Blocks, Bot, Server, ShieldCheck } from 'lucide-react'
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
    in: '/account/connections',
    label: defineTexts('navigation/account/agents', { label: 'Agents' }),
    icon: Bot,
    on: 'identityProvider',
  },
  {
    group: 'account',
    path: '/account/approvals',
    in: '/account/connections',
    label: defineTexts('navigation/account/approvals', { label: 'Approvals' }),
    icon: ShieldCheck,
    on: 'identityProvider',
  },
  {
    group: 'developers',
    path: '/developers/clients',
    label: defineTexts('navigation/developers/clients', { label: 'OAuth clients' }),
    icon: Blocks,
    on: 'identityProvider',
  },
  {
    group: 'organization',
    path: '/organization/agents',
    in: '/organization/settings',
    label: defineTexts('navigation/organization/agents', { label: 'Agents' }),
    icon: Bot,
    on: ['identityProvider', 'organization'],
    order: 1,
  },
  {
    group: 'organization',
    path: '/organization/resources',
    in: '/organization/settings',
    label: defineTexts('navigation/organization/resources', { label: 'Resources' }),
    icon: Server,
    on: ['organizationResources', 'organization'],
    memberPermission: { organization: ['update'] },
    order: 1,
  },
  {
    group: 'admin',
    path: '/admin/agents',
    label: defineTexts('navigation/admin/agents', { label: 'Agents' }),
    icon: Bot,
    on: ['identityProvider', 'admin'],
    permission: { agent: ['list'] },
    order: 1,
  },
  {
    group: 'admin',
    path: '/admin/resources',
    label: defineTexts('navigation/admin/resources', { label: 'Resources' }),
    icon: Server,
    on: ['identityProvider', 'admin'],
    permission: { resource: ['list'] },
    order: 1,
  },
] satisfies NavigationEntry[]
