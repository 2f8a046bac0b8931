import { base64url } from '../kit/base64.ts'
import { deriveKey, hmac } from '../kit/hash.ts'
import { type Call, Connection, headerValues, type Reply } from './load.ts'
import type { Server, ServerName } from './servers.ts'
import { baseUrl, secret } from './workers.ts'

/** The users of the cases, the same on each server. */

export const password = 'correct horse battery staple'
export const peoplePerServer = 8

export interface Person {
  email: string
  /** The signed session cookie. */
  token: string
  /** The same with the signed copy of the session, from which get-session may answer. */
  cached: string
  /** API keys: one whose uses are counted, and one without quota and limit. */
  keys: { counted: string; plain: string }
}

/** The differences between the two servers: names of endpoints and fields. */
const names = {
  gatehouse: { prefix: 'gatehouse', sessions: 'sessions', keys: 'api_keys', limited: 'rate_limit_enabled' },
  reference: { prefix: 'better-auth', sessions: 'session', keys: 'apikey', limited: 'rateLimitEnabled' },
}
const namesOf = (server: Server) =>
  server.name === 'gatehouse' || server.name === 'before' ? names.gatehouse : names.reference

/** The headers of the edge and of a browser. A browser sends the origin of its page only with a POST. */
export const from = {
  'cf-ray': 'bench',
  'cf-connecting-ip': '203.0.113.7',
  'x-forwarded-for': '203.0.113.7',
  'user-agent': 'bench',
}

export function expectThat(truth: unknown, reply: Reply, call: Call): asserts truth {
  if (!truth) throw new Error(`${call.method} ${call.path}: wrong answer ${reply.status} ${reply.text.slice(0, 300)}`)
}

export function cookiesOf(reply: Reply): string[] {
  return headerValues(reply, 'set-cookie')
    .map((line) => line.split(';')[0]!)
    .filter((pair) => !pair.endsWith('='))
}

export async function ask(server: Server, call: Call): Promise<Reply> {
  const connection = await Connection.open(server.url)
  const reply = await connection.ask({
    ...call,
    headers: { ...from, ...(call.method === 'POST' ? { origin: baseUrl } : {}), ...call.headers },
  })
  connection.close()
  expectThat(reply.status === 200, reply, call)
  return reply
}

export const people = new Map<ServerName, Person[]>()
let signedUp = 0

export const signUpCall = (): Call => {
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

export async function settle(server: Server): Promise<void> {
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
  // Server-only properties, the same on both servers: a large quota and no limit.
  const { keys, limited } = namesOf(server)
  await server.database
    .prepare(`update ${keys} set ${limited} = 0, remaining = case name when 'counted' then 1000000000 end`)
    .run()
  people.set(server.name, settled)
}

/** Renews the cookie caches, which are valid for five minutes. */
export async function renewCaches(server: Server): Promise<void> {
  for (const person of people.get(server.name)!) {
    for (;;) {
      const path = '/api/auth/get-session?disableCookieCache=true'
      const cookies = cookiesOf(await ask(server, { method: 'GET', path, headers: { cookie: person.token } }))
      person.cached = [person.token, ...cookies.filter((pair) => pair.includes('session_data'))].join('; ')
      // The reference reads the clock twice while it signs, and rejects its own copy if a millisecond has passed.
      const check = await ask(server, {
        method: 'GET',
        path: '/api/auth/get-session',
        headers: { cookie: person.cached },
      })
      if (check.text !== 'null') break
    }
  }
}

/** Proves that the "cached" case answers from the cookie: its session is deleted from the database. */
export async function proveCache(server: Server): Promise<void> {
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

const withOrganizations = new Set<ServerName>()

/** Gives each user an organization, once. */
export async function createOrganizations(server: Server): Promise<void> {
  if (withOrganizations.has(server.name)) return
  withOrganizations.add(server.name)
  for (const [n, { token }] of people.get(server.name)!.entries()) {
    const body = { name: `Organization ${n}`, slug: `organization-${n}` }
    await ask(server, { method: 'POST', path: '/api/auth/organization/create', headers: { cookie: token }, body })
  }
}

/** As the Worker writes it (identity/sessions/session-cache.ts), whose imports Node.js does not run. */
function dataCookie(text: string): string {
  const expiresAt = Date.now() + 300_000
  const signature = hmac(deriveKey(secret, 'session-cache'), `${text.slice(0, -1)},"expiresAt":${expiresAt}}`)
  return base64url(`{"session":${text},"expiresAt":${expiresAt},"signature":"${signature}"}`)
}

export const doomed = new Map<ServerName, string[]>()
let copies = 0

/** Copies one session many times, because each sign-out needs a separate one. */
export async function copySessions(server: Server, count: number): Promise<void> {
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
  // A browser sends the signed copy of the session too, which says its id.
  const cookies = tokens.map((token) => {
    const signed = `${prefix}.session_token=${encodeURIComponent(`${token}.${hmac(secret, token, 'base64')}`)}`
    if (prefix !== names.gatehouse.prefix) return signed
    const copy = JSON.stringify({ session: { id: token, token, userId: row!.user_id }, user: { id: row!.user_id } })
    return `${signed}; ${prefix}.session_data=${dataCookie(copy)}`
  })
  doomed.set(server.name, [...(doomed.get(server.name) ?? []), ...cookies])
}

export async function countDoomed(server: Server): Promise<number> {
  const query = `select count(*) as n from ${namesOf(server).sessions} where token like 'doomed%'`
  return (await server.database.prepare(query).first<{ n: number }>())!.n
}
