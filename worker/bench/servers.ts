import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../scripts/tools.ts'
import { before } from './arguments.ts'
import {
  bundles,
  convertV4MiniflareOptions,
  gatehouseWorker,
  Miniflare,
  onLoopback,
  referenceWorker,
} from './workers.ts'

export type ServerName = 'baseline' | 'reference' | 'reference-shared' | 'gatehouse' | 'before'

/** One Worker under test. */
export interface Server {
  name: ServerName
  url: URL
  /** Another Worker, which calls the methods of the server's entrypoint over a service binding. */
  neighbourUrl: URL
  database: D1Database
}

const statements = (sql: string): string[] =>
  sql
    .split('--> statement-breakpoint')
    // A trigger contains statements.
    .flatMap((part) => (/create trigger/i.test(part) ? [part] : part.split(/;\s*(?:\n|$)/)))
    .filter((one) => one.trim())

/** The statements of the migrations of Gatehouse. */
export function migrations(): string[] {
  const journal = JSON.parse(readFileSync(join(root, 'migrations/meta/_journal.json'), 'utf8')) as {
    entries: { tag: string }[]
  }
  // Not at semicolons, because a trigger contains some.
  return journal.entries.flatMap(({ tag }) =>
    readFileSync(join(root, 'migrations', `${tag}.sql`), 'utf8').split('--> statement-breakpoint'),
  )
}

/** The statements of the published server. */
export const referenceSchema = (): string[] =>
  statements(readFileSync(join(import.meta.dirname, 'reference/schema.sql'), 'utf8'))

/** The bundle of `--before`, in this folder, because workerd reads no files outside it; null without the option. */
export function copyOfBefore(): string | null {
  if (!before) return null
  const folder = join(root, 'dist/bench/before')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  copyFileSync(before, join(folder, 'index.js'))
  const parts = join(dirname(before), 'c')
  if (existsSync(parts)) cpSync(parts, join(folder, 'c'), { recursive: true })
  return join(folder, 'index.js')
}

/**
 * Starts all Workers in one workerd, each on a separate port.
 * @param inspectorPort opens the inspector, for a profile with the names of functions
 */
export async function startServers(
  inspectorPort?: number,
): Promise<{ servers: Record<Exclude<ServerName, 'before'>, Server> & { before?: Server }; stop(): Promise<void> }> {
  const baseline = await bundles.baseline()
  const reference = await bundles.reference()
  const gatehouse = await (inspectorPort ? bundles.readable() : bundles.gatehouse())
  const neighbour = await bundles.neighbour()
  const earlier = copyOfBefore()
  const names = [
    'baseline',
    'reference',
    'reference-shared',
    'gatehouse',
    ...(before ? ['before' as const] : []),
  ] as const
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      ...(inspectorPort ? { inspectorPort } : {}),
      workers: [
        { ...onLoopback('baseline', baseline), d1Databases: { DB: 'baseline' } },
        referenceWorker(reference, 'reference', 'request'),
        referenceWorker(reference, 'reference-shared', 'isolate'),
        ...names.map((name) => ({
          ...onLoopback(`neighbour-of-${name}`, neighbour),
          serviceBindings: { GATEHOUSE: { name, entrypoint: 'ServerApi' }, ACCOUNTS: name },
        })),
        gatehouseWorker(gatehouse),
        ...(earlier ? [gatehouseWorker(earlier, 'before')] : []),
      ],
    }),
  )
  await miniflare.ready
  const server = async (name: ServerName, schema: string[]): Promise<Server> => {
    const database = (await miniflare.getD1Database('DB', name)) as unknown as D1Database
    await database.batch(schema.map((statement) => database.prepare(statement)))
    const url = await miniflare.unsafeGetDirectURL(name)
    const neighbourUrl = await miniflare.unsafeGetDirectURL(`neighbour-of-${name}`)
    return { name, url, neighbourUrl, database }
  }
  return {
    servers: {
      baseline: await server('baseline', [
        'create table rows (id text primary key, used integer)',
        "insert into rows values ('17', 0)",
      ]),
      reference: await server('reference', referenceSchema()),
      'reference-shared': await server('reference-shared', referenceSchema()),
      gatehouse: await server('gatehouse', migrations()),
      ...(before ? { before: await server('before', migrations()) } : {}),
    },
    stop: () => miniflare.dispose(),
  }
}

/** Installs the reference from its lock file if it is missing. */
export async function installReference(install: (folder: string) => Promise<void>): Promise<void> {
  const folder = join(import.meta.dirname, 'reference')
  if (!existsSync(join(folder, 'node_modules/better-auth'))) await install(folder)
}
