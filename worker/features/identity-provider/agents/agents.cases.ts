import { oauthApplications } from '../../../features/identity-provider/clients/clients.table.ts'
import type { FeatureCases } from '../../../testing/cases.ts'
import type { TestApp } from '../../../testing/harness.ts'
import { insertion } from '../../../testing/insertion.ts'
import { type Person, signUp } from '../../../testing/people.ts'
import { administering, known, newPerson } from '../../../testing/set-ups.ts'
import { answered, signedUp } from '../../../testing/ways.ts'

const resource = 'https://agents.example.com'
const body = () => ({ name: 'Buyer', purpose: 'Buys paper', access: { [resource]: ['buy'] } })
const config = {
  identityProvider: { resources: [{ identifier: resource, scopes: { buy: 'Buy office supplies' } }] },
}

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
      config,
    },
  },
  withoutFaults: {
    'one row, which is written again, or deleted': ['POST /agents/allow-provider', 'POST /agents/end-provider'],
    'one consent, which is written again': ['POST /agents/allow'],
  },
  withoutRecency: {
    changesNoCredential: ['POST /agents/set-state', 'POST /admin/set-agent-state'],
  },
  growth: {
    agents: {
      config,
      list: '/agents/list',
      rows: (userId, n) => [
        insertion(oauthApplications, {
          id: `a${n}`,
          clientId: `a${n}`,
          name: 'A',
          redirectURLs: [],
          type: 'web',
          authenticationScheme: 'client_secret_basic',
          userId,
          agent: { purpose: 'P', access: { [resource]: ['buy'] }, callsPerDay: 1, unitsPerDay: 1 },
          agentState: 'active',
          agentExpiresAt: new Date(Date.now() + 1e9),
          registration: { grant_types: [], response_types: [] },
          createdAt: new Date(n),
          updatedAt: new Date(n),
        }),
      ],
      cap: { max: 25, path: '/agents/create', body, success: 200, refusal: 'AGENT_LIMIT_REACHED' },
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
