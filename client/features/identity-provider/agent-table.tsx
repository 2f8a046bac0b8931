import { useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import type { Result } from '../../lib/auth/types.ts'
import { refreshQueries, useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Section } from '../../ui/section.tsx'
import { Badge } from '../../ui/small.tsx'
import { ErrorPanel, Loaded } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Day, Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { AccessList } from './access-list.tsx'
import { agentTexts } from './agents.texts.ts'
import { ApprovalTable } from './approval-table.tsx'
import { approvalTexts } from './approvals.texts.ts'
import { identityProviderTexts } from './texts.ts'

type Agent = AnswerOf<'/agents/list'>[number] & { ownerName?: string | null }
type Line = AnswerOf<'/agents/activity'>['lines'][number]
type Call<T> = Promise<Result<T>>

export const refreshAgents = () => refreshQueries('agents')
const refresh = refreshAgents

/** Whose agents a page shows: the calls differ, the table does not. */
export interface AgentCalls {
  setState(input: { clientId: string; state: 'active' | 'paused' | 'revoked' }): Call<unknown>
  activity(clientId: string): Call<{ lines: Line[] }>
  /** Whether the user may change their state. */
  mayChange: boolean
  /** Whether approvals of the user are shown with the activity. */
  own: boolean
}

export function AgentTable({ list, calls }: { list: Agent[]; calls: AgentCalls }) {
  const t = useTexts(agentTexts)
  const withOwner = list.some(({ ownerName }) => ownerName !== undefined)
  const columns: Column<Agent>[] = [
    { key: 'agent', label: t.agent, lead: true, cell: (agent) => <AgentName {...agent} /> },
    ...(withOwner
      ? [
          {
            key: 'owner',
            label: t.owner,
            cell: ({ ownerName }: Agent) => <span className="wrap-anywhere">{ownerName}</span>,
          },
        ]
      : []),
    {
      key: 'state',
      label: t.state,
      cell: ({ state }) => <Badge>{t.states[state]}</Badge>,
    },
    { key: 'expires', label: t.lifetime, cell: ({ expiresAt }) => <Day date={expiresAt} /> },
    { key: 'actions', label: '', align: 'end', cell: (agent) => <Actions {...agent} calls={calls} /> },
  ]
  return (
    <Section>
      <Table caption={t.title} columns={columns} rows={list} rowKey={({ clientId }) => clientId} />
    </Section>
  )
}

export function AgentName({ name, purpose, access }: Pick<Agent, 'name' | 'purpose' | 'access'>) {
  const t = useTexts(agentTexts)
  return (
    <span className="grid gap-0.5 text-start sm:min-w-36">
      <span className="font-medium wrap-anywhere">{name}</span>
      <span className="text-soft wrap-anywhere">{purpose}</span>
      <span className="text-soft">{t.may}:</span>
      <AccessList access={access} />
    </span>
  )
}

function Actions({ clientId, name, state, calls }: Agent & { calls: AgentCalls }) {
  const t = useTexts(agentTexts)
  const { errors } = useTexts(identityProviderTexts)
  const [open, setOpen] = useState(false)
  const next = state === 'paused' ? 'active' : 'paused'
  const change = useAction(
    () => calls.setState({ clientId, state: next }),
    () => {
      toast(next === 'paused' ? t.paused(name) : t.resumed(name))
      void refresh()
    },
  )
  return (
    <span className="flex flex-wrap justify-end gap-2">
      {change.error && <ErrorPanel error={change.error} errors={errors} />}
      <Button onClick={() => setOpen(true)}>{t.activity}</Button>
      {calls.mayChange && (state === 'active' || state === 'paused') && (
        <Button busy={change.busy} onClick={() => change.run()}>
          {state === 'paused' ? t.resume : t.pause}
        </Button>
      )}
      {calls.mayChange && state !== 'revoked' && (
        <ConfirmDestroy
          title={t.revokeQuestion(name)}
          action={t.revoke}
          errors={errors}
          send={() => calls.setState({ clientId, state: 'revoked' })}
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
        {open && <Activity clientId={clientId} calls={calls} />}
        {open && calls.own && <Asked clientId={clientId} />}
        <Button data-first className="mt-4 sm:justify-self-end" onClick={() => setOpen(false)}>
          {t.close}
        </Button>
      </Dialog>
    </span>
  )
}

function Activity({ clientId, calls }: { clientId: string; calls: AgentCalls }) {
  const t = useTexts(agentTexts)
  const activity = useQuery(['agents', 'activity', clientId], () => calls.activity(clientId))
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
