import { Check, Minus } from 'lucide-react'
import { useState } from 'react'
import type { OrganizationPermission } from '../../../worker/kit/organization-roles.ts'
import { mayDo, splitRoles } from '../../../worker/kit/permissions.ts'
import { useConfig } from '../../lib/api.ts'
import { defineTexts, useTexts } from '../../lib/texts/texts.ts'
import { SelectField } from '../../ui/field.tsx'
import { Section } from '../../ui/section.tsx'
import { Table } from '../../ui/table.tsx'
import { type Current, useRoleNames, useRules } from './current.tsx'

const rolesTexts = defineTexts('organizationRoles', {
  rolesTitle: 'Roles',
  rolesIntro: 'What each role can do. People with several roles can do what any of them allows.',
  rolesCaption: 'Permissions by role',
  permission: 'Permission',
  role: 'Role',
  yours: 'yours',
  permissions: {
    'organization:update': 'Change the settings',
    'organization:delete': 'Delete the organization',
    'member:create': 'Add members',
    'member:update': 'Change roles',
    'member:delete': 'Remove members',
    'invitation:create': 'Invite people',
    'invitation:cancel': 'Withdraw invitations',
    'team:create': 'Create teams',
    'team:update': 'Rename teams',
    'team:delete': 'Delete teams',
    'apiKey:create': 'Create API keys',
    'apiKey:read': 'See API keys',
    'apiKey:update': 'Change API keys',
    'apiKey:delete': 'Delete API keys',
    'singleSignOn:read': 'See single sign-on',
    'singleSignOn:update': 'Set up single sign-on',
    'audit:read': 'Read the audit log',
    'audit:update': 'Send the audit log to other systems',
  } satisfies Record<OrganizationPermission, string> as Record<string, string>,
})

/** A part of the settings of the organization. */
export function Roles({ me }: Pick<Current, 'me'>) {
  const t = useTexts(rolesTexts)
  return (
    <Section id="roles" title={t.rolesTitle} intro={t.rolesIntro}>
      <Matrix me={me} />
    </Section>
  )
}

/** All actions of all roles, in the order of the configuration. */
function useActions() {
  const { roles } = useRules()
  const { features } = useConfig()
  const all = Object.values(roles).flatMap((role) =>
    Object.entries(role).flatMap(([resource, actions]) => actions.map((action) => `${resource}:${action}`)),
  )
  return [...new Set(all)].filter((action) => features.teams || !action.startsWith('team:'))
}

function Matrix({ me }: Pick<Current, 'me'>) {
  const t = useTexts(rolesTexts)
  const names = useRoleNames()
  const { roles } = useRules()
  const mine = splitRoles(me.role)
  const known = Object.keys(roles)
  const [chosen, setChosen] = useState(mine.find((role) => known.includes(role)) ?? known[0] ?? '')
  const permissions = useActions()
  const inWords = (permission: string) => t.permissions[permission] ?? permission
  const nameOf = (role: string) => (mine.includes(role) ? `${names.one(role)} (${t.yours})` : names.one(role))
  const isAllowed = (role: string, permission: string) => {
    const [resource = '', action = ''] = permission.split(':')
    return mayDo(roles, role, { [resource]: [action] })
  }
  return (
    <>
      {/* A narrow screen has no place for a column for each role. */}
      <div className="grid gap-5 sm:hidden">
        <SelectField label={t.role} value={chosen} onChange={({ target }) => setChosen(target.value)}>
          {known.map((role) => (
            <option key={role} value={role}>
              {nameOf(role)}
            </option>
          ))}
        </SelectField>
        <ul className="bleed border-t text-sm">
          {permissions.map((permission) => (
            <li
              key={permission}
              className="flex min-h-11 items-center justify-between gap-3 border-b px-(--pad) py-2 last:border-b-0"
            >
              <span className="font-medium">{inWords(permission)}</span>
              <Mark allowed={isAllowed(chosen, permission)} />
            </li>
          ))}
        </ul>
      </div>
      <div className="contents max-sm:hidden">
        {/* The table is not at the top of its sheet. */}
        <span hidden />
        <Table
          caption={t.rolesCaption}
          rows={permissions}
          rowKey={(permission) => permission}
          matrix
          columns={[
            {
              key: 'permission',
              label: t.permission,
              lead: true,
              cell: (permission) => <span className="font-medium">{inWords(permission)}</span>,
            },
            ...known.map((role) => ({
              key: role,
              label: nameOf(role),
              cell: (permission: string) => <Mark allowed={isAllowed(role, permission)} />,
            })),
          ]}
        />
      </div>
    </>
  )
}

function Mark({ allowed }: { allowed: boolean }) {
  const t = useTexts(rolesTexts)
  return (
    <span className={allowed ? 'text-success' : 'text-soft'}>
      {allowed ? <Check aria-hidden size={18} /> : <Minus aria-hidden size={18} />}
      <span className="sr-only">{allowed ? t.yes : t.no}</span>
    </span>
  )
}
