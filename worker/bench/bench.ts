// `npm run bench`: this Worker beside a published server that speaks the same protocol, in one local workerd.
// Rounds are interleaved, every answer is checked, and the floor of the machine stands beside them.

import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { parseArgs } from 'node:util'
import { signValue } from '../kit/cookies.ts'
import { measureFirstPaint } from './first-paint.ts'
import { floorCookie } from './floor-cookie.ts'
import { type Call, Connection, headerValues, measure, quantile, type Reply, type Round } from './load.ts'
import {
  baseUrl,
  installReference,
  type Server,
  type ServerName,
  secret,
  startServers,
  webhookSecret,
} from './servers.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    /** Length of one round. */
    seconds: { type: 'string', default: '2' },
    /** Only the cases whose name contains this; `first-paint` is one in a browser. */
    only: { type: 'string', default: '' },
  },
})
const rounds = Number(values.rounds)
const duration = Number(values.seconds) * 1000

const password = 'correct horse battery staple'
const peoplePerServer = 8

interface Person {
  email: string
  /** The signed session cookie. */
  token: string
  /** The same with the signed copy of the session, from which get-session may answer. */
  cached: string
  /** API keys: one whose uses are counted, and one without quota and limit. */
  keys: { counted: string; plain: string }
}

/** What differs between the two servers: how they name things. */
const names = {
  gatehouse: { prefix: 'gatehouse', sessions: 'sessions', keys: 'api_keys', limited: 'rate_limit_enabled' },
  reference: { prefix: 'better-auth', sessions: 'session', keys: 'apikey', limited: 'rateLimitEnabled' },
}
const namesOf = (server: Server) => (server.name === 'gatehouse' ? names.gatehouse : names.reference)

/** What the edge and a browser put on every request; a browser names its page's origin only when it posts. */
const from = {
  'cf-ray': 'bench',
  'cf-connecting-ip': '203.0.113.7',
  'x-forwarded-for': '203.0.113.7',
  'user-agent': 'bench',
}

function expectThat(truth: unknown, reply: Reply, call: Call): asserts truth {
  if (!truth) throw new Error(`${call.method} ${call.path}: wrong answer ${reply.status} ${reply.text.slice(0, 300)}`)
}

function cookiesOf(reply: Reply): string[] {
  return headerValues(reply, 'set-cookie')
    .map((line) => line.split(';')[0]!)
    .filter((pair) => !pair.endsWith('='))
}

async function ask(server: Server, call: Call): Promise<Reply> {
  const connection = await Connection.open(server.url)
  const reply = await connection.ask({
    ...call,
    headers: { ...from, ...(call.method === 'POST' ? { origin: baseUrl } : {}), ...call.headers },
  })
  connection.close()
  expectThat(reply.status === 200, reply, call)
  return reply
}

const people = new Map<ServerName, Person[]>()
let signedUp = 0

const signUpCall = (): Call => {
  const email = `person${++signedUp}@bench.example`
  return { method: 'POST', path: '/api/auth/sign-up/email', body: { name: 'Person', email, password } }
}

async function keyOf(server: Server, cookie: string, name: string): Promise<string> {
  const reply = await ask(server, {
    method: 'POST',
    path: '/api/auth/api-key/create',
    headers: { cookie },
    body: { name },
  })
  return (JSON.parse(reply.text) as { key: string }).key
}

async function settle(server: Server): Promise<void> {
  const settled: Person[] = []
  for (let n = 0; n < peoplePerServer; n++) {
    const call = signUpCall()
    const cookies = cookiesOf(await ask(server, call))
    const token = cookies.find((pair) => pair.includes('session_token='))
    if (!token) throw new Error(`${server.name} gave no session cookie`)
    const { email } = call.body as { email: string }
    const keys = { counted: await keyOf(server, token, 'counted'), plain: await keyOf(server, token, 'plain') }
    settled.push({ email, token, cached: cookies.join('; '), keys })
  }
  // What only servers may set, the same on both sides: a quota that lasts, and no limit.
  const { keys, limited } = namesOf(server)
  await server.database
    .prepare(`update ${keys} set ${limited} = 0, remaining = case name when 'counted' then 1000000000 end`)
    .run()
  people.set(server.name, settled)
}

/** Renews the cookie caches, which live for five minutes. */
async function renewCaches(server: Server): Promise<void> {
  for (const person of people.get(server.name)!) {
    for (;;) {
      const path = '/api/auth/get-session?disableCookieCache=true'
      const cookies = cookiesOf(await ask(server, { method: 'GET', path, headers: { cookie: person.token } }))
      person.cached = [person.token, ...cookies.filter((pair) => pair.includes('session_data'))].join('; ')
      // The reference reads the clock twice while it signs, and refuses its own copy when a millisecond went by.
      const check = await ask(server, {
        method: 'GET',
        path: '/api/auth/get-session',
        headers: { cookie: person.cached },
      })
      if (check.text !== 'null') break
    }
  }
}

/** Proves that the "cached" case does answer from the cookie: with a session that is gone from the database. */
async function proveCache(server: Server): Promise<void> {
  const reply = await ask(server, { ...signUpCall() })
  const cookie = cookiesOf(reply).join('; ')
  const { token } = JSON.parse(reply.text) as { token: string }
  await server.database
    .prepare(`delete from ${namesOf(server).sessions} where token = ?`)
    .bind(token)
    .run()
  const call: Call = { method: 'GET', path: '/api/auth/get-session', headers: { cookie } }
  const cached = await ask(server, call)
  expectThat((JSON.parse(cached.text) as { session?: object } | null)?.session, cached, call)
}

const doomed = new Map<ServerName, string[]>()
let copies = 0

/** Copies one session many times, for sign-outs that each need their own. */
async function copySessions(server: Server, count: number): Promise<void> {
  const { sessions, prefix } = namesOf(server)
  const row = await server.database.prepare(`select * from ${sessions} limit 1`).first<Record<string, unknown>>()
  const columns = Object.keys(row!)
  const first = copies
  copies += count
  const copied = columns.map((column) =>
    column === 'id' || column === 'token' ? `printf('doomed%026d', n)` : `"${column}"`,
  )
  await server.database
    .prepare(
      `insert into ${sessions} (${columns.map((column) => `"${column}"`).join(', ')})
       with recursive counter (n) as (select ?1 union all select n + 1 from counter where n + 1 < ?2)
       select ${copied.join(', ')} from counter, (select * from ${sessions} where id = ?3)`,
    )
    .bind(first, copies, row!.id)
    .run()
  const tokens = Array.from({ length: count }, (_, n) => `doomed${String(first + n).padStart(26, '0')}`)
  const cookies = tokens.map((token) => `${prefix}.session_token=${encodeURIComponent(signValue([secret], token))}`)
  doomed.set(server.name, [...(doomed.get(server.name) ?? []), ...cookies])
}

async function countDoomed(server: Server): Promise<number> {
  const query = `select count(*) as n from ${namesOf(server).sessions} where token like 'doomed%'`
  return (await server.database.prepare(query).first<{ n: number }>())!.n
}

interface Case {
  name: string
  connections: number
  /** The part of the floor that an endpoint of this kind cannot do without. */
  floor: '/cookie' | '/select' | '/update' | '/scrypt'
  /** Asked by another Worker over a service binding, the floor's statement too. */
  remote?: true
  /** The reference has nothing of the kind. */
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

/** A signed event of the billing provider, every tenth for the second time. */
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
  const floor = kind === 'counted' ? '/update' : '/select'
  const told = kind === 'counted' ? 'with a quota' : 'without quota and limit'
  return [
    {
      name: `API key verified, ${told}`,
      connections: 8,
      floor,
      remote: true,
      next: (server, n) => ({ method: 'POST', path: '/verifyApiKey', body: { key: personOf(server, n).keys[kind] } }),
      check: isVerified,
    },
    {
      name: `get-session by API key, ${told}`,
      connections: 8,
      floor,
      next: (server, n) => ({
        method: 'GET',
        path: '/api/auth/get-session',
        headers: { 'x-api-key': personOf(server, n).keys[kind] },
      }),
      check: isSession,
    },
  ]
})

const cases: Case[] = [
  {
    name: 'get-session',
    connections: 8,
    floor: '/select',
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
    floor: '/cookie',
    before: renewCaches,
    next: (server, n) => ({
      method: 'GET',
      path: '/api/auth/get-session',
      headers: { cookie: personOf(server, n).cached },
    }),
    check: isSession,
  },
  {
    name: 'token',
    connections: 8,
    floor: '/select',
    next: (server, n) => ({ method: 'GET', path: '/api/auth/token', headers: { cookie: personOf(server, n).token } }),
    check: (reply, call) => {
      const { token } = JSON.parse(reply.text) as { token?: string }
      expectThat(reply.status === 200 && token?.split('.').length === 3, reply, call)
    },
  },
  {
    name: 'sign-in',
    connections: 2,
    floor: '/scrypt',
    next: (server, n) => ({
      method: 'POST',
      path: '/api/auth/sign-in/email',
      body: { email: personOf(server, n).email, password },
    }),
    check: isSignedIn,
  },
  ...keyCases,
  { name: 'sign-up', connections: 2, floor: '/scrypt', next: signUpCall, check: isSignedIn },
  {
    name: 'sign-out',
    connections: 8,
    floor: '/select',
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
    name: 'billing webhook',
    connections: 8,
    floor: '/select',
    alone: true,
    next: webhookCall,
    check: (reply, call) => expectThat(reply.status === 200 && reply.text === '{"received":true}', reply, call),
    after: async ({ database }) => {
      const query = 'select count(*) as n from billing_webhooks where done'
      const { n } = (await database.prepare(query).first<{ n: number }>())!
      if (n !== sentWebhooks.size) throw new Error(`${sentWebhooks.size} webhooks were sent, ${n} are in the ledger`)
    },
  },
]

const floorCase = (path: string): Pick<Case, 'next' | 'check'> => ({
  next: () => ({ method: 'GET', path, ...(path === '/cookie' ? { headers: { cookie: floorCookie() } } : {}) }),
  check: (reply, call) => expectThat(reply.status === 200 && reply.text === '{"ok":true}', reply, call),
})

/** The same statement, behind a service binding. */
const remoteFloorCase = (path: string): Pick<Case, 'next' | 'check'> => ({
  next: () => ({ method: 'POST', path, body: {} }),
  check: floorCase(path).check,
})

interface Row {
  name: string
  rate: number
  p50: number
  p99: number
}

function rowOf(name: string, measured: Round[]): Row {
  const latencies = measured.flatMap((round) => round.latencies)
  const rates = measured.map((round) => (round.latencies.length / round.elapsed) * 1000)
  return { name, rate: quantile(rates, 0.5), p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) }
}

/** Measures several things in turn, in another order each round, so that what disturbs the machine disturbs all. */
async function interleave(
  runs: { name: string; round(milliseconds: number): Promise<Round> }[],
  length: number,
): Promise<Row[]> {
  const measured = new Map<string, Round[]>(runs.map(({ name }) => [name, []]))
  for (const { round } of runs) await round(length / 4)
  for (let n = 0; n < rounds; n++) {
    for (let at = 0; at < runs.length; at++) {
      const { name, round } = runs[(at + n) % runs.length]!
      measured.get(name)!.push(await round(length))
    }
  }
  return runs.map(({ name }) => rowOf(name, measured.get(name)!))
}

const cell = (number: number) => number.toFixed(number < 100 ? 1 : 0).padStart(9)
const line = ({ name, rate, p50, p99 }: Row, note = '') =>
  console.log(`  ${name.padEnd(34)}${cell(rate)}${cell(p50)}${cell(p99)}   ${note}`)
const title = (text: string) =>
  console.log(`\n${text.padEnd(36)}${'req/s'.padStart(9)}${'p50 ms'.padStart(9)}${'p99 ms'.padStart(9)}`)

// In a browser, and for this Worker alone; it is asked for by its name.
if (values.only === 'first-paint') {
  await measureFirstPaint(rounds)
  process.exit(0)
}

await installReference(async (folder) => {
  console.log('Installing the reference (once) ...')
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error('The reference could not be installed: it needs the network once.')
})
console.log(`Bundling and starting the Workers; then ${rounds} rounds of ${duration / 1000} s for each row ...`)
const { servers, stop } = await startServers()
try {
  const { floor, gatehouse, reference, 'reference-shared': shared } = servers
  for (const server of [reference, shared, gatehouse]) {
    await settle(server)
    await proveCache(server)
  }

  title('the floor of this machine')
  const paths = [
    ['/constant', 8],
    ['/cookie', 8],
    ['/select', 8],
    ['/update', 8],
    ['/scrypt', 2],
  ] as const
  for (const [path, connections] of paths) {
    const { next, check } = floorCase(path)
    const round = (length: number) => measure(floor.url, connections, length, () => next(floor, 0), check)
    for (const row of await interleave([{ name: path.slice(1), round }], duration / 2)) line(row)
  }

  for (const { name, connections, floor: path, remote, alone, next, check, before, after } of cases.filter((one) =>
    one.name.includes(values.only),
  )) {
    const runOf = (label: string, server: Server) => ({
      name: label,
      round: async (length: number) => {
        await before?.(server)
        let n = 0
        const round = await measure(
          remote ? server.neighbourUrl : server.url,
          connections,
          length,
          () => {
            const call = next(server, n++)
            return {
              ...call,
              headers: { ...from, ...(call.method === 'POST' ? { origin: baseUrl } : {}), ...call.headers },
            }
          },
          (reply, call) => {
            try {
              check(reply, call)
            } catch (thrown) {
              throw new Error(`${label}: ${call.method} ${call.path}`, { cause: thrown })
            }
          },
        )
        await after?.(server)
        return round
      },
    })
    const least = remote ? remoteFloorCase(path) : floorCase(path)
    const rows = await interleave(
      [
        runOf('Gatehouse', gatehouse),
        ...(alone
          ? []
          : [runOf('reference, instance per request', reference), runOf('reference, instance per isolate', shared)]),
        {
          name: `floor: ${path.slice(1)}`,
          round: (length) =>
            measure(
              remote ? floor.neighbourUrl : floor.url,
              connections,
              length,
              () => least.next(floor, 0),
              least.check,
            ),
        },
      ],
      duration,
    )
    title(`${name}, ${connections} connections`)
    const [ours, ...others] = rows as [Row, ...Row[]]
    line(ours)
    for (const other of others) {
      const isFloor = other.name.startsWith('floor')
      const ratio = isFloor ? other.rate / ours.rate : ours.rate / other.rate
      line(
        other,
        isFloor ? `the floor is ${ratio.toFixed(2)} times as fast` : `Gatehouse is ${ratio.toFixed(2)} times as fast`,
      )
    }
  }
  console.log('')
} finally {
  await stop()
}
