import { Plus } from 'lucide-react'
import { useAddressed } from '../../lib/address.ts'
import { auth } from '../../lib/api.ts'
import { useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/member-page.tsx'
import { useNotMine } from '../../ui/own-session.tsx'
import { EmptyState, Loaded } from '../../ui/state.tsx'
import { AgentProviders } from './agent-providers.tsx'
import { type AgentCalls, AgentTable, refreshAgents } from './agent-table.tsx'
import { agentTexts } from './agents.texts.ts'
import { CreateAgent } from './create-agent.tsx'
import { SharedAgents } from './shared-agents.tsx'

const calls: AgentCalls = {
  setState: (input) => auth.agents.setState(input),
  activity: (clientId) => auth.agents.activity({ query: { clientId } }),
  mayChange: true,
  own: true,
}

export default function Agents() {
  const t = useTexts(agentTexts)
  const why = useNotMine()
  if (!why) return <OwnAgents />
  return (
    <Page wide title={t.title} intro={t.intro}>
      <EmptyState>{why}</EmptyState>
    </Page>
  )
}

function OwnAgents() {
  const t = useTexts(agentTexts)
  const agents = useQuery(['agents'], () => auth.agents.list({}))
  const [creating, setCreating] = useAddressed('create')
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden size={17} />
      {t.create}
    </Button>
  )
  return (
    <Page wide title={t.title} intro={t.intro} actions={agents.data && agents.data.length > 0 && create}>
      <Loaded of={agents} empty={<EmptyState action={create}>{t.none}</EmptyState>}>
        {(list) => <AgentTable list={list} calls={calls} />}
      </Loaded>
      {agents.data && agents.data.length > 0 && <AgentProviders agents={agents.data} />}
      <SharedAgents />
      <CreateAgent open={creating} created={() => void refreshAgents()} onClose={() => setCreating(false)} />
    </Page>
  )
}
