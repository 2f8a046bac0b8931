import { useParams } from 'wouter'
import { auth } from '../../lib/api.ts'
import { useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Badge } from '../../ui/small.tsx'
import { Day, Time } from '../../ui/time.tsx'
import { apiKeyTexts } from '../api-key/texts.ts'
import { agentTexts } from '../identity-provider/agents.texts.ts'
import { foundTexts } from './found.texts.ts'
import { FoundThing, Owner } from './found.tsx'
import { organizationsTexts } from './organizations.texts.ts'
import { adminTexts } from './texts.ts'

/** An API key of any owner. */
export default function FoundKey() {
  const t = useTexts(foundTexts)
  const { columns, states, unlimited } = useTexts(apiKeyTexts)
  const { unnamedKey } = useTexts(adminTexts)
  const { owner } = useTexts(agentTexts)
  const labels = useTexts(organizationsTexts)
  const { id = '' } = useParams()
  const found = useQuery(['adminKey', id], () => auth.admin.findApiKeys({ query: { search: id, limit: 1 } }))
  return (
    <FoundThing
      of={found}
      title={unnamedKey}
      read={({ keys: [key] }) => {
        if (key?.id !== id) return null
        const isOver = key.expiresAt !== null && key.expiresAt.getTime() <= Date.now()
        const state = isOver ? 'expired' : key.enabled ? 'on' : 'off'
        return {
          id,
          name: key.name ?? unnamedKey,
          kind: unnamedKey,
          state: <Badge tone={state === 'on' ? 'success' : 'danger'}>{states[state]}</Badge>,
          facts: [
            [owner, <Owner key="owner" of={key} />],
            [t.start, <code key="start">{key.start ? `${key.start}…` : '–'}</code>],
            [columns.left, key.remaining ?? unlimited],
            [columns.used, key.lastRequest ? <Time key="used" date={key.lastRequest} /> : t.never],
            [columns.expires, key.expiresAt ? <Day key="expires" date={key.expiresAt} /> : t.never],
            [t.created, <Day key="created" date={key.createdAt} />],
            [labels.id, <code key="id">{id}</code>],
          ],
        }
      }}
    />
  )
}
