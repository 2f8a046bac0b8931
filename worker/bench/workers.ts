import { createRequire } from 'node:module'
import { join } from 'node:path'
import { quietEnvironment, root, run } from '../scripts/tools.ts'

// The Miniflare of wrangler. Another version would install a second workerd.
const wranglerRequire = createRequire(createRequire(join(root, 'package.json')).resolve('wrangler/package.json'))
export const { Miniflare, convertV4MiniflareOptions } = wranglerRequire('miniflare') as typeof import('miniflare')

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

const compatibility = { compatibilityDate: '2026-10-01', compatibilityFlags: ['nodejs_compat'], modules: true }

/** A Worker on its own port of loopback. */
export const onLoopback = (name: string, scriptPath: string) => ({
  name,
  ...compatibility,
  unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
  scriptPath,
})

/** Bundles a Worker as in a deployment. @returns the file */
async function bundle(name: string, args: string[], file: string, minify = true): Promise<string> {
  const outdir = join(root, 'dist/bench', name)
  const code = await run(
    'wrangler',
    ['deploy', ...args, '--dry-run', minify ? '--minify' : '--no-minify', '--outdir', outdir],
    {
      env: { ...quietEnvironment, WRANGLER_LOG: 'error' },
    },
  )
  if (code !== 0) throw new Error(`${name} could not be bundled`)
  return join(outdir, file)
}

const bench = ['--config', 'worker/bench/wrangler.toml']
export const bundles = {
  baseline: () => bundle('baseline', ['worker/bench/baseline.ts', ...bench], 'baseline.js'),
  reference: () => bundle('reference', ['worker/bench/reference/server.js', ...bench], 'server.js'),
  gatehouse: () => bundle('gatehouse', [], 'index.js'),
  /** With the names of functions, for a profile. */
  readable: () => bundle('readable', [], 'index.js', false),
  /** Gatehouse, which also reports the rows that D1 reads. */
  scale: () => bundle('scale', ['worker/bench/rows-read.ts'], 'rows-read.js'),
  neighbour: () => bundle('neighbour', ['worker/testing/neighbour/index.ts', ...bench], 'index.js'),
}

export const referenceWorker = (file: string, name: string, instance: 'request' | 'isolate') => ({
  ...onLoopback(name, file),
  bindings: { SECRET: secret, BASE_URL: baseUrl, INSTANCE: instance },
  d1Databases: { DB: name },
})

/**
 * @param name also of its database
 * @param config options in addition to those of all benchmarks
 */
export const gatehouseWorker = (file: string, name = 'gatehouse', config: object = {}) => ({
  ...onLoopback(name, file),
  d1Databases: { DB: name },
  kvNamespaces: { KV: name },
  serviceBindings: { ASSETS: () => new Response(null, { status: 404 }) as never },
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
      ...config,
    }),
  },
})
