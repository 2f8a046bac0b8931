import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { refreshQueries, useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Section } from '../../ui/section.tsx'
import { Avatar } from '../../ui/small.tsx'
import { EmptyState, Loaded, Skeleton } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { ScopeList } from './scope-list.tsx'
import { identityProviderTexts } from './texts.ts'

type Connection = AnswerOf<'/oauth2/connections'>[number]

export default function Connections() {
  const t = useTexts(identityProviderTexts)
  const connections = useQuery(['connections'], () => auth.oauth2.connections())
  const columns = useColumns()
  return (
    <Page wide title={t.connectionsTitle} intro={t.connectionsIntro}>
      <Loaded of={connections} skeleton={<Skeleton lines={4} />} empty={<EmptyState>{t.noConnections}</EmptyState>}>
        {(rows) => (
          <Section>
            <Table
              caption={t.connectionsTitle}
              columns={columns}
              rows={rows}
              rowKey={({ clientId }: Connection) => clientId}
            />
          </Section>
        )}
      </Loaded>
    </Page>
  )
}

function useColumns(): Column<Connection>[] {
  const t = useTexts(identityProviderTexts)
  return [
    {
      key: 'app',
      label: t.app,
      lead: true,
      cell: ({ name, icon }) => (
        <span className="flex items-center gap-3 text-start">
          <Avatar name={name} image={icon} />
          <span className="font-medium wrap-anywhere sm:min-w-24">{name}</span>
        </span>
      ),
    },
    { key: 'scopes', label: t.access, cell: ({ scopes }) => <ScopeList scopes={scopes} /> },
    { key: 'since', label: t.since, cell: ({ createdAt }) => <Time date={createdAt} /> },
    {
      key: 'used',
      label: t.lastUsed,
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Time date={lastUsedAt} /> : t.never),
    },
    { key: 'withdraw', label: '', align: 'end', cell: (connection) => <Withdraw {...connection} /> },
  ]
}

function Withdraw({ clientId, name }: Connection) {
  const t = useTexts(identityProviderTexts)
  return (
    <ConfirmDestroy
      title={t.withdrawQuestion(name)}
      action={t.withdraw}
      errors={t.errors}
      send={() => auth.oauth2.deleteConnection({ clientId })}
      done={() => {
        toast(t.withdrawn(name))
        refreshQueries('connections')
      }}
      look="secondary"
      label={t.withdraw}
      short={t.withdrawShort}
    >
      {t.withdrawWhat}
    </ConfirmDestroy>
  )
}
