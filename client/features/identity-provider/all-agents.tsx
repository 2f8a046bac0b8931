import { useEffect, useState } from 'react'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import { administratorMay } from '../../lib/permissions.ts'
import { usePages } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { LoadedPages } from '../../ui/loaded-pages.tsx'
import { Page } from '../../ui/member-page.tsx'
import { EmptyState } from '../../ui/state.tsx'
import { SearchField } from '../../ui/table.tsx'
import { type AgentCalls, AgentTable } from './agent-table.tsx'
import { agentTexts } from './agents.texts.ts'

const pageSize = 50
/** Milliseconds after the last key until the search begins. */
const pause = 300

/** The agents of all users and organizations, for administrators. */
export default function AllAgents() {
  const t = useTexts(agentTexts)
  const { user } = useMember()
  const { admin } = useConfig()
  const [typed, setTyped] = useState('')
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), pause)
    return () => clearTimeout(timer)
  }, [typed])
  const agents = usePages(
    ['agents', 'all', search],
    async (place) => {
      const offset = Number(place ?? 0)
      const { data, error } = await auth.admin.listAgents({ query: { limit: pageSize, offset, search } })
      return error ? { data: null, error } : { data: { offset, list: data }, error: null }
    },
    ({ offset, list }) => (list.length < pageSize ? null : String(offset + pageSize)),
  )
  const calls: AgentCalls = {
    setState: (input) => auth.admin.setAgentState(input),
    activity: (clientId) => auth.admin.agentActivity({ query: { clientId } }),
    mayChange: administratorMay(admin?.roles ?? {}, user.role ?? '', { agent: ['update'] }),
    own: false,
  }
  return (
    <Page wide title={t.title} intro={t.allIntro}>
      <SearchField label={t.search} value={typed} onChange={({ target }) => setTyped(target.value)} />
      <LoadedPages
        of={agents}
        items={({ list }) => list}
        more={t.more}
        empty={<EmptyState>{search === '' ? t.none : `${t.noMatch} ${t.comparedAgents}`}</EmptyState>}
      >
        {(list) => <AgentTable list={list} calls={calls} />}
      </LoadedPages>
    </Page>
  )
}
