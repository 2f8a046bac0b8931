import { readdirSync } from 'node:fs'
import { hostileCalls } from './hostile.ts'
import { type Call, Connection, headerValues, quantile, type Reply } from './load.ts'
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
import { oauthClient } from './workers.ts'

const residents = 24
const connections = 8
/** Milliseconds between two steps of a connection: the soak looks for growth, not for the limit of the machine. */
const pause = 40
const sampleEvery = 5000
const cronEvery = 30_000
/** What the last third of the time may use, of the second third. Handles are those of the objects that are awake. */
const allowed = { memory: 1.05, handles: 1.5 }

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

/** The server may answer and close before it has read a large body; then the client's write can fail before it reads the answer. */
const isUnread = (thrown: NodeJS.ErrnoException, { text = '' }: Call): boolean =>
  (thrown.code === 'EPIPE' || thrown.code === 'ECONNRESET') && text.length > 64 * 1024

const middle = (samples: readonly Sample[], of: keyof Sample) =>
  quantile(
    samples.map((sample) => sample[of]),
    0.5,
  )

/**
 * A mixed load for some minutes, with hostile bodies: each response has its status, and memory, handles and rows do not
 * grow. Prints the p99 of each request and what the process used.
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

    const run = async (
      connection: Connection,
      name: string,
      call: Call,
      status: number | 'refused' = 200,
    ): Promise<Reply> => {
      const sent = performance.now()
      const reply = await send(connection, call)
      const list = latencies.get(name) ?? []
      latencies.set(name, list)
      list.push(performance.now() - sent)
      const isRefused = reply.status >= 400 && reply.status < 500
      expectThat(status === 'refused' ? isRefused : reply.status === status, reply, call)
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

    const client = { client_id: oauthClient.id, client_secret: oauthClient.secret }

    /** What an application does for a user who signs in to it. */
    async function openApplication(connection: Connection, cookie: string): Promise<void> {
      const redirect_uri = oauthClient.callback
      const scope = 'openid email'
      const query = new URLSearchParams({ client_id: client.client_id, response_type: 'code', redirect_uri, scope })
      const authorized = await run(connection, 'authorization code', get(`/oauth2/authorize?${query}`, { cookie }), 302)
      const [, code] = /[?&]code=(\w+)/.exec(headerValues(authorized, 'location')[0]!) ?? []
      const fromClient = (path: string, body: object): Call => ({
        method: 'POST',
        path: `/api/auth/oauth2/${path}`,
        body: { ...body, ...client },
      })
      const exchange = fromClient('token', { grant_type: 'authorization_code', code, redirect_uri })
      const exchanged = await run(connection, 'token exchange', exchange)
      const { access_token: token } = JSON.parse(exchanged.text) as { access_token: string }
      await run(connection, 'introspection', fromClient('introspect', { token }))
      await run(connection, 'userinfo', get('/oauth2/userinfo', { authorization: `Bearer ${token}` }))
      await run(connection, 'revocation', fromClient('revoke', { token }))
    }

    const hostile = hostileCalls(people[0]!.cookie)
    /** Each call is refused, on a connection of its own, because the server may close one whose body it does not read. */
    async function attack(): Promise<void> {
      for (let n = 0; n < 12; n++) {
        const call = hostile.next().value
        const connection = await Connection.open(server.url)
        await run(connection, 'hostile', call, 'refused').catch((thrown) => {
          if (!isUnread(thrown, call)) throw thrown
        })
        connection.close()
      }
    }

    async function stay(connection: Connection, resident: Resident): Promise<void> {
      const { email, cookie, key } = resident
      for (let n = 0; n < 5; n++) {
        await run(connection, 'get-session', get('/get-session', { cookie }))
        await run(connection, 'get-session by API key', get('/get-session', { 'x-api-key': key }))
        await run(connection, 'organization/list', get('/organization/list', { cookie }))
        await run(connection, 'token', get('/token', { cookie }))
      }
      await openApplication(connection, cookie)
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
      for (let n = number; performance.now() < end; n++) {
        // The server closes a connection that is idle for five seconds.
        const connection = await Connection.open(server.url)
        if (n % 4 === 0) await comeAndGo(connection)
        else if (n % 4 === 2) await attack()
        else await stay(connection, people[n % residents]!)
        connection.close()
      }
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
    console.log(`\n${minutes} minutes, ${all.length} requests, no wrong response; ${newcomers} users came and went`)
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

    const perMinute = 60_000 / sampleEvery
    const minutely = samples.filter((_, n) => n % perMinute === 0)
    console.log(`memory (MB) by minute: ${minutely.map(({ memory }) => memory.toFixed(0)).join(' ')}`)

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
      ...(middle(last, 'memory') > allowed.memory * middle(second, 'memory') ? ['the memory grows'] : []),
      ...(middle(last, 'handles') > allowed.handles * middle(second, 'handles') ? ['the handles grow'] : []),
    ]
    if (failures.length > 0) throw new Error(failures.join('; '))
  } finally {
    await server.stop()
    remove()
  }
}
