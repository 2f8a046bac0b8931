import { globSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { bundleWorker } from '../scripts/bundle.ts'
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

/** A Worker on its own port of loopback. @param file its entry, beside the files that it imports */
export const onLoopback = (name: string, file: string, flags: readonly string[] = []) => ({
  name,
  compatibilityDate: '2026-10-01',
  compatibilityFlags: ['nodejs_compat', ...flags],
  unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
  modulesRoot: dirname(file),
  modules: [file, ...lateModules(file)].map((path) => ({ type: 'ESModule' as const, path })),
})

const lateModules = (file: string): string[] =>
  globSync('c/*.js', { cwd: dirname(file) })
    .sort()
    .map((name) => join(dirname(file), name))

/** Bundles another Worker as in a deployment. @returns the file */
async function bundle(name: string, args: string[], file: string): Promise<string> {
  const outdir = join(root, 'dist/bench', name)
  const code = await run('wrangler', ['deploy', ...args, '--dry-run', '--minify', '--outdir', outdir], {
    env: { ...quietEnvironment, WRANGLER_LOG: 'error' },
  })
  if (code !== 0) throw new Error(`${name} could not be bundled`)
  return join(outdir, file)
}

/** Bundles Gatehouse as in a deployment. @returns the file */
async function bundleOwn(name: string, entry = 'worker/index.ts', minify = true): Promise<string> {
  const dir = join(root, 'dist/bench', name)
  await bundleWorker({ entry, dir, minify })
  return join(dir, 'index.js')
}

const bench = ['--config', 'worker/bench/wrangler.toml']
export const bundles = {
  baseline: () => bundle('baseline', ['worker/bench/baseline.ts', ...bench], 'baseline.js'),
  reference: () => bundle('reference', ['worker/bench/reference/server.js', ...bench], 'server.js'),
  gatehouse: () => bundleOwn('gatehouse'),
  /** With the names of functions, for a profile. */
  readable: () => bundleOwn('readable', 'worker/index.ts', false),
  /** Gatehouse, which also reports the rows that D1 reads. */
  scale: () => bundleOwn('scale', 'worker/bench/rows-read.ts'),
  /** Gatehouse, whose stores are far away. */
  far: () => bundleOwn('far', 'worker/bench/far-bindings.ts'),
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
  ...onLoopback(name, file, ['new_module_registry']),
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
      // All of its people have one address. The earlier Worker does not know the option.
      ...(name === 'before' ? {} : { user: { signUpsPerNetwork: null } }),
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
