import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Call, Connection, type Reply } from './load.ts'
import { cookiesOf, expectThat, from, password } from './people.ts'
import { migrations } from './servers.ts'
import { baseUrl, bundles, convertV4MiniflareOptions, gatehouseWorker, Miniflare } from './workers.ts'

/** Gatehouse alone, in a workerd whose process is known, with storage in a folder that outlives it. */
export interface OneServer {
  url: URL
  /** The process of workerd. */
  pid: number
  database: D1Database
  kv: KVNamespace
  /** Ends workerd as a loss of power does. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** A new folder for the storage; `remove` deletes it. */
export function newStorage(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** The ids of the workerd processes that this process has started. */
function workerds(): number[] {
  return execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\S+)/.exec(line))
    .filter((found) => found?.[2] === String(process.pid) && found[3]!.endsWith('workerd'))
    .map((found) => Number(found![1]))
}

/** @param script the bundle, from `bundles` @param config options in addition to those of all benchmarks */
export async function startOne(script: string, folder: string, config: object = {}): Promise<OneServer> {
  const earlier = workerds()
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      resourcePersistencePath: folder,
      workers: [gatehouseWorker(script, 'gatehouse', config)],
    }),
  )
  await miniflare.ready
  const [pid] = workerds().filter((one) => !earlier.includes(one))
  if (!pid) throw new Error('workerd was not found')
  const database = (await miniflare.getD1Database('DB', 'gatehouse')) as unknown as D1Database
  const table = await database.prepare("select 1 from sqlite_master where name = 'users'").first()
  if (!table) await database.batch(migrations().map((statement) => database.prepare(statement)))
  return {
    url: await miniflare.unsafeGetDirectURL('gatehouse'),
    pid,
    database,
    kv: (await miniflare.getKVNamespace('KV', 'gatehouse')) as unknown as KVNamespace,
    async kill() {
      process.kill(pid, 'SIGKILL')
      await miniflare.dispose().catch(() => {})
    },
    stop: () => miniflare.dispose(),
  }
}

export const bundleOfOne = bundles.scale

/** The path at which the bundle runs the cron trigger. */
export const scheduledPath = '/bench/scheduled'

/** Sends one call as a browser behind the edge does. */
export const send = (connection: Connection, call: Call): Promise<Reply> =>
  connection.ask({
    ...call,
    headers: { ...from, ...(call.method === 'POST' ? { origin: baseUrl } : {}), ...call.headers },
  })

/** Sends one call over a connection of its own. @throws for another status than 200 */
export async function ask(url: URL, call: Call): Promise<Reply> {
  const connection = await Connection.open(url)
  const reply = await send(connection, call)
  connection.close()
  expectThat(reply.status === 200, reply, call)
  return reply
}

export const signUpOf = (email: string): Call => {
  return { method: 'POST', path: '/api/auth/sign-up/email', body: { name: 'Person', email, password } }
}

export const sessionCookieOf = (reply: Reply): string =>
  cookiesOf(reply).find((pair) => pair.includes('session_token='))!

/** What a process uses now; null on systems without /proc. */
export function usageOf(pid: number): { cpu: number; memory: number; handles: number } | null {
  try {
    // After the name, which may contain spaces: utime and stime are the fields 14 and 15, in hundredths of a second.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    const memory = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
    const handles = readdirSync(`/proc/${pid}/fd`).length
    return { cpu: (Number(fields[11]) + Number(fields[12])) * 10, memory, handles }
  } catch {
    return null
  }
}
