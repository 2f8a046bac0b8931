import { Check, Minus } from 'lucide-react'
import { useConfig } from '../../lib/api.ts'
import { can, splitRoles } from '../../lib/permissions.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Page } from '../../ui/member-page.tsx'
import { Section } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { type Current, useRoleNames, useRules, WithOrganization } from './current.tsx'
import { rolesTexts } from './roles.texts.ts'

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

/** Every action that some role allows, in the order of the roles' own data. */
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
            return <Mark allowed={can(roles, role, { [resource]: [action] })} />
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
      <span className="sr-only">{allowed ? t.allowed : t.notAllowed}</span>
    </span>
  )
}
