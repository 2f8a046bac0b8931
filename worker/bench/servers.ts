import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { quietEnvironment, root, run } from '../scripts/tools.ts'

// The Miniflare of wrangler. Another version would install a second workerd.
const wranglerRequire = createRequire(createRequire(join(root, 'package.json')).resolve('wrangler/package.json'))
const { Miniflare, convertV4MiniflareOptions } = wranglerRequire('miniflare') as typeof import('miniflare')

export type ServerName = 'baseline' | 'reference' | 'reference-shared' | 'gatehouse'

/** One Worker under test. */
export interface Server {
  name: ServerName
  url: URL
  /** Another Worker, which calls the methods of the server's entrypoint over a service binding. */
  neighbourUrl: URL
  database: D1Database
}

/** The base URL of all servers, so that Origin headers and cookies can contain it. */
export const baseUrl = 'http://localhost:8787'
export const webhookSecret = 'bench-webhook-secret'
/** A client with the consent of every user. */
export const oauthClient = {
  id: 'bench',
  secret: 'bench-client-secret-0123456789',
  callback: 'https://client.example/callback',
}
export const secret = 'bench-secret-0123456789-0123456789-abcd'

const folder = join(root, 'dist/bench')
const compatibility = { compatibilityDate: '2026-10-01', compatibilityFlags: ['nodejs_compat'], modules: true }

/** Bundles a Worker as in a deployment. @returns the file */
async function bundle(name: string, args: string[]): Promise<string> {
  const outdir = join(folder, name)
  const code = await run('wrangler', ['deploy', ...args, '--dry-run', '--minify', '--outdir', outdir], {
    env: { ...quietEnvironment, WRANGLER_LOG: 'error' },
  })
  if (code !== 0) throw new Error(`${name} could not be bundled`)
  return outdir
}

const statements = (sql: string): string[] =>
  sql
    .split('--> statement-breakpoint')
    // A trigger contains statements.
    .flatMap((part) => (/create trigger/i.test(part) ? [part] : part.split(/;\s*(?:\n|$)/)))
    .filter((one) => one.trim())

function migrations(): string[] {
  const journal = JSON.parse(readFileSync(join(root, 'migrations/meta/_journal.json'), 'utf8')) as {
    entries: { tag: string }[]
  }
  // Not at semicolons, because a trigger contains some.
  return journal.entries.flatMap(({ tag }) =>
    readFileSync(join(root, 'migrations', `${tag}.sql`), 'utf8').split('--> statement-breakpoint'),
  )
}

/** Starts all Workers in one workerd, each on a separate port. */
export async function startServers(): Promise<{ servers: Record<ServerName, Server>; stop(): Promise<void> }> {
  // A deployment's bundle needs the folder of the app, but not its files.
  mkdirSync(join(root, 'dist/client'), { recursive: true })
  const bench = ['--config', 'worker/bench/wrangler.toml']
  const baseline = await bundle('baseline', ['worker/bench/baseline.ts', ...bench])
  const reference = await bundle('reference', ['worker/bench/reference/server.js', ...bench])
  const gatehouse = await bundle('gatehouse', [])
  const neighbour = await bundle('neighbour', ['worker/testing/neighbour/index.ts', ...bench])

  const direct = { unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }] }
  const referenceWorker = (name: string, instance: string) => ({
    name,
    ...compatibility,
    ...direct,
    scriptPath: join(reference, 'server.js'),
    bindings: { SECRET: secret, BASE_URL: baseUrl, INSTANCE: instance },
    d1Databases: { DB: name },
  })
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      workers: [
        {
          name: 'baseline',
          ...compatibility,
          ...direct,
          scriptPath: join(baseline, 'baseline.js'),
          d1Databases: { DB: 'baseline' },
        },
        referenceWorker('reference', 'request'),
        referenceWorker('reference-shared', 'isolate'),
        ...(['baseline', 'reference', 'reference-shared', 'gatehouse'] as const).map((name) => ({
          name: `neighbour-of-${name}`,
          ...compatibility,
          ...direct,
          scriptPath: join(neighbour, 'index.js'),
          serviceBindings: { GATEHOUSE: { name, entrypoint: 'ServerApi' }, ACCOUNTS: name },
        })),
        {
          name: 'gatehouse',
          ...compatibility,
          ...direct,
          scriptPath: join(gatehouse, 'index.js'),
          d1Databases: { DB: 'gatehouse' },
          kvNamespaces: { KV: 'gatehouse' },
          durableObjects: {
            ONE_TIME: { className: 'OneTimeRecord', useSQLite: true },
            COUNTER: { className: 'Counter', useSQLite: true },
            ENDED_SESSIONS: { className: 'EndedSessions', useSQLite: true },
            LIVE: { className: 'LiveChannel', useSQLite: true },
          },
          bindings: {
            ENVIRONMENT: 'development',
            BASE_URL: baseUrl,
            GATEHOUSE_SECRET: secret,
            RATE_LIMIT: 'off',
            // The reference sends no mail either.
            CONFIG: JSON.stringify({
              emailVerification: { sendOnSignUp: false },
              // The benchmark measures load, not rejections.
              account: { hashesPerMinute: 1_000_000 },
              billing: { accessToken: 'never-used', webhookSecret },
              identityProvider: {
                trustedClients: [
                  {
                    clientId: oauthClient.id,
                    clientSecret: oauthClient.secret,
                    name: 'Bench',
                    redirectURLs: [oauthClient.callback],
                  },
                ],
              },
            }),
          },
        },
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
  const referenceSchema = statements(readFileSync(join(import.meta.dirname, 'reference/schema.sql'), 'utf8'))
  return {
    servers: {
      baseline: await server('baseline', [
        'create table rows (id text primary key, used integer)',
        "insert into rows values ('17', 0)",
      ]),
      reference: await server('reference', referenceSchema),
      'reference-shared': await server('reference-shared', referenceSchema),
      gatehouse: await server('gatehouse', migrations()),
    },
    stop: () => miniflare.dispose(),
  }
}

/** Installs the reference from its lock file if it is missing. */
export async function installReference(install: (folder: string) => Promise<void>): Promise<void> {
  const folder = join(import.meta.dirname, 'reference')
  if (!existsSync(join(folder, 'node_modules/better-auth'))) await install(folder)
}
