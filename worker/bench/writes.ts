import { type Call, Connection, headerValues } from './load.ts'
import { cookiesOf, expectThat, from, password } from './people.ts'
import { cookieOf, emailOf, grow } from './scale.ts'
import { migrations } from './servers.ts'
import { baseUrl, bundles, convertV4MiniflareOptions, gatehouseWorker, Miniflare } from './workers.ts'

/** Each request of a kind has a user of its own, so that no maximum of a user is reached. */
const times = 200

/**
 * Rows that D1 writes for a request and the work after its response, with the entries of indexes, and the bytes by which the
 * database grows.
 */
export async function measureWrites(): Promise<void> {
  const worker = gatehouseWorker(await bundles.scale())
  const miniflare = new Miniflare(convertV4MiniflareOptions({ cf: false, workers: [worker] }))
  try {
    const database = (await miniflare.getD1Database('DB', 'gatehouse')) as unknown as D1Database
    await database.batch(migrations().map((statement) => database.prepare(statement)))
    const url = await miniflare.unsafeGetDirectURL('gatehouse')
    const connection = await Connection.open(url)
    const ask = (call: Call) =>
      connection.ask({
        ...call,
        headers: {
          ...from,
          'x-bench-whole': '1',
          ...(call.method === 'POST' ? { origin: baseUrl } : {}),
          ...call.headers,
        },
      })
    const size = async () => (await database.prepare('select 1').run()).meta.size_after
    const email = 'template@bench.example'
    const body = { name: 'Template', email, password }
    const { user } = JSON.parse((await ask({ method: 'POST', path: '/api/auth/sign-up/email', body })).text)
    await ask({ method: 'POST', path: '/api/auth/sign-in/email', body: { email, password } })
    await grow(database, { userId: user.id, organizationId: '' }, 0, times)
    const signIn = (n: number, given: string): Call => ({
      method: 'POST',
      path: '/api/auth/sign-in/email',
      body: { email: emailOf(n), password: given },
    })
    const cookies: string[] = []
    const cases: Record<string, { call(n: number): Call; before?(): Promise<unknown>; status?: number }> = {
      'sign-up': {
        call: (n) => ({
          method: 'POST',
          path: '/api/auth/sign-up/email',
          body: { ...body, email: `new${n}@bench.example` },
        }),
      },
      'sign-in': { call: (n) => signIn(n, password) },
      'failed sign-in': { call: (n) => signIn(n, 'wrong password here'), status: 401 },
      'get-session': {
        call: (n) => ({ method: 'GET', path: '/api/auth/get-session', headers: { cookie: cookieOf(n) } }),
        before: () => database.prepare('update sessions set updated_at = ?').bind(Date.now()).run(),
      },
      'get-session that extends the session (once a day)': {
        call: (n) => ({ method: 'GET', path: '/api/auth/get-session', headers: { cookie: cookieOf(n) } }),
        before: () =>
          database
            .prepare('update sessions set updated_at = ?')
            .bind(Date.now() - 2 * 86_400_000)
            .run(),
      },
      'sign-out': {
        call: (n) => ({ method: 'POST', path: '/api/auth/sign-out', headers: { cookie: cookies[n]! }, body: {} }),
      },
      'sign-out without a data cookie': {
        call: (n) => ({ method: 'POST', path: '/api/auth/sign-out', headers: { cookie: cookieOf(n) }, body: {} }),
      },
    }
    console.log(`\n${'rows written'.padEnd(52)}${'before'.padStart(8)}${'in all'.padStart(8)}${'bytes'.padStart(8)}`)
    for (const [name, { call, before, status = 200 }] of Object.entries(cases)) {
      await before?.()
      const begin = await size()
      let first = 0
      const writes: Record<string, number> = {}
      for (let n = 0; n < times; n++) {
        const given = call(n)
        const reply = await ask(given)
        expectThat(reply.status === status, reply, given)
        first += Number(headerValues(reply, 'x-rows-written')[0])
        for (const [what, rows] of Object.entries(JSON.parse(headerValues(reply, 'x-writes')[0]!) as typeof writes)) {
          writes[what] = (writes[what] ?? 0) + rows
        }
        if (name === 'sign-in') cookies.push(cookiesOf(reply).join('; '))
      }
      const all = Object.values(writes).reduce((sum, rows) => sum + rows, 0)
      const mean = (sum: number) => (sum / times).toFixed(1)
      const bytes = (((await size()) - begin) / times).toFixed(0)
      console.log(`  ${name.padEnd(50)}${mean(first).padStart(8)}${mean(all).padStart(8)}${bytes.padStart(8)}`)
      for (const [what, rows] of Object.entries(writes))
        console.log(`    ${what.padEnd(48)}${''.padStart(8)}${mean(rows).padStart(8)}`)
    }
    connection.close()
  } finally {
    await miniflare.dispose()
  }
}
