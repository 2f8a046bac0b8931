import type { ReactNode } from 'react'
import { useParams } from 'wouter'
import { auth } from '../../lib/api.ts'
import { useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Badge } from '../../ui/small.tsx'
import { Day } from '../../ui/time.tsx'
import { apiKeyTexts } from '../api-key/texts.ts'
import { agentTexts } from '../identity-provider/agents.texts.ts'
import { identityProviderTexts } from '../identity-provider/texts.ts'
import { foundTexts } from './found.texts.ts'
import { FoundThing, Owner } from './found.tsx'

/** An OAuth client of any owner, an agent or a service. */
export default function FoundClient() {
  const t = useTexts(foundTexts)
  const { columns } = useTexts(apiKeyTexts)
  const { owner, clientId, states } = useTexts(agentTexts)
  const { redirectURLs, on, off } = useTexts(identityProviderTexts)
  const { id = '' } = useParams()
  const found = useQuery(['adminClient', id], () => auth.admin.findClients({ query: { search: id, limit: 1 } }))
  return (
    <FoundThing
      of={found}
      title={t.kinds.client}
      read={({ clients: [client] }) => {
        if (client?.clientId !== id) return null
        const isOver = client.expiresAt !== null && client.expiresAt.getTime() <= Date.now()
        const state = isOver ? 'expired' : client.state
        const isOn = !client.disabled && (state === null || state === 'active')
        return {
          id,
          name: client.name,
          kind: t.kinds[client.kind],
          state: (
            <Badge tone={isOn ? 'success' : 'danger'}>
              {client.disabled ? off : state === null ? on : states[state]}
            </Badge>
          ),
          facts: [
            [owner, <Owner key="owner" of={client} />],
            [
              redirectURLs,
              client.redirectURLs.length === 0
                ? t.noOwner
                : client.redirectURLs.map((url) => (
                    <span key={url} className="block">
                      {url}
                    </span>
                  )),
            ],
            [t.authentication, <code key="authentication">{client.authenticationMethod}</code>],
            ...(client.expiresAt
              ? [[columns.expires, <Day key="expires" date={client.expiresAt} />] satisfies [string, ReactNode]]
              : []),
            [t.created, <Day key="created" date={client.createdAt} />],
            [clientId, <code key="id">{id}</code>],
          ],
        }
      }}
    />
  )
}
