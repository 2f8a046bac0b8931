// `npm run dev`: starts a development server without an account, a prompt or a network.

import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, watch } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, parseEnv } from 'node:util'
import { build } from 'vite'
import { runCron } from '../cli/cron.ts'
import { writeDocumentation } from './docs.ts'
import { end, endAll, quietEnvironment, root, run, start } from './tools.ts'

function readPort(): number {
  const { values } = parseArgs({ options: { port: { type: 'string', default: process.env.PORT || '8787' } } })
  const port = Number(values.port)
  if (Number.isInteger(port) && port > 0 && port <= 65_535) return port
  throw new Error(`"${values.port}" is not a port. Try: npm run dev -- --port 8788`)
}

/** Whether both names of this machine are free at a port: `localhost` is 127.0.0.1, ::1, or both. */
async function isFree(port: number): Promise<boolean> {
  const tries = ['127.0.0.1', '::1'].map(
    (host) =>
      new Promise<boolean>((resolve) => {
        const server = createServer()
        // A machine without IPv6 has no ::1 to check.
        server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'EADDRINUSE' && code !== 'EACCES'))
        server.listen(port, host, () => server.close(() => resolve(true)))
      }),
  )
  return (await Promise.all(tries)).every(Boolean)
}

const variablesFile = join(root, '.dev.vars')

const readVariables = (): string => (existsSync(variablesFile) ? readFileSync(variablesFile, 'utf8') : '')

/** Adds a random secret to the development variables if it is missing. */
function completeVariables(): void {
  const text = readVariables()
  if (!parseEnv(text).GATEHOUSE_SECRET) {
    const comment = '# Signs and seals everything on this machine. See .dev.vars.example for the other variables.'
    const joint = text === '' || text.endsWith('\n') ? '' : '\n'
    appendFileSync(variablesFile, `${joint}${comment}\nGATEHOUSE_SECRET=${randomBytes(32).toString('base64url')}\n`, {
      mode: 0o600,
    })
    console.log('.dev.vars had no GATEHOUSE_SECRET: a random one was added.')
  }
}

/** Builds the app, and rebuilds it after each change. Resolves after the first build. */
async function watchClient(): Promise<{ close(): Promise<void> }> {
  const client = join(root, 'client')
  const watcher = await build({ root: client, logLevel: 'warn', build: { watch: {}, reportCompressedSize: false } })
  if (!('on' in watcher)) throw new Error('vite did not watch')
  await new Promise<void>((resolve) => {
    watcher.on('event', (event) => {
      if (event.code === 'ERROR') console.error(`client: ${event.error.message}`)
      if (event.code === 'END') resolve()
      if (event.code === 'BUNDLE_END') return event.result.close()
    })
  })
  return watcher
}

/**
 * Whether the Worker responds within `limit` milliseconds, with repeated requests. Any response is sufficient, also a
 * 500.
 */
async function answersWithin(limit: number): Promise<boolean> {
  const end = Date.now() + limit
  while (Date.now() < end && !stopping) {
    const signal = AbortSignal.timeout(Math.min(3000, limit))
    if (await fetch(`${url}/api/auth/ok`, { signal }).catch(() => null)) return true
    await sleep(200)
  }
  return false
}

/** wrangler restarts a runtime that has ended, which does not always succeed. */
async function checkRuntime(): Promise<void> {
  if (stopping || (await answersWithin(10_000)) || stopping) return
  console.error(
    '\nThe Workers runtime (workerd) has stopped, and the server no longer responds. Start it again: npm run dev',
  )
  await stop(1)
}

/**
 * Starts the Worker. wrangler gives --var precedence over .dev.vars, and .dev.vars over wrangler.toml, which has the
 * values of production.
 */
function serve(): ChildProcess {
  const variables = parseEnv(readVariables())
  const chosen = Object.entries({ ENVIRONMENT: 'development', BASE_URL: url }).filter(([name]) => !variables[name])
  const vars = chosen.flatMap(([name, value]) => ['--var', `${name}:${value}`])
  const child = start('wrangler', ['dev', '--local', '--port', String(port), '--log-level', 'warn', ...vars], {
    env: { ...quietEnvironment, NODE_ENV: 'development', ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) },
    onOutput: (text) => {
      if (/runtime crashed/i.test(text)) void checkRuntime()
    },
  })
  child.once('exit', (code) => {
    if (stopping || child !== server) return
    console.error('\nThe server has ended. Start it again: npm run dev')
    void stop(code || 1)
  })
  return child
}

let stopping = false
let client: { close(): Promise<void> } | undefined

/** Stops all started processes, then itself. */
async function stop(code: number): Promise<void> {
  if (stopping) return
  stopping = true
  await endAll()
  await client?.close()
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))

const port = readPort()
if (!(await isFree(port))) {
  console.error(`Port ${port} is taken. Stop what uses it, or choose another: npm run dev -- --port ${port + 1}`)
  process.exit(1)
}
const url = `http://localhost:${port}`
completeVariables()

console.log('Building the app and preparing the database ...')
const [watcher, migrated] = await Promise.all([
  watchClient(),
  run('wrangler', ['d1', 'migrations', 'apply', 'DB', '--local'], {
    env: { ...quietEnvironment, WRANGLER_LOG: 'warn' },
  }),
])
client = watcher
// A build for a deployment empties the folder, so /docs exists in development only.
writeDocumentation(join(root, 'dist/client/docs'))
if (migrated !== 0 && !stopping) {
  console.error('The migrations could not be applied. To begin with an empty database, delete .wrangler/state.')
  await stop(1)
}

let server: ChildProcess | null = serve()

// wrangler reads .dev.vars only at its start.
let inForce = readVariables()
let restarting = Promise.resolve()
watch(root, (_event, name) => {
  if (name !== '.dev.vars') return
  restarting = restarting.then(async () => {
    await sleep(100)
    const text = readVariables()
    if (stopping || text === inForce) return
    inForce = text
    console.log('.dev.vars has changed: starting the Worker again ...')
    const before = server
    server = null
    if (before) await end(before)
    server = serve()
    if (await answersWithin(60_000)) console.log('Ready.')
  })
})

await answersWithin(Number.POSITIVE_INFINITY)
// The local runtime has no cron timer.
runCron(url)
const address = parseEnv(inForce).BASE_URL || url
console.log(`
  Gatehouse   ${address}
  Mailbox     ${url}/dev/mailbox   every mail and text message that it "sends"

  Sign up at ${address}/sign-up, then open the link in the mailbox.
  Edit worker/ or client/ and reload. Settings: worker/config.ts, .dev.vars. Stop: Ctrl-C.
`)
