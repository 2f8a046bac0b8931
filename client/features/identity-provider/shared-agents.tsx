import { useAction } from '../../lib/action.ts'
import { auth, useConfig } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/section.tsx'
import { Badge } from '../../ui/small.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toasts.tsx'
import { AgentName, refreshAgents } from './agent-table.tsx'
import { agentTexts } from './agents.texts.ts'
import { identityProviderTexts } from './texts.ts'

type Shared = AnswerOf<'/agents/shared'>[number]

/** The agents of the user's organizations, which act for the user only after the user has allowed it. Absent without any. */
export function SharedAgents() {
  const t = useTexts(agentTexts)
  const { features } = useConfig()
  const { data } = useQuery(['agents', 'shared'], () => auth.agents.shared({}), features.organization)
  if (!data || data.length === 0) return null
  const columns: Column<Shared>[] = [
    { key: 'agent', label: t.agent, lead: true, cell: (agent) => <AgentName {...agent} /> },
    {
      key: 'owner',
      label: t.owner,
      cell: ({ organizationName }) => <span className="wrap-anywhere">{organizationName}</span>,
    },
    { key: 'actions', label: '', align: 'end', cell: (agent) => <Allow {...agent} /> },
  ]
  return (
    <Section id="shared" title={t.sharedTitle} intro={t.sharedIntro}>
      <Table caption={t.sharedTitle} columns={columns} rows={data} rowKey={({ clientId }) => clientId} />
    </Section>
  )
}

function Allow({ clientId, name, allowed }: Shared) {
  const t = useTexts(agentTexts)
  const { errors } = useTexts(identityProviderTexts)
  const allow = useAction(
    () => auth.agents.allow({ clientId }),
    () => {
      toast(t.allowedNow(name))
      void refreshAgents()
    },
  )
  if (allowed) return <Badge>{t.allowed}</Badge>
  return (
    <span className="flex flex-wrap justify-end gap-2">
      {allow.error && <ErrorPanel error={allow.error} errors={errors} />}
      <Button busy={allow.busy} onClick={() => allow.run()}>
        {t.allow}
      </Button>
    </span>
  )
}
