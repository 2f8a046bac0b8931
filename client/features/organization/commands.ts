import { Building2, DoorOpen, Plus, ShieldCheck, Trash2, UserPlus } from 'lucide-react'
import { defineCommands } from '../../lib/commands.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default defineCommands(
  defineTexts('commands/organization', {
    create: { label: 'New organization', words: 'organization, company, workspace, team, new, create' },
    invite: { label: 'Invite people', words: 'invite, invitation, add member, colleague, people' },
    createTeam: { label: 'Create a team', words: 'team, group, new' },
    name: { label: 'Name, slug and logo of the organization', words: 'name, slug, logo, rename, picture' },
    roles: { label: 'Roles and their permissions', words: 'role, permission, rights, owner, admin, member' },
    leaveSection: { label: 'Leaving the organization', words: 'leave, exit, quit' },
    leave: { label: 'Leave organization', words: 'leave, exit, quit' },
    deleteSection: { label: 'Deletion of the organization', words: 'delete, remove, close' },
    delete: { label: 'Delete organization', words: 'delete, remove, close' },
  }),
  {
    create: {
      icon: Plus,
      to: '/organizations/new',
      on: 'organization',
      when: ({ organization }) => organization?.creatable,
    },
    invite: {
      icon: UserPlus,
      to: '/organization/members#invite',
      on: 'organization',
      memberPermission: { invitation: ['create'] },
    },
    createTeam: {
      icon: Plus,
      to: '/organization/teams#create-team',
      on: ['organization', 'teams'],
      memberPermission: { team: ['create'] },
    },
    name: {
      icon: Building2,
      to: '/organization/settings#name',
      on: 'organization',
      memberPermission: { organization: ['update'] },
    },
    roles: { icon: ShieldCheck, to: '/organization/settings#roles', on: 'organization' },
    leaveSection: { icon: DoorOpen, to: '/organization/settings#leave', on: 'organization' },
    leave: { icon: DoorOpen, to: '/organization/settings#leave-organization', on: 'organization' },
    deleteSection: {
      icon: Trash2,
      to: '/organization/settings#delete',
      on: 'organization',
      memberPermission: { organization: ['delete'] },
      when: ({ organization }) => organization?.deletable,
    },
    delete: {
      icon: Trash2,
      to: '/organization/settings#delete-organization',
      on: 'organization',
      memberPermission: { organization: ['delete'] },
      when: ({ organization }) => organization?.deletable,
    },
  },
)
