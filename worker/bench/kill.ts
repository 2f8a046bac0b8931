import { runnerImport } from 'vite'
import { root } from '../scripts/tools.ts'
import type { FeatureCases } from '../testing/cases.ts'
import { type Call, Connection, type Reply } from './load.ts'
import {
  ask,
  bundleOfOne,
  newStorage,
  type OneServer,
  scheduledPath,
  send,
  sessionCookieOf,
  signUpOf,
  startOne,
} from './one-server.ts'

/** Parallel writes of a round: sign-ups, whose hashes take most of the time, and equal parts of the other kinds. */
const writes = 200
const signUps = 20
/** Users who write: no budget of one user or address ends before the rounds. */
const actorCount = 50
/** When workerd is killed, as a share of the duration of the same writes without a kill. */
const killedAt = [0.1, 0.3, 0.5, 0.7, 0.9]
/** A claim of a job ends after three minutes; then the next run takes the job. */
const maxWait = 4 * 60_000

interface Actor {
  cookie: string
  organizationId: string
  /** Of its requests. */
  address: string
}

interface Write extends Call {
  /** Finds the effect with all of its parts, one row. */
  effect: string
  /** The value of the effect's `?`. */
  value: string
}

/** The parts of each effect that one batch writes: all of them, or none. */
const effects = {
  signUp: `select 1 from users
    where email = ?1 and exists (select 1 from accounts where user_id = users.id and password is not null)
      and exists (select 1 from sessions where user_id = users.id)
      and exists (select 1 from security_events where user_id = users.id and type = 'sign-in')`,
  organization: `select 1 from organizations
    where slug = ?1 and exists (select 1 from members where organization_id = organizations.id and role = 'owner')`,
  key: 'select 1 from api_keys where name = ?1 and user_id is not null',
  invitation: "select 1 from invitations where email = ?1 and status = 'pending'",
}

/** What no moment of a kill may leave, in addition to the queries of the fault test. */
const torn: Record<string, string> = {
  'users without a way to sign in': 'select id from users where id not in (select user_id from accounts)',
  'organizations without an owner':
    "select id from organizations where id not in (select organization_id from members where role = 'owner')",
  'a wrong number of users': 'select value from table_counts where name = ? and value <> (select count(*) from users)',
  'another number of organizations than of their audit records': `select 1 where (select count(*) from organizations)
    <> (select count(*) from audit_records where action = 'organization.create')`,
  'rows without their parents': 'pragma foreign_key_check',
  'a damaged database': "select * from pragma_quick_check where quick_check <> 'ok'",
}

/** The queries of the fault test. The modules of its cases are loaded, and nothing of them runs. */
async function inconsistentQueries(): Promise<[string, string][]> {
  const outside = /^(?:cloudflare:|vitest$)/
  const { module } = await runnerImport<{ allCases: FeatureCases[] }>(`${root}/worker/testing/cases.ts`, {
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'without-workerd',
        enforce: 'pre',
        resolveId: (id) => (outside.test(id) ? `\0${id}` : null),
        load: (id) =>
          outside.test(id.slice(1))
            ? 'export class DurableObject {}\nexport class WorkerEntrypoint {}\nexport const env = {}'
            : null,
      },
    ],
  })
  return module.allCases.flatMap(({ inconsistent = {} }) => Object.entries(inconsistent))
}

function writesOf(round: number, actors: readonly Actor[]): Write[] {
  return Array.from({ length: writes }, (_, n): Write => {
    const { cookie, organizationId, address } = actors[n % actorCount]!
    const name = `r${round}n${n}`
    const headers = { cookie, 'cf-connecting-ip': address }
    const post = (path: string, body: object) => ({ method: 'POST' as const, path, headers, body })
    if (n % (writes / signUps) === 0) {
      const email = `${name}@bench.example`
      return { ...signUpOf(email), effect: effects.signUp, value: email }
    }
    switch (n % 3) {
      case 0:
        return {
          ...post('/api/auth/organization/create', { name, slug: name }),
          ...{ effect: effects.organization, value: name },
        }
      case 1:
        return { ...post('/api/auth/api-key/create', { name }), effect: effects.key, value: name }
      default: {
        const email = `${name}@bench.example`
        return {
          ...post('/api/auth/organization/invite-member', { email, role: 'member', organizationId }),
          ...{ effect: effects.invitation, value: email },
        }
      }
    }
  })
}

/**
 * Sends all writes at once. @param kill runs after this time (ms)
 * @returns the responses; null for a lost one
 */
async function writeAll(
  server: OneServer,
  all: readonly Write[],
  kill: { after: number } | null,
): Promise<(Reply | null)[]> {
  const connections = await Promise.all(all.map(() => Connection.open(server.url)))
  const killed = kill && new Promise((resolve) => setTimeout(resolve, kill.after)).then(() => server.kill())
  const replies = await Promise.all(
    all.map(({ effect: _, value: __, ...call }, n) => send(connections[n]!, call).catch(() => null)),
  )
  await killed
  for (const connection of connections) connection.close()
  const failed = replies.findIndex((reply) => reply && reply.status !== 200)
  const { status, text } = replies[failed] ?? {}
  if (failed >= 0) throw new Error(`${all[failed]!.path}: ${status} ${text!.slice(0, 300)}`)
  return replies
}

/** Whether each effect exists. */
async function existing({ database }: OneServer, all: readonly Write[]): Promise<boolean[]> {
  const found = await database.batch(all.map(({ effect, value }) => database.prepare(effect).bind(value)))
  return found.map(({ results }) => results.length === 1)
}

/** @throws for inconsistent data */
async function expectWhole({ database }: OneServer, queries: readonly [string, string][]): Promise<void> {
  const all = [...queries, ...Object.entries(torn)]
  const found = await database.batch(
    all.map(([, query]) => {
      const statement = database.prepare(query)
      return query.includes('?') ? statement.bind('users') : statement
    }),
  )
  const names = all.filter((_, at) => found[at]!.results.length > 0).map(([name]) => name)
  if (names.length > 0) throw new Error(`after a restart: ${names.join('; ')}`)
}

const pendingJobs = async ({ database }: OneServer): Promise<number> =>
  (await database.prepare("select count(*) as n from jobs where state = 'pending'").first<{ n: number }>())!.n

/** The addresses to which mails were sent. */
async function mailedTo({ kv }: OneServer): Promise<Set<string>> {
  const addresses = new Set<string>()
  for (let cursor: string | undefined; ; ) {
    const page = await kv.list({ prefix: 'mailbox:', ...(cursor && { cursor }) })
    for (const { name } of page.keys) {
      const entry = await kv.get<{ to: string }>(name, 'json')
      if (entry) addresses.add(entry.to)
    }
    if (page.list_complete) return addresses
    cursor = page.cursor
  }
}

/**
 * Kills workerd in the middle of 200 parallel writes, five times, and restarts it with the same storage. Every write
 * with a response is present with all of its parts, every other one is whole or absent, and the work of both continues.
 */
export async function killUnderWrites(): Promise<void> {
  const [script, queries] = await Promise.all([bundleOfOne(), inconsistentQueries()])
  const { folder, remove } = newStorage()
  const config = { emailVerification: { sendOnSignUp: true }, account: { hashesPerMinute: 1_000_000 } }
  let server = await startOne(script, folder, config)
  try {
    const actors: Actor[] = []
    for (let n = 0; n < actorCount; n++) {
      const cookie = sessionCookieOf(await ask(server.url, signUpOf(`actor${n}@bench.example`)))
      const body = { name: `Home ${n}`, slug: `home${n}` }
      const path = '/api/auth/organization/create'
      const { text } = await ask(server.url, { method: 'POST', path, headers: { cookie }, body })
      actors.push({ cookie, organizationId: (JSON.parse(text) as { id: string }).id, address: `198.51.100.${n + 1}` })
    }
    // Only they may invite.
    await server.database.prepare('update users set email_verified = 1').run()
    // Their mails are sent before the first kill.
    await ask(server.url, { method: 'GET', path: scheduledPath })
    const heads = ['responses', 'lost', 'of these whole', 'absent', 'jobs waiting', 'restart ms']
    console.log(`\nround${heads.map((head) => head.padStart(15)).join('')}`)
    const mailed: string[] = []
    const started = performance.now()
    await writeAll(server, writesOf(killedAt.length, actors), null)
    const duration = performance.now() - started
    for (const [round, share] of killedAt.entries()) {
      const all = writesOf(round, actors)
      const replies = await writeAll(server, all, { after: share * duration })
      const begin = performance.now()
      server = await startOne(script, folder, config)
      // A session from before the kill is valid.
      const { cookie } = actors[round]!
      const { text } = await ask(server.url, { method: 'GET', path: '/api/auth/get-session', headers: { cookie } })
      if (text === 'null') throw new Error('a session from before the kill is gone')
      const restart = performance.now() - begin
      const present = await existing(server, all)
      const missing = all.filter((_, n) => replies[n] && !present[n])
      if (missing.length > 0) throw new Error(`lost after a response: ${missing.map(({ value }) => value).join()}`)
      await expectWhole(server, queries)
      mailed.push(...all.filter(({ value }, n) => present[n] && value.includes('@')).map(({ value }) => value))
      const lost = replies.filter((reply) => !reply).length
      const whole = present.filter((is, n) => is && !replies[n]).length
      const cells = [writes - lost, lost, whole, lost - whole, await pendingJobs(server), restart.toFixed(0)]
      console.log(`${String(round + 1).padStart(5)}${cells.map((cell) => String(cell).padStart(15)).join('')}`)
      await ask(server.url, { method: 'GET', path: scheduledPath })
    }
    const begin = performance.now()
    while ((await pendingJobs(server)) > 0) {
      if (performance.now() - begin > maxWait) throw new Error(`${await pendingJobs(server)} jobs are left`)
      await new Promise((resolve) => setTimeout(resolve, 5000))
      await ask(server.url, { method: 'GET', path: scheduledPath })
    }
    const sent = await mailedTo(server)
    const unsent = mailed.filter((address) => !sent.has(address))
    if (unsent.length > 0) throw new Error(`no mail to ${unsent.join()}`)
    await expectWhole(server, queries)
    console.log(`\nEvery write with a response is present, and the data is consistent after each restart.`)
    console.log(`All jobs have run ${((performance.now() - begin) / 1000).toFixed(0)} s after the last restart; `)
    console.log(`${mailed.length} mails of these rounds were sent.\n`)
  } finally {
    await server.stop().catch(() => {})
    remove()
  }
}
