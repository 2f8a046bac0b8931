import { createServer } from 'node:net'
import { join } from 'node:path'
import type { V4MiniflareOptions, V4WorkerOptions } from 'miniflare'
import { bundleWorker } from '../bundle.ts'
import { root } from '../tools.ts'
import { migrate } from './migrate.ts'
import { readVariables } from './variables.ts'

/** wrangler is large: it loads while the Worker is bundled. */
const libraries = Promise.all([import('miniflare'), import('wrangler')])

type Runtime = InstanceType<Awaited<typeof libraries>[0]['Miniflare']>
type Modules = readonly { file: string; code: string }[]

export interface Worker {
  /** The port of the runtime, after a restart in progress. */
  port(): Promise<number>
  /** Bundles the Worker, starts it if it has changed, and applies new migrations. After an error the previous one continues. */
  build(): Promise<'same' | 'new' | 'broken'>
  /** Starts it with the present settings, variables and files of the app. */
  restart(): Promise<void>
  close(): Promise<void>
}

const messageOf = (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown))

const freePortFrom = (port: number): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(freePortFrom(port + 1)))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(port)))
  })

/** Prints errors of the runtime. What the Worker prints arrives by `handleStructuredLogs`. */
async function logOf(onLost: () => void) {
  const [{ Log, LogLevel }] = await libraries
  class RuntimeLog extends Log {
    override warn(message: string): void {
      if (!message.includes('crashed unexpectedly')) return
      console.error('\nThe Workers runtime (workerd) has stopped: starting it again ...')
    }
    override error(error: Error): void {
      super.error(error)
      if (error.message.includes('failed to restart')) onLost()
    }
  }
  return new RuntimeLog(LogLevel.WARN)
}

/** What wrangler.toml and .dev.vars say. wrangler.toml has the values of production. */
async function readSettings(url: string) {
  const [, { unstable_getMiniflareWorkerOptions, unstable_readConfig }] = await libraries
  const config = unstable_readConfig({ config: join(root, 'wrangler.toml') })
  const { workerOptions, externalWorkers } = unstable_getMiniflareWorkerOptions(config)
  const { bindings } = workerOptions as { bindings?: Record<string, unknown> }
  const variables = readVariables()
  const own = {
    ENVIRONMENT: variables.ENVIRONMENT || 'development',
    BASE_URL: variables.BASE_URL || url,
  }
  return {
    name: config.name!,
    inspectorPort: config.dev.inspector_port,
    options: { ...workerOptions, bindings: { ...bindings, ...own } },
    externalWorkers,
  }
}

/**
 * Prepares the Worker in this process, with the state of `wrangler dev`; `build` starts it.
 * @param onLost the runtime has ended and could not be started again
 */
export function openWorker(url: string, onLost: () => void): Worker {
  let runtime: Runtime | undefined
  /** The work of the runtime, one after the other; requests wait for it. */
  let work: Promise<unknown> = Promise.resolve()
  let modules: Modules = []

  const log = logOf(onLost)
  let inspectorPort: number | undefined

  const optionsOf = async (from: Modules) => {
    const [{ convertV4MiniflareOptions, getDefaultDevRegistryPath }] = await libraries
    const { name, options, externalWorkers, inspectorPort: chosen } = await readSettings(url)
    inspectorPort ??= chosen ?? (await freePortFrom(9229))
    const folder = join(root, 'dist/worker')
    const worker = {
      ...options,
      name,
      modulesRoot: folder,
      modules: from.map(({ file, code }) => ({ type: 'ESModule', path: join(folder, file), contents: code })),
      unsafeInspectorProxy: true,
    }
    return convertV4MiniflareOptions({
      host: '127.0.0.1',
      port: 0,
      inspectorPort,
      resourcePersistencePath: join(root, '.wrangler/state/v3'),
      unsafeDevRegistryPath: getDefaultDevRegistryPath(),
      // The address that runs the cron trigger.
      unsafeTriggerHandlers: true,
      log: await log,
      handleStructuredLogs({ level, message }: { level: string; message: string }) {
        if (level === 'error' || level === 'warn') console.error(message)
      },
      workers: [worker as V4WorkerOptions, ...externalWorkers],
    } as V4MiniflareOptions)
  }

  const run = async (from: Modules): Promise<void> => {
    const [{ Miniflare }] = await libraries
    const options = await optionsOf(from)
    if (runtime) await runtime.setOptions(options)
    else runtime = new Miniflare(options)
    await runtime.ready
  }

  const prepare = async () => {
    const database = await runtime!.getD1Database('DB')
    await migrate(database as unknown as D1Database, join(root, 'migrations'))
  }

  /** Starts other modules. The runtime refuses those that fail at their start, and the previous ones come back. */
  const replace = async (next: Modules): Promise<void> => {
    try {
      await run(next)
      await prepare()
      modules = next
    } catch (thrown) {
      if (modules.length > 0) await run(modules)
      else {
        await runtime?.dispose().catch(() => null)
        runtime = undefined
      }
      throw thrown
    }
  }

  const afterOthers = <T>(next: () => Promise<T>): Promise<T> => {
    const result = work.then(next)
    work = result.catch(() => null)
    return result
  }

  return {
    async port() {
      await work
      if (!runtime) throw new Error('The Worker has not started: its last error is in the terminal.')
      return Number((await runtime.ready).port)
    },
    build: () =>
      afterOthers(async () => {
        try {
          const { files } = await bundleWorker({ entry: 'worker/index.ts', dir: null, minify: false })
          const isSame = JSON.stringify(files) === JSON.stringify(modules)
          await (isSame ? prepare() : replace(files))
          return isSame ? 'same' : 'new'
        } catch (thrown) {
          console.error(`\n${messageOf(thrown)}`)
          return 'broken'
        }
      }),
    restart: () => afterOthers(async () => (modules.length > 0 ? run(modules) : undefined)),
    close: () => afterOthers(async () => runtime?.dispose()),
  }
}
