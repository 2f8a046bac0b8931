// `npm run dev`: everything that a development server needs, without an account, a prompt or a network.

import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, parseEnv } from 'node:util'
import { build } from 'vite'
import { quietEnvironment, root, run, start } from './tools.ts'

/** How long the server may take to stop before it is stopped. */
const patience = 5000

function readPort(): number {
  const { values } = parseArgs({ options: { port: { type: 'string', default: process.env.PORT || '8787' } } })
  const port = Number(values.port)
  if (Number.isInteger(port) && port > 0 && port <= 65_535) return port
  throw new Error(`"${values.port}" is no port. Try: npm run dev -- --port 8788`)
}

/** Whether both names of this machine are free at a port: `localhost` is 127.0.0.1, ::1, or both. */
async function isFree(port: number): Promise<boolean> {
  const tries = ['127.0.0.1', '::1'].map(
    (host) =>
      new Promise<boolean>((resolve) => {
        const server = createServer()
        // A machine without IPv6 has no ::1 that could be taken.
        server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'EADDRINUSE' && code !== 'EACCES'))
        server.listen(port, host, () => server.close(() => resolve(true)))
      }),
  )
  return (await Promise.all(tries)).every(Boolean)
}

/** The development variables, with a secret of this machine's own when there was none. */
function completeVariables(): NodeJS.Dict<string> {
  const file = join(root, '.dev.vars')
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const variables = parseEnv(text)
  if (!variables.GATEHOUSE_SECRET) {
    const comment = '# Signs and seals everything on this machine. See .dev.vars.example for what else may stand here.'
    const joint = text === '' || text.endsWith('\n') ? '' : '\n'
    appendFileSync(file, `${joint}${comment}\nGATEHOUSE_SECRET=${randomBytes(32).toString('base64url')}\n`, {
      mode: 0o600,
    })
    console.log('.dev.vars had no GATEHOUSE_SECRET: a random one was added.')
  }
  return variables
}

/** Builds the app, and again whenever it changes. Resolves after the first build. */
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

async function untilAnswering(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/api/auth/ok`).catch(() => null)
    if (answer?.ok) return
    await sleep(200)
  }
}

const port = readPort()
if (!(await isFree(port))) {
  console.error(`Port ${port} is taken. Stop what uses it, or choose another: npm run dev -- --port ${port + 1}`)
  process.exit(1)
}
const url = `http://localhost:${port}`
const variables = completeVariables()

console.log('Building the app and preparing the database ...')
const [client, migrated] = await Promise.all([
  watchClient(),
  run('wrangler', ['d1', 'migrations', 'apply', 'DB', '--local'], {
    env: { ...quietEnvironment, WRANGLER_LOG: 'warn' },
  }),
])
if (migrated !== 0) {
  console.error('The migrations could not be applied. To begin with an empty database, delete .wrangler/state.')
  process.exit(1)
}

// wrangler ranks --var over .dev.vars over wrangler.toml, whose values are those of production.
const chosen = { ENVIRONMENT: 'development', BASE_URL: url }
const vars = Object.entries(chosen).filter(([name]) => !variables[name])
const server = start(
  'wrangler',
  [
    'dev',
    '--local',
    '--port',
    String(port),
    '--log-level',
    'warn',
    ...vars.flatMap(([name, value]) => ['--var', `${name}:${value}`]),
  ],
  { env: quietEnvironment },
)

let stopping = false
async function stop(code: number): Promise<never> {
  stopping = true
  if (server.exitCode === null && server.signalCode === null) {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGTERM')
    setTimeout(() => server.kill('SIGKILL'), patience).unref()
    await ended
  }
  await client.close()
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void stop(0))
server.once('exit', (code) => {
  if (!stopping) void stop(code ?? 1)
})

await untilAnswering(url)
const address = variables.BASE_URL || url
console.log(`
  Gatehouse   ${address}
  Mailbox     ${url}/dev/mailbox   every mail and text message that it "sends"

  Sign up at ${address}/sign-up, then open the link in the mailbox.
  Edit worker/ or client/ and reload. Settings: worker/config.ts, .dev.vars. Stop: Ctrl-C.
`)
