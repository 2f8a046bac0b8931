import { Check, Minus } from 'lucide-react'
import type { OrganizationPermission } from '../../../worker/kit/organization-roles.ts'
import { mayDo, splitRoles } from '../../../worker/kit/permissions.ts'
import { useConfig } from '../../lib/api.ts'
import { defineTexts, useTexts } from '../../lib/texts/texts.ts'
import { Page } from '../../ui/member-page.tsx'
import { Section } from '../../ui/section.tsx'
import { Table } from '../../ui/table.tsx'
import { type Current, useRoleNames, useRules, WithOrganization } from './current.tsx'

const rolesTexts = defineTexts('organizationRoles', {
  rolesTitle: 'Roles',
  rolesIntro: 'What each role can do. People with several roles can do what any of them allows.',
  rolesCaption: 'Permissions by role',
  permission: 'Permission',
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

export default function Roles() {
  const t = useTexts(rolesTexts)
  return (
    <WithOrganization title={t.rolesTitle}>
      {(current) => (
        <Page title={t.rolesTitle} intro={t.rolesIntro}>
          <Section>
            <Matrix {...current} />
          </Section>
        </Page>
      )}
    </WithOrganization>
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

function Matrix({ me }: Current) {
  const t = useTexts(rolesTexts)
  const names = useRoleNames()
  const { roles } = useRules()
  const mine = splitRoles(me.role)
  return (
    <Table
      caption={t.rolesCaption}
      rows={useActions()}
      rowKey={(action) => action}
      matrix
      columns={[
        {
          key: 'permission',
          label: t.permission,
          lead: true,
          cell: (action) => <span className="font-medium">{t.permissions[action] ?? action}</span>,
        },
        ...Object.keys(roles).map((role) => ({
          key: role,
          label: mine.includes(role) ? `${names.one(role)} (${t.yours})` : names.one(role),
          cell: (permission: string) => {
            const [resource = '', action = ''] = permission.split(':')
            return <Mark allowed={mayDo(roles, role, { [resource]: [action] })} />
          },
        })),
      ]}
    />
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
