import { readdirSync } from 'node:fs'
import { type Call, Connection, quantile, type Reply } from './load.ts'
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
  usageOf,
} from './one-server.ts'
import { expectThat, password } from './people.ts'

const residents = 24
const connections = 8
/** Milliseconds between two steps of a connection: the soak looks for growth, not for the limit of the machine. */
const pause = 40
const sampleEvery = 5000
const cronEvery = 30_000

interface Resident {
  email: string
  cookie: string
  key: string
}

interface Sample {
  memory: number
  handles: number
}

/** Tables whose rows may not be more at the end than before the load: what was made was deleted. */
const steady = ['users', 'accounts', 'organizations', 'members', 'api_keys'] as const
/** The maximum of rows per resident in tables with a cap per user; of all in the outbox, which is empty when it is idle. */
const caps = { sessions: 100 * residents, security_events: 1000 * residents, jobs: 200 }

const post = (path: string, cookie: string, body: object): Call => ({
  method: 'POST',
  path: `/api/auth${path}`,
  headers: { cookie },
  body,
})
const get = (path: string, headers: Record<string, string>): Call => ({
  method: 'GET',
  path: `/api/auth${path}`,
  headers,
})

async function rowsOf({ database }: OneServer): Promise<Record<string, number>> {
  const { results } = await database
    .prepare(
      `select name from sqlite_master where type = 'table' and name not glob '_cf_*' and name not glob 'sqlite_*'`,
    )
    .all<{ name: string }>()
  const counts = await database.batch<{ n: number }>(
    results.map(({ name }) => database.prepare(`select count(*) as n from "${name}"`)),
  )
  return Object.fromEntries(results.map(({ name }, at) => [name, counts[at]!.results[0]!.n]))
}

const filesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true }).filter((file) => String(file).endsWith('.sqlite')).length

const middle = (samples: readonly Sample[], of: keyof Sample) =>
  quantile(
    samples.map((sample) => sample[of]),
    0.5,
  )

/**
 * A mixed load for some minutes: no response is an error, and memory, handles and rows do not grow. Prints the p99 of
 * each request and what the process used.
 */
export async function soak(minutes: number): Promise<void> {
  const script = await bundleOfOne()
  const { folder, remove } = newStorage()
  const server = await startOne(script, folder)
  const latencies = new Map<string, number[]>()
  const samples: Sample[] = []
  try {
    const people: Resident[] = []
    for (let n = 0; n < residents; n++) {
      const email = `resident${n}@bench.example`
      const cookie = sessionCookieOf(await ask(server.url, signUpOf(email)))
      const { text } = await ask(server.url, post('/api-key/create', cookie, { name: 'soak' }))
      people.push({ email, cookie, key: (JSON.parse(text) as { key: string }).key })
    }
    // Their default is a limit of uses in a day.
    await server.database.prepare('update api_keys set rate_limit_enabled = 0').run()
    const before = await rowsOf(server)
    const end = performance.now() + minutes * 60_000
    let newcomers = 0

    const run = async (connection: Connection, name: string, call: Call): Promise<Reply> => {
      const sent = performance.now()
      const reply = await send(connection, call)
      const list = latencies.get(name) ?? []
      latencies.set(name, list)
      list.push(performance.now() - sent)
      expectThat(reply.status === 200, reply, call)
      await new Promise((resolve) => setTimeout(resolve, pause))
      return reply
    }

    /** A user who comes, makes something of each kind, and leaves with all of it. */
    async function comeAndGo(connection: Connection): Promise<void> {
      const name = `newcomer${++newcomers}`
      const cookie = sessionCookieOf(await run(connection, 'sign-up', signUpOf(`${name}@bench.example`)))
      const created = await run(
        connection,
        'organization/create',
        post('/organization/create', cookie, { name, slug: name }),
      )
      const organizationId = (JSON.parse(created.text) as { id: string }).id
      await run(connection, 'api-key/create', post('/api-key/create', cookie, { name }))
      await run(connection, 'update-user', post('/update-user', cookie, { name: `${name} II` }))
      await run(connection, 'organization/delete', post('/organization/delete', cookie, { organizationId }))
      await run(connection, 'delete-user', post('/delete-user', cookie, { password }))
    }

    async function stay(connection: Connection, resident: Resident): Promise<void> {
      const { email, cookie, key } = resident
      for (let n = 0; n < 5; n++) {
        await run(connection, 'get-session', get('/get-session', { cookie }))
        await run(connection, 'get-session by API key', get('/get-session', { 'x-api-key': key }))
        await run(connection, 'organization/list', get('/organization/list', { cookie }))
        await run(connection, 'token', get('/token', { cookie }))
      }
      await run(connection, 'list-sessions', get('/list-sessions', { cookie }))
      const credentials = { email, password }
      const signedIn = await run(connection, 'sign-in', {
        method: 'POST',
        path: '/api/auth/sign-in/email',
        body: credentials,
      })
      await run(connection, 'sign-out', post('/sign-out', sessionCookieOf(signedIn), {}))
    }

    const visit = async (number: number): Promise<void> => {
      const connection = await Connection.open(server.url)
      for (let n = number; performance.now() < end; n++) {
        if (n % 4 === 0) await comeAndGo(connection)
        else await stay(connection, people[n % residents]!)
      }
      connection.close()
    }

    const cron = async (): Promise<void> => {
      for (let next = cronEvery; performance.now() < end; next -= sampleEvery) {
        await new Promise((resolve) => setTimeout(resolve, sampleEvery))
        const usage = usageOf(server.pid)
        if (usage) samples.push(usage)
        if (next > 0) continue
        await ask(server.url, { method: 'GET', path: scheduledPath })
        next = cronEvery
      }
    }
    const begin = usageOf(server.pid)
    await Promise.all([cron(), ...Array.from({ length: connections }, (_, n) => visit(n))])
    const used = usageOf(server.pid)
    // What the last responses began.
    await new Promise((resolve) => setTimeout(resolve, 5000))
    await ask(server.url, { method: 'GET', path: scheduledPath })
    const after = await rowsOf(server)

    const all = [...latencies.values()].flat()
    console.log(`\n${minutes} minutes, ${all.length} requests, no error; ${newcomers} users came and went`)
    console.log(
      `\n${'request'.padEnd(30)}${['count', 'p50 ms', 'p99 ms', 'max ms'].map((cell) => cell.padStart(9)).join('')}`,
    )
    for (const [name, list] of [...latencies, ['all', all] as const]) {
      const cells = [list.length, ...[0.5, 0.99, 1].map((share) => quantile(list, share).toFixed(1))]
      console.log(`${name.padEnd(30)}${cells.map((cell) => String(cell).padStart(9)).join('')}`)
    }
    if (begin && used)
      console.log(`\nCPU of workerd per request: ${((used.cpu - begin.cpu) / all.length).toFixed(2)} ms`)
    const grown = Object.entries(after).filter(([name, count]) => count !== before[name])
    console.log(
      `rows, before -> after: ${grown.map(([name, count]) => `${name} ${before[name]} -> ${count}`).join(', ')}`,
    )
    console.log(`databases of objects on the disk: ${filesIn(folder)}`)

    const third = Math.floor(samples.length / 3)
    const [second, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)]
    console.log(
      `memory (MB), handles: ${[samples.slice(0, third), second, last]
        .map((part) => `${middle(part, 'memory').toFixed(0)}, ${middle(part, 'handles')}`)
        .join(' -> ')} (medians of each third)\n`,
    )

    const failures = [
      ...steady.filter((name) => after[name] !== before[name]).map((name) => `${name} has more rows`),
      ...Object.entries(caps)
        .filter(([name, cap]) => after[name]! > cap)
        .map(([name, cap]) => `${name} has more than ${cap} rows`),
      ...(middle(last, 'memory') > 1.2 * middle(second, 'memory') ? ['the memory grows'] : []),
      ...(middle(last, 'handles') > 1.2 * middle(second, 'handles') ? ['the handles grow'] : []),
    ]
    if (failures.length > 0) throw new Error(failures.join('; '))
  } finally {
    await server.stop()
    remove()
  }
}
