import { type Call, Connection, headerValues, type Reply } from './load.ts'
import { ask, newStorage, send, sessionCookieOf, signUpOf, startOne } from './one-server.ts'
import { cookiesOf, expectThat, password } from './people.ts'
import { bundles, oauthClient } from './workers.ts'

/** The first request of an isolate also reads the feed and warms caches: the last of these is printed. */
const times = 3

interface Wait {
  store: string
  from: number
  to: number
}

/** The number of waits, where those that overlap are one, and their time (ms). */
function inSequence(waits: readonly Wait[]): { count: number; time: number } {
  let [count, time, end] = [0, 0, 0]
  for (const { from, to } of [...waits].sort((one, other) => one.from - other.from)) {
    if (from >= end) count++
    time += Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
  }
  return { count, time }
}

/** What a request waits for far from the data: see far-bindings.ts for the distances. */
export async function measureFarAway(): Promise<void> {
  const bundle = await bundles.far()
  const rows = new Map<string, string[]>()
  for (const readReplication of [false, true]) {
    const storage = newStorage()
    const server = await startOne(bundle, storage.folder, { database: { readReplication } })
    try {
      const email = 'ada@bench.example'
      const signedUp = await ask(server.url, signUpOf(email))
      const cookie = sessionCookieOf(signedUp)
      const headers = { cookie }
      const post = async (path: string, body: object) =>
        JSON.parse((await ask(server.url, { method: 'POST', path: `/api/auth${path}`, headers, body })).text)
      const { id: organizationId } = (await post('/organization/create', { name: 'Acme', slug: 'acme' })) as {
        id: string
      }
      await post('/organization/set-active', { organizationId })
      const { key } = (await post('/api-key/create', { name: 'plain' })) as { key: string }
      // Without a limit its uses are not counted.
      await server.database.prepare('update api_keys set rate_limit_enabled = 0').run()
      const query = new URLSearchParams({
        client_id: oauthClient.id,
        response_type: 'code',
        redirect_uri: oauthClient.callback,
        scope: 'openid email',
      })
      const get = (path: string, given: Record<string, string> = headers): Call => ({
        method: 'GET',
        path: `/api/auth${path}`,
        headers: given,
      })
      const connection = await Connection.open(server.url)
      const newCookies = async () => {
        const body = { email, password }
        return cookiesOf(await send(connection, { method: 'POST', path: '/api/auth/sign-in/email', body })).join('; ')
      }
      const cases: [name: string, next: () => Promise<Call> | Call][] = [
        ['sign-up', () => signUpOf(`${crypto.randomUUID()}@bench.example`)],
        ['sign-in', () => ({ method: 'POST', path: '/api/auth/sign-in/email', body: { email, password } })],
        ['get-session', () => get('/get-session')],
        ['get-session, cookie cache', async () => get('/get-session', { cookie: await newCookies() })],
        ['organization page', () => get('/organization/get-full-organization')],
        ['get-session by API key', () => get('/get-session', { 'x-api-key': key })],
        ['authorization', () => get(`/oauth2/authorize?${query}`)],
        [
          'token exchange',
          async () => {
            const reply = await send(connection, get(`/oauth2/authorize?${query}`))
            const [, code = ''] = /[?&]code=(\w+)/.exec(headerValues(reply, 'location')[0] ?? '') ?? []
            const credentials = { client_id: oauthClient.id, client_secret: oauthClient.secret }
            const body = { grant_type: 'authorization_code', code, redirect_uri: oauthClient.callback, ...credentials }
            return { method: 'POST', path: '/api/auth/oauth2/token', body }
          },
        ],
        [
          'update of the name',
          () => ({ method: 'POST', path: '/api/auth/update-user', headers, body: { name: crypto.randomUUID() } }),
        ],
        [
          'sign-out',
          async () => ({
            method: 'POST',
            path: '/api/auth/sign-out',
            headers: { cookie: await newCookies() },
            body: {},
          }),
        ],
      ]
      for (const [name, next] of cases) {
        let reply: Reply | undefined
        for (let n = 0; n < times; n++) {
          const call = await next()
          reply = await send(connection, call)
          expectThat(reply.status < 400, reply, call)
        }
        const waits = JSON.parse(headerValues(reply!, 'x-waits')[0]!) as Wait[]
        const primary = inSequence(waits.filter(({ store }) => store === 'primary')).count
        const all = inSequence(waits)
        rows.set(name, [...(rows.get(name) ?? []), `${primary}`, `${all.count}`, `${all.time}`])
      }
      connection.close()
    } finally {
      await server.stop()
      storage.remove()
    }
  }
  const cells = (texts: readonly string[]) => texts.map((text) => text.padStart(10)).join('')
  console.log(`\n${'waits before the response'.padEnd(30)}${cells(['primary', 'all', 'ms', 'primary', 'all', 'ms'])}`)
  console.log(`${''.padEnd(30)}${'all reads at the primary'.padStart(30)}${'readReplication'.padStart(30)}`)
  for (const [name, texts] of rows) console.log(`  ${name.padEnd(28)}${cells(texts)}`)
}
