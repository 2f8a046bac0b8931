import { useState } from 'react'
import { useAddressed } from '../../lib/address.ts'
import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { useForm } from '../../lib/form.ts'
import { refreshQueries, useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Section } from '../../ui/section.tsx'
import { Submit } from '../../ui/submit.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { agentProviderTexts } from './agent-providers.texts.ts'
import { agentTexts } from './agents.texts.ts'
import { ScopeList } from './scope-list.tsx'
import { identityProviderTexts } from './texts.ts'

type Providers = AnswerOf<'/agents/providers'>
type Agent = AnswerOf<'/agents/list'>[number]
type Grant = Providers['grants'][number]

const refresh = () => refreshQueries('agentProviders')

/** Which agent may use which linked account. Absent while no account can be used. */
export function AgentProviders({ agents }: { agents: Agent[] }) {
  const { data } = useQuery(['agentProviders'], () => auth.agents.providers())
  if (!data || (data.accounts.length === 0 && data.grants.length === 0)) return null
  return <Grants {...data} agents={agents.filter(({ state }) => state === 'active' || state === 'paused')} />
}

function Grants({ grants, accounts, words, agents }: Providers & { agents: Agent[] }) {
  const t = useTexts(agentProviderTexts)
  const [open, setOpen] = useAddressed('allow-account')
  const columns = useColumns(words)
  return (
    <Section
      id="linked-accounts"
      title={t.title}
      intro={t.intro}
      action={agents.length > 0 && accounts.length > 0 && <Button onClick={() => setOpen(true)}>{t.allow}</Button>}
    >
      {grants.length === 0 ? (
        <p>{t.none}</p>
      ) : (
        <Table
          caption={t.title}
          columns={columns}
          rows={grants}
          rowKey={({ clientId, providerId }: Grant) => `${clientId} ${providerId}`}
        />
      )}
      <Dialog open={open} title={t.allowTitle} onClose={() => setOpen(false)}>
        {open && <AllowForm {...{ accounts, words, agents }} close={() => setOpen(false)} />}
      </Dialog>
    </Section>
  )
}

function useColumns(words: Providers['words']): Column<Grant>[] {
  const t = useTexts(agentProviderTexts)
  const { agent } = useTexts(agentTexts)
  const { lastUsed, never } = useTexts(identityProviderTexts)
  return [
    {
      key: 'agent',
      label: agent,
      lead: true,
      cell: (grant) => (
        <span className="grid gap-0.5 text-start sm:min-w-24">
          <span className="font-medium wrap-anywhere">{grant.agent}</span>
          <span className="text-soft wrap-anywhere">{grant.name}</span>
        </span>
      ),
    },
    { key: 'can', label: t.can, cell: ({ scopes }) => <ScopeList scopes={scopes} words={words} /> },
    {
      key: 'used',
      label: lastUsed,
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Time date={lastUsedAt} /> : never),
    },
    { key: 'end', label: '', align: 'end', cell: (grant) => <End {...grant} /> },
  ]
}

function End({ clientId, providerId, agent, name }: Grant) {
  const t = useTexts(agentProviderTexts)
  const { errors } = useTexts(identityProviderTexts)
  return (
    <ConfirmDestroy
      title={t.endQuestion(agent, name)}
      action={t.end}
      errors={errors}
      send={() => auth.agents.endProvider({ clientId, providerId })}
      done={() => {
        toast(t.ended(agent, name))
        void refresh()
      }}
      look="secondary"
      label={t.endQuestion(agent, name)}
      short={t.end}
    >
      {t.endWhat}
    </ConfirmDestroy>
  )
}

interface AllowProps extends Pick<Providers, 'accounts' | 'words'> {
  agents: Agent[]
  close(): void
}

function AllowForm({ accounts, words, agents, close }: AllowProps) {
  const t = useTexts(agentProviderTexts)
  const { agent: agentLabel } = useTexts(agentTexts)
  const { errors } = useTexts(identityProviderTexts)
  const [chosen, setChosen] = useState(accounts[0])
  const form = useForm({
    fields: ['agent', 'account'],
    send: ({ agent }) =>
      auth.agents.allowProvider({ clientId: agent, accountId: chosen?.id ?? '', scopes: chosen?.scopes ?? [] }),
    errors,
    done: (_answer, { agent }) => {
      const name = agents.find(({ clientId }) => clientId === agent)?.name ?? ''
      toast(t.allowed(name, chosen?.name ?? ''))
      close()
      void refresh()
    },
  })
  return (
    <form {...form.props} className="grid gap-5">
      <SelectField {...form.field('agent')} label={agentLabel}>
        {agents.map(({ clientId, name }) => (
          <option key={clientId} value={clientId}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        {...form.field('account')}
        label={t.account}
        onChange={({ target }) => setChosen(accounts.find(({ id }) => id === target.value))}
      >
        {accounts.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {chosen && chosen.withheld.length > 0 ? (
        <p>{t.withheld(chosen.withheld.join(', '))}</p>
      ) : (
        <>
          <p>{t.everything}</p>
          <ScopeList scopes={chosen?.scopes ?? []} words={words} />
          <Submit form={form} onCancel={close}>
            {t.allow}
          </Submit>
        </>
      )}
    </form>
  )
}
