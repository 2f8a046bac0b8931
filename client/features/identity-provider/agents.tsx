import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { refreshQueries, useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Page } from '../../ui/member-page.tsx'
import { useNotMine } from '../../ui/own-session.tsx'
import { Section } from '../../ui/page.tsx'
import { Badge } from '../../ui/small.tsx'
import { EmptyState, ErrorPanel, Loaded } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Day, Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { AgentProviders } from './agent-providers.tsx'
import { agentTexts } from './agents.texts.ts'
import { ApprovalTable } from './approval-table.tsx'
import { approvalTexts } from './approvals.texts.ts'
import { CreateAgent } from './create-agent.tsx'
import { identityProviderTexts } from './texts.ts'

type Agent = AnswerOf<'/agents/list'>[number]
type Line = AnswerOf<'/agents/activity'>['lines'][number]

const refresh = () => refreshQueries('agents')

export default function Agents() {
  const t = useTexts(agentTexts)
  const why = useNotMine()
  if (!why) return <OwnAgents />
  return (
    <Page title={t.title} intro={t.intro}>
      <EmptyState>{why}</EmptyState>
    </Page>
  )
}

function OwnAgents() {
  const t = useTexts(agentTexts)
  const agents = useQuery(['agents'], () => auth.agents.list({}))
  const [creating, setCreating] = useState(false)
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden size={17} />
      {t.create}
    </Button>
  )
  return (
    <Page title={t.title} intro={t.intro} actions={agents.data && agents.data.length > 0 && create}>
      <Loaded of={agents} empty={<EmptyState action={create}>{t.none}</EmptyState>}>
        {(list) => <AgentTable list={list} />}
      </Loaded>
      {agents.data && agents.data.length > 0 && <AgentProviders agents={agents.data} />}
      <CreateAgent open={creating} created={() => void refresh()} onClose={() => setCreating(false)} />
    </Page>
  )
}

function AgentTable({ list }: { list: Agent[] }) {
  const t = useTexts(agentTexts)
  const columns: Column<Agent>[] = [
    { key: 'agent', label: t.agent, lead: true, cell: (agent) => <AgentName {...agent} /> },
    {
      key: 'state',
      label: t.state,
      cell: ({ state }) => <Badge>{t.states[state]}</Badge>,
    },
    { key: 'expires', label: t.lifetime, cell: ({ expiresAt }) => <Day date={expiresAt} /> },
    { key: 'actions', label: '', align: 'end', cell: (agent) => <Actions {...agent} /> },
  ]
  return (
    <Section>
      <Table caption={t.title} columns={columns} rows={list} rowKey={({ clientId }) => clientId} />
    </Section>
  )
}

function AgentName({ name, purpose, access }: Agent) {
  const t = useTexts(agentTexts)
  return (
    <span className="grid gap-0.5 text-start sm:min-w-36">
      <span className="font-medium wrap-anywhere">{name}</span>
      <span className="text-soft wrap-anywhere">{purpose}</span>
      {Object.entries(access).map(([resource, scopes]) => (
        <span key={resource} className="text-soft wrap-anywhere">
          {t.may} {scopes.join(', ')} ({resource})
        </span>
      ))}
    </span>
  )
}

function Actions({ clientId, name, state }: Agent) {
  const t = useTexts(agentTexts)
  const { errors } = useTexts(identityProviderTexts)
  const [open, setOpen] = useState(false)
  const next = state === 'paused' ? 'active' : 'paused'
  const change = useAction(
    () => auth.agents.setState({ clientId, state: next }),
    () => {
      toast(next === 'paused' ? t.paused(name) : t.resumed(name))
      void refresh()
    },
  )
  return (
    <span className="flex flex-wrap justify-end gap-2">
      {change.error && <ErrorPanel error={change.error} errors={errors} />}
      <Button onClick={() => setOpen(true)}>{t.activity}</Button>
      {(state === 'active' || state === 'paused') && (
        <Button busy={change.busy} onClick={() => change.run()}>
          {state === 'paused' ? t.resume : t.pause}
        </Button>
      )}
      {state !== 'revoked' && (
        <ConfirmDestroy
          title={t.revokeQuestion(name)}
          action={t.revoke}
          errors={errors}
          send={() => auth.agents.setState({ clientId, state: 'revoked' })}
          done={() => {
            toast(t.revoked(name))
            void refresh()
          }}
          look="secondary"
          label={t.revoke}
        >
          {t.revokeWhat}
        </ConfirmDestroy>
      )}
      <Dialog open={open} title={t.activityOf(name)} onClose={() => setOpen(false)}>
        {open && <Activity clientId={clientId} />}
        {open && <Asked clientId={clientId} />}
        <Button data-first className="mt-4 sm:justify-self-end" onClick={() => setOpen(false)}>
          {t.close}
        </Button>
      </Dialog>
    </span>
  )
}

function Activity({ clientId }: { clientId: string }) {
  const t = useTexts(agentTexts)
  const activity = useQuery(['agents', clientId], () => auth.agents.activity({ query: { clientId } }))
  const columns: Column<Line>[] = [
    { key: 'what', label: t.what, lead: true, cell: (line) => <What {...line} /> },
    { key: 'when', label: t.when, align: 'end', cell: ({ createdAt }) => <Time date={createdAt} /> },
  ]
  return (
    <Loaded of={activity}>
      {({ lines }) =>
        lines.length === 0 ? (
          <p>{t.noActivity}</p>
        ) : (
          <Table caption={t.activity} columns={columns} rows={lines} rowKey={({ id }) => id} />
        )
      }
    </Loaded>
  )
}

/** What the agent asked this user for. */
function Asked({ clientId }: { clientId: string }) {
  const t = useTexts(approvalTexts)
  const approvals = useQuery(['approvals', clientId], () => auth.approvals.list({ query: { clientId } }))
  if (!approvals.data || approvals.data.length === 0) return null
  return (
    <section className="mt-4 grid gap-3">
      <h3 className="font-medium">{t.title}</h3>
      <ApprovalTable list={approvals.data} />
    </section>
  )
}

function What({ event, scopes, resource, action, units }: Line) {
  const { events } = useTexts(agentTexts)
  if (event === 'token') return events.token(scopes.join(', '))
  if (event === 'provider') return events.provider(resource ?? '', scopes.join(', '))
  if (event === 'use') return events.use(action ?? '', String(units ?? 0))
  return events[event]
}
