import type { FeatureCases } from '../../testing/cases.ts'
import type { TestApp } from '../../testing/harness.ts'
import { insertion } from '../../testing/insertion.ts'
import { type Person, signUp } from '../../testing/people.ts'
import { administering, known, newPerson } from '../../testing/set-ups.ts'
import { answered, signedUp } from '../../testing/ways.ts'
import { oauthApplications } from '../identity-provider/model/clients/clients.table.ts'
import { members } from '../organization/model/members.table.ts'
import { organizations } from '../organization/model/organizations.table.ts'

const resource = 'https://agents.example.com'
const body = () => ({ name: 'Buyer', purpose: 'Buys paper', access: { [resource]: ['buy'] } })
const config = {
  identityProvider: { resources: [{ identifier: resource, scopes: { buy: 'Buy office supplies' } }] },
}

const agentOf = (owner: { userId: string } | { organizationId: string }, n: number) =>
  insertion(oauthApplications, {
    id: `a${n}`,
    clientId: `a${n}`,
    name: 'A',
    redirectURLs: [],
    type: 'web',
    authenticationScheme: 'client_secret_basic',
    ...owner,
    agent: { purpose: 'P', access: { [resource]: ['buy'] }, callsPerDay: 1, unitsPerDay: 1 },
    state: 'active',
    expiresAt: new Date(Date.now() + 1e9),
    registration: { grant_types: [], response_types: [] },
    createdAt: new Date(n),
    updatedAt: new Date(n),
  })

async function withAgent(app: TestApp, person: Person) {
  const device = await signUp(app, person)
  return { device, given: (await device.post('/agents/create', body())).body.agent.clientId as string }
}

export const cases: FeatureCases = {
  config,
  faults: {
    'an agent is created': { endpoint: 'POST /agents/create', before: known, input: body, config },
    'an agent is paused': {
      endpoint: 'POST /agents/set-state',
      before: withAgent,
      input: (clientId: string) => ({ clientId, state: 'paused' }),
      config,
    },
    'an administrator revokes an agent': {
      endpoint: 'POST /admin/set-agent-state',
      before: async (app, person) => {
        const { given } = await withAgent(app, newPerson())
        return { device: (await administering(app, person)).device, given }
      },
      input: (clientId: string) => ({ clientId, state: 'revoked' }),
      afterwards: ['AGENT_NOT_FOUND'],
      config,
    },
  },
  withoutFaults: {
    'one row, which is written again, or deleted': ['POST /agents/allow-provider', 'POST /agents/end-provider'],
    'one consent, which is written again': ['POST /agents/allow'],
  },
  growth: {
    agents: {
      config,
      list: '/agents/list',
      rows: (userId, n) => [agentOf({ userId }, n)],
      cap: { max: 25, path: '/agents/create', body, success: 200, refusal: 'AGENT_LIMIT_REACHED' },
    },
    'agents of organizations': {
      config,
      list: '/agents/shared',
      rows: (userId, n) => [
        insertion(organizations, {
          id: `o${n}`,
          name: 'O',
          slug: `o${n}`,
          createdAt: new Date(n),
        }),
        insertion(members, { id: `m${n}`, organizationId: `o${n}`, userId, role: 'member', createdAt: new Date(n) }),
        agentOf({ organizationId: `o${n}` }, n),
      ],
    },
  },
  securityEvents: {
    'an agent is created': {
      config,
      act: signedUp(async (device) => {
        await answered(device.post('/agents/create', body()))
      }),
      events: ['oauth-client-created'],
    },
  },
}
