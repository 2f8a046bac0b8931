import { Plus } from 'lucide-react'
import { useAddressed } from '../../lib/address.ts'
import { auth } from '../../lib/api.ts'
import { useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/member-page.tsx'
import { EmptyState, Loaded } from '../../ui/state.tsx'
import { type Current, WhyNot, WithOrganization } from '../organization/current.tsx'
import { AgentTable, refreshAgents } from './agent-table.tsx'
import { agentTexts } from './agents.texts.ts'
import { CreateAgent } from './create-agent.tsx'

export default function OrganizationAgents() {
  const t = useTexts(agentTexts)
  return (
    <WithOrganization wide title={t.title} intro={t.organizationIntro}>
      {(current) => <AgentsOf key={current.organization.id} current={current} />}
    </WithOrganization>
  )
}

function AgentsOf({ current: { organization, may } }: { current: Current }) {
  const t = useTexts(agentTexts)
  const { id: organizationId } = organization
  const mayRead = may({ apiKey: ['read'] })
  const agents = useQuery(['agents', organizationId], () => auth.agents.list({ query: { organizationId } }), mayRead)
  const [creating, setCreating] = useAddressed('create')
  const create = may({ apiKey: ['create'] }) && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden size={17} />
      {t.create}
    </Button>
  )
  const calls = {
    setState: (input: Parameters<typeof auth.agents.setState>[0]) => auth.agents.setState(input),
    activity: (clientId: string) => auth.agents.activity({ query: { clientId } }),
    mayChange: may({ apiKey: ['update'] }),
    own: false,
  }
  return (
    <Page wide title={t.title} intro={t.organizationIntro} actions={agents.data && agents.data.length > 0 && create}>
      {mayRead ? (
        <Loaded of={agents} empty={<EmptyState action={create}>{t.none}</EmptyState>}>
          {(list) => <AgentTable list={list} calls={calls} />}
        </Loaded>
      ) : (
        <WhyNot wanted={{ apiKey: ['read'] }} />
      )}
      <CreateAgent
        open={creating}
        organizationId={organizationId}
        created={() => void refreshAgents()}
        onClose={() => setCreating(false)}
      />
    </Page>
  )
}
