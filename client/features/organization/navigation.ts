import { Building2, type LucideIcon, Mail, Network, ShieldCheck, UsersRound } from 'lucide-react'
import type { NavigationEntry } from '../../lib/navigation.ts'
import { defineTexts } from '../../lib/texts/define.ts'

const entry = (
  path: string,
  label: NavigationEntry['label'],
  icon: LucideIcon,
  on: NavigationEntry['on'] = 'organization',
): NavigationEntry => ({ group: 'organization', path, label, icon, on })

export default [
  entry('/organization/settings', defineTexts('navigation/organization/settings', { label: 'Settings' }), Building2),
  entry('/organization/members', defineTexts('navigation/organization/members', { label: 'Members' }), UsersRound),
  entry(
    '/organization/invitations',
    defineTexts('navigation/organization/invitations', { label: 'Invitations' }),
    Mail,
  ),
  entry('/organization/teams', defineTexts('navigation/organization/teams', { label: 'Teams' }), Network, 'teams'),
  entry('/organization/roles', defineTexts('navigation/organization/roles', { label: 'Roles' }), ShieldCheck),
] satisfies NavigationEntry[]
