// `npm run dev`: starts a development server without an account, a prompt or a network. The Worker runs in this process's
// runtime, from a bundle in memory; the app is built beside it, if its sources have changed.

import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { repeatCron } from '../cli/cron.ts'
import { buildApp } from './dev/app.ts'
import { buildDocs } from './dev/docs.ts'
import { openDoor } from './dev/door.ts'
import { completeVariables, readVariables } from './dev/variables.ts'
import { watchBelow, watchFiles } from './dev/watch.ts'
import type { Worker } from './dev/worker.ts'
import { endAll, quietEnvironment, root } from './tools.ts'

enableCompileCache(quietEnvironment.NODE_COMPILE_CACHE)
Object.assign(process.env, quietEnvironment, { WRANGLER_LOG: 'warn' })

function readPort(): number {
  const { values } = parseArgs({ options: { port: { type: 'string', default: process.env.PORT || '8787' } } })
  const port = Number(values.port)
  if (Number.isInteger(port) && port > 0 && port <= 65_535) return port
  throw new Error(`"${values.port}" is not a port. Try: npm run dev -- --port 8788`)
}

const port = readPort()
const url = `http://localhost:${port}`

/** The Worker, once it has been prepared. */
const opened = Promise.withResolvers<Worker>()
/** The last build of the app, and the restart of the Worker that serves it. */
let app = Promise.resolve()

let stopping = false

/** Stops all started processes, then itself. */
async function stop(code: number): Promise<void> {
  if (stopping) return
  stopping = true
  const closed = opened.promise.then((worker) => worker.close()).catch(() => null)
  await Promise.all([endAll(), Promise.race([closed, sleep(5000)])])
  process.exit(code)
}
/** Libraries install handlers that end the process at once. */
function takeSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.removeAllListeners(signal).on(signal, () => void stop(0))
  }
}
takeSignals()

/** Pages wait for the app, calls of the API only for the Worker. */
async function portOf(path: string, accept: string): Promise<number> {
  const isCall = /^\/(api|cdn-cgi|\.well-known)\//.test(path) && !accept.includes('text/html')
  if (!isCall && !path.startsWith('/dev/mailbox')) await app
  if (/^\/docs(?:$|\/(?!assets\/))/.test(path)) await refreshDocs()
  return (await opened.promise).port()
}

/** Builds the app in the background, unless it is built. @param after what needs the processor before it */
function refreshApp(worker: Worker, after?: Promise<void>): Promise<void> {
  app = app.then(async () => {
    await after
    const result = await buildApp()
    if (result === 'failed' && !stopping) console.error('The app keeps its last good build.')
    // The runtime reads the list of files at its start.
    // The Worker contains the first screens of the app.
    if (result === 'built' && (await worker.build()) !== 'new') await worker.restart()
    if (result === 'built' && !stopping) console.log('The app is built.')
  })
  return app
}

/** Builds the documentation for a request, unless it is built. A build of the app waits for it. */
function refreshDocs(): Promise<void> {
  app = app.then(async () => {
    const result = await buildDocs()
    if (result === 'failed' && !stopping) console.error('The documentation keeps its last good build.')
    if (result === 'built') await (await opened.promise).restart()
  })
  return app
}

await openDoor(port, portOf).catch((thrown: NodeJS.ErrnoException) => {
  if (thrown.code !== 'EADDRINUSE' && thrown.code !== 'EACCES') throw thrown
  console.error(`Port ${port} is taken. Stop what uses it, or choose another: npm run dev -- --port ${port + 1}`)
  process.exit(1)
})
completeVariables()

const { openWorker } = await import('./dev/worker.ts')
const worker = openWorker(url, () => {
  console.error('\nThe Workers runtime (workerd) has ended, and did not start again. Start it: npm run dev')
  void stop(1)
})
opened.resolve(worker)

let isReady = false

async function refreshWorker(): Promise<void> {
  const result = await worker.build()
  takeSignals()
  if (stopping) return
  if (result === 'broken') {
    console.error(isReady ? '\nThe Worker keeps its last good build.' : '\nThe Worker starts once this is corrected.')
  } else if (!isReady) {
    isReady = true
    announce()
  } else if (result === 'new') console.log('The Worker has changed: reloaded.')
}

function announce(): void {
  // The local runtime has no cron timer.
  repeatCron(url)
  const address = readVariables().BASE_URL || url
  console.log(`
  Gatehouse   ${address}
  Mailbox     ${url}/dev/mailbox   every mail and text message that it "sends"

  Sign up at ${address}/sign-up, then open the link in the mailbox.
  Edit worker/ or client/ and reload. Settings: worker/config.ts, .dev.vars. Stop: Ctrl-C.
`)
}

watchBelow(join(root, 'worker'), () => refreshApp(worker, refreshWorker()))
watchBelow(join(root, 'migrations'), refreshWorker)
watchBelow(join(root, 'client'), () => refreshApp(worker))
watchFiles(root, ['.dev.vars', 'wrangler.toml'], async () => {
  if (!isReady) return refreshWorker()
  console.log('The settings have changed: starting the Worker again ...')
  await worker.restart()
  console.log('Ready.')
})

const started = refreshWorker()
await refreshApp(worker)
await started
