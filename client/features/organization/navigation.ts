import { Building2, type LucideIcon, Mail, Network, UsersRound } from 'lucide-react'
import type { NavigationEntry } from '../../lib/navigation.ts'
import { defineTexts } from '../../lib/texts/define.ts'

const entry = (
  path: string,
  label: NavigationEntry['label'],
  icon: LucideIcon,
  more: Pick<NavigationEntry, 'on' | 'in'> = {},
): NavigationEntry => ({ group: 'organization', path, label, icon, on: 'organization', ...more })

const ofMembers = '/organization/members'

export default [
  entry('/organization/settings', defineTexts('navigation/organization/settings', { label: 'Settings' }), Building2),
  entry('/organization/members', defineTexts('navigation/organization/members', { label: 'Members' }), UsersRound),
  entry(
    '/organization/invitations',
    defineTexts('navigation/organization/invitations', { label: 'Invitations' }),
    Mail,
    { in: ofMembers },
  ),
  entry('/organization/teams', defineTexts('navigation/organization/teams', { label: 'Teams' }), Network, {
    on: 'teams',
    in: ofMembers,
  }),
] satisfies NavigationEntry[]
