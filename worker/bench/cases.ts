import { createHmac } from 'node:crypto'
import { duration } from './arguments.ts'
import { baselineCookie } from './baseline-cookie.ts'
import { type Call, Connection, headerValues, type Reply } from './load.ts'
import {
  ask,
  cookiesOf,
  copySessions,
  countDoomed,
  createOrganizations,
  doomed,
  expectThat,
  from,
  type Person,
  password,
  people,
  peoplePerServer,
  renewCaches,
  signUpCall,
} from './people.ts'
import type { Server } from './servers.ts'
import { oauthClient, webhookSecret } from './workers.ts'

/** The measured cases; every response is checked. */

export interface Case {
  name: string
  connections: number
  /** The minimum work of an endpoint of this kind. */
  baseline: '/cookie' | '/select' | '/batch' | '/update' | '/scrypt'
  /** Called by another Worker over a service binding, as is the baseline's statement. */
  remote?: true
  /** The reference has no equivalent. */
  alone?: boolean
  before?(server: Server): Promise<void>
  after?(server: Server): Promise<void>
  next(server: Server, n: number): Call
  check(reply: Reply, call: Call): void
}

/** The ids of the webhooks that were sent. */
const sentWebhooks = new Set<string>()
let webhooks = 0
let lastWebhook: Call | null = null

/** A signed event of the billing provider; every tenth is sent twice. */
function webhookCall(): Call {
  if (lastWebhook && ++webhooks % 10 === 0) return lastWebhook
  const moment = new Date().toISOString()
  const refund = {
    id: `refund-${++webhooks}`,
    created_at: moment,
    modified_at: null,
    metadata: {},
    status: 'succeeded',
  }
  const amounts = { reason: 'other', amount: 100, tax_amount: 0, currency: 'usd', revoke_benefits: false }
  const ids = { organization_id: 'o', order_id: 'o', subscription_id: null, customer_id: 'c' }
  const body = { type: 'refund.created', timestamp: moment, data: { ...refund, ...amounts, ...ids } }
  const [id, at] = [`msg-${webhooks}`, Math.floor(Date.now() / 1000)]
  const text = `${id}.${at}.${JSON.stringify(body)}`
  const signature = createHmac('sha256', webhookSecret).update(text).digest('base64')
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` }
  sentWebhooks.add(id)
  lastWebhook = { method: 'POST', path: '/api/auth/polar/webhooks', headers, body }
  return lastWebhook
}

const credentials = { client_id: oauthClient.id, client_secret: oauthClient.secret }

/** Authorization codes that no client has exchanged yet. */
const codes: string[] = []

/** Requests this number of codes over eight connections. */
async function gatherCodes(server: Server, wanted: number): Promise<void> {
  const query = new URLSearchParams({
    client_id: oauthClient.id,
    response_type: 'code',
    redirect_uri: oauthClient.callback,
    scope: 'openid email',
  })
  const path = `/api/auth/oauth2/authorize?${query}`
  await Promise.all(
    people.get(server.name)!.map(async ({ token }) => {
      const connection = await Connection.open(server.url)
      while (codes.length < wanted) {
        const call: Call = { method: 'GET', path, headers: { ...from, cookie: token } }
        const reply = await connection.ask(call)
        const [, code] = /[?&]code=(\w+)/.exec(headerValues(reply, 'location')[0] ?? '') ?? []
        expectThat(reply.status === 302 && code, reply, call)
        codes.push(code)
      }
      connection.close()
    }),
  )
}

function exchangeCall(): Call {
  const code = codes.pop()
  if (!code) throw new Error('token exchange: not enough codes were gathered')
  const body = { grant_type: 'authorization_code', code, redirect_uri: oauthClient.callback, ...credentials }
  return { method: 'POST', path: '/api/auth/oauth2/token', body }
}

let accessToken = ''
let jwt = ''

const personOf = (server: Server, n: number): Person => people.get(server.name)![n % peoplePerServer]!

const isSession = (reply: Reply, call: Call) => {
  const answer = JSON.parse(reply.text) as { user?: { email?: string }; session?: { token?: string } } | null
  expectThat(reply.status === 200 && answer?.user?.email && answer.session?.token, reply, call)
}

const isSignedIn = (reply: Reply, call: Call) => {
  const answer = JSON.parse(reply.text) as { token?: string; user?: { email?: string } }
  const { email } = call.body as { email: string }
  expectThat(reply.status === 200 && answer.token && answer.user?.email === email, reply, call)
  expectThat(
    cookiesOf(reply).some((pair) => pair.includes('session_token=')),
    reply,
    call,
  )
}

const isVerified = (reply: Reply, call: Call) => {
  const answer = JSON.parse(reply.text) as { valid?: boolean; key?: { id?: string } }
  expectThat(reply.status === 200 && answer.valid && answer.key?.id, reply, call)
}

const keyCases = (['counted', 'plain'] as const).flatMap((kind): Case[] => {
  const baseline = kind === 'counted' ? '/update' : '/select'
  const told = kind === 'counted' ? 'with a quota' : 'without quota and limit'
  return [
    {
      name: `API key verified, ${told}`,
      connections: 8,
      baseline,
      remote: true,
      next: (server, n) => ({ method: 'POST', path: '/verifyApiKey', body: { key: personOf(server, n).keys[kind] } }),
      check: isVerified,
    },
    {
      name: `get-session by API key, ${told}`,
      connections: 8,
      baseline,
      next: (server, n) => ({
        method: 'GET',
        path: '/api/auth/get-session',
        headers: { 'x-api-key': personOf(server, n).keys[kind] },
      }),
      check: isSession,
    },
  ]
})

export const cases: Case[] = [
  {
    name: 'get-session, uncached',
    connections: 8,
    baseline: '/select',
    next: (server, n) => ({
      method: 'GET',
      path: '/api/auth/get-session',
      headers: { cookie: personOf(server, n).token },
    }),
    check: isSession,
  },
  {
    name: 'get-session, cookie cache',
    connections: 8,
    baseline: '/cookie',
    before: renewCaches,
    next: (server, n) => ({
      method: 'GET',
      path: '/api/auth/get-session',
      headers: { cookie: personOf(server, n).cached },
    }),
    check: isSession,
  },
  {
    name: 'organization/list',
    connections: 8,
    baseline: '/batch',
    before: createOrganizations,
    next: (server, n) => ({
      method: 'GET',
      path: '/api/auth/organization/list',
      headers: { cookie: personOf(server, n).token },
    }),
    check: (reply, call) => {
      const [first] = JSON.parse(reply.text) as { slug?: string }[]
      expectThat(reply.status === 200 && first?.slug, reply, call)
    },
  },
  {
    name: 'token status',
    connections: 8,
    baseline: '/select',
    alone: true,
    before: async (server) => {
      if (jwt) return
      const headers = { cookie: personOf(server, 0).token }
      jwt = (
        JSON.parse((await ask(server, { method: 'GET', path: '/api/auth/token', headers })).text) as { token: string }
      ).token
    },
    next: () => ({ method: 'POST', path: '/api/auth/token/status', body: { token: jwt } }),
    check: (reply, call) => expectThat(reply.status === 200 && reply.text === '{"active":true}', reply, call),
  },
  {
    name: 'token',
    connections: 8,
    baseline: '/select',
    next: (server, n) => ({ method: 'GET', path: '/api/auth/token', headers: { cookie: personOf(server, n).token } }),
    check: (reply, call) => {
      const { token } = JSON.parse(reply.text) as { token?: string }
      expectThat(reply.status === 200 && token?.split('.').length === 3, reply, call)
    },
  },
  {
    name: 'sign-in',
    connections: 2,
    baseline: '/scrypt',
    next: (server, n) => ({
      method: 'POST',
      path: '/api/auth/sign-in/email',
      body: { email: personOf(server, n).email, password },
    }),
    check: isSignedIn,
  },
  ...keyCases,
  { name: 'sign-up', connections: 2, baseline: '/scrypt', next: signUpCall, check: isSignedIn },
  {
    name: 'sign-out',
    connections: 8,
    baseline: '/select',
    before: (server) => copySessions(server, Math.ceil(duration * 6)),
    next: (server) => {
      const cookie = doomed.get(server.name)!.pop()
      if (!cookie) throw new Error('sign-out: not enough sessions were prepared')
      return { method: 'POST', path: '/api/auth/sign-out', headers: { cookie }, body: {} }
    },
    check: (reply, call) => {
      expectThat(
        reply.status === 200 && (JSON.parse(reply.text) as { success?: boolean }).success === true,
        reply,
        call,
      )
    },
    after: async (server) => {
      const left = await countDoomed(server)
      const unused = doomed.get(server.name)!.length
      if (left !== unused) throw new Error(`sign-out at ${server.name}: ${left} sessions are left, not ${unused}`)
    },
  },
  {
    name: 'token exchange',
    connections: 8,
    baseline: '/update',
    alone: true,
    before: (server) => gatherCodes(server, duration * 2),
    next: exchangeCall,
    check: (reply, call) => {
      const { access_token, id_token } = JSON.parse(reply.text) as { access_token?: string; id_token?: string }
      expectThat(reply.status === 200 && access_token && id_token, reply, call)
    },
  },
  {
    name: 'introspection',
    connections: 8,
    baseline: '/select',
    alone: true,
    before: async (server) => {
      if (accessToken) return
      await gatherCodes(server, 1)
      accessToken = (JSON.parse((await ask(server, exchangeCall())).text) as { access_token: string }).access_token
    },
    next: () => ({ method: 'POST', path: '/api/auth/oauth2/introspect', body: { token: accessToken, ...credentials } }),
    check: (reply, call) =>
      expectThat(reply.status === 200 && (JSON.parse(reply.text) as { active?: boolean }).active === true, reply, call),
  },
  {
    name: 'billing webhook',
    connections: 8,
    baseline: '/select',
    alone: true,
    next: webhookCall,
    check: (reply, call) => expectThat(reply.status === 200 && reply.text === '{"received":true}', reply, call),
    after: async ({ database }) => {
      const query = "select count(*) as n from jobs where state = 'done'"
      const { n } = (await database.prepare(query).first<{ n: number }>())!
      if (n !== sentWebhooks.size) throw new Error(`${sentWebhooks.size} webhooks were sent, ${n} are in the ledger`)
    },
  },
]

export const baselineCase = (path: string): Pick<Case, 'next' | 'check'> => ({
  next: () => ({ method: 'GET', path, ...(path === '/cookie' ? { headers: { cookie: baselineCookie() } } : {}) }),
  check: (reply, call) => expectThat(reply.status === 200 && reply.text === '{"ok":true}', reply, call),
})

/** The same statement over a service binding. */
export const remoteBaselineCase = (path: string): Pick<Case, 'next' | 'check'> => ({
  next: () => ({ method: 'POST', path, body: {} }),
  check: baselineCase(path).check,
})
