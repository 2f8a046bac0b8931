import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openBrowser } from '../../client/e2e/browser.ts'
import { scheduledPath } from '../cli/cron.ts'
import { freePort } from '../testing/ports.ts'
import { quietEnvironment, root } from './tools.ts'

/** A copy of the project, since .dev.vars and the local storage belong to the developer. */
const copy = mkdtempSync(join(tmpdir(), 'gatehouse-dev-'))
beforeAll(() => {
  for (const name of [
    'worker',
    'client',
    'migrations',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'wrangler.toml',
  ]) {
    const filter = (source: string) => !source.endsWith('node_modules')
    cpSync(join(root, name), join(copy, name), { recursive: true, filter })
  }
  // Other tests build the app. A page without scripts is sufficient here.
  writeFileSync(join(copy, 'client/index.html'), '<!doctype html><script type="module" src="/main.ts"></script>')
  writeFileSync(join(copy, 'client/main.ts'), '')
  writeFileSync(join(copy, 'client/public/edited.txt'), 'First')
  writeFileSync(
    join(copy, 'client/vite.config.ts'),
    `import { sources } from './sources.ts'
    export default { build: { outDir: '../dist/client', emptyOutDir: true }, plugins: [sources()] }`,
  )
  // The system chooses the debugger's port: another process may take a free one at the same time.
  appendFileSync(join(copy, 'wrangler.toml'), '\n[dev]\ninspector_port = 0\n')
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
})
afterAll(async () => {
  await stop('SIGTERM')
  rmSync(copy, { recursive: true, force: true })
})

let development: ChildProcess | undefined
let said = ''
let url: string

/** Starts the server, unless the previous test has left it running. */
async function startDevelopment(): Promise<ChildProcess> {
  if (development) return development
  const port = await freePort()
  url = `http://localhost:${port}`
  said = ''
  development = spawn(process.execPath, ['worker/scripts/dev.ts', '--port', String(port)], { cwd: copy })
  for (const stream of [development.stdout!, development.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  }
  await vi.waitFor(() => expect(said).toContain('Sign up at'), { timeout: 240_000, interval: 200 })
  return development
}

/** Returns the exit status of the process, which ends with its own code or by a signal. */
async function stop(signal?: NodeJS.Signals): Promise<number | null> {
  const stopping = development
  development = undefined
  if (!stopping) return null
  if (stopping.exitCode !== null) return stopping.exitCode
  const ended = new Promise<number | null>((resolve) => stopping.once('exit', resolve))
  if (signal) stopping.kill(signal)
  return ended
}

/** All child processes of a process, with their program names. */
function descendants(pid: number): { pid: number; name: string }[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' }).trim().split('\n')
  const all = lines.map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)!)
  const below = (parent: number): { pid: number; name: string }[] =>
    all
      .filter(([, , ppid]) => Number(ppid) === parent)
      .flatMap(([, id, , name]) => [{ pid: Number(id), name: name! }, ...below(Number(id))])
  return below(pid)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** A request of the running server. */
const read = async (path: string) => (await fetch(url + path)).text()

/** Replaces a text of a file of the copy. @returns puts it back */
function edit(file: string, text: string, replacement: string): () => void {
  const before = readFileSync(join(copy, file), 'utf8')
  expect(before).toContain(text)
  writeFileSync(join(copy, file), before.replace(text, replacement))
  return () => writeFileSync(join(copy, file), before)
}

/** Signs up a user of the address, and signs in. */
const signUp = () =>
  fetch(`${url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ name: 'Ada', email: `ada-${++users}@example.com`, password: 'correct horse battery 7' }),
  })
let users = 0

const socketHeaders = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

const patiently = { timeout: 60_000, interval: 200 }

describe('npm run dev', () => {
  it('takes up what is edited in .dev.vars', async () => {
    await startDevelopment()
    appendFileSync(join(copy, '.dev.vars'), 'CONFIG={"appName":"Edited","sesion":{}}\n')
    const nameNow = async () => ((await (await fetch(`${url}/api/auth/config`)).json()) as { name: string }).name
    await vi.waitFor(async () => expect(await nameNow()).toBe('Edited'), patiently)
    expect(readFileSync(join(copy, '.dev.vars'), 'utf8')).toContain('GATEHOUSE_SECRET=')
    expect(said).toContain('sesion: unknown setting; did you mean session?')
  })

  it('serves a changed file of the Worker, and continues with the last good build after a broken one', async () => {
    await startDevelopment()
    const undo = edit('worker/features/public-config/public-config.endpoints.ts', 'ok: true', 'ok: false')
    await vi.waitFor(async () => expect(await read('/api/auth/ok')).toContain('false'), patiently)
    for (const [broken, message] of [
      ['export const broken = {', 'app.ts'],
      ["throw new Error('cannot start')", 'cannot start'],
    ] as const) {
      said = ''
      const correct = edit('worker/app.ts', 'export function createApp', `${broken}\nexport function createApp`)
      await vi.waitFor(() => expect(said).toContain('The Worker keeps its last good build'), patiently)
      expect(said).toContain(message)
      expect(await read('/api/auth/ok')).toContain('false')
      correct()
    }
    undo()
    await vi.waitFor(async () => expect(await read('/api/auth/ok')).toContain('true'), patiently)
  })

  it('builds a changed file of the app, and continues with the last good build after a broken one', async () => {
    await startDevelopment()
    expect(await read('/edited.txt')).toContain('First')
    const undo = edit('client/public/edited.txt', 'First', 'Second')
    await vi.waitFor(async () => expect(await read('/edited.txt')).toContain('Second'), patiently)
    await vi.waitFor(
      () => expect(said).toMatch(/Building the app; its pages wait for it .+\n(.*\n)*The app is built/),
      patiently,
    )
    said = ''
    const correct = edit('client/index.html', 'main.ts', 'absent.ts')
    await vi.waitFor(() => expect(said).toContain('The app keeps its last good build'), patiently)
    expect(await read('/edited.txt')).toContain('Second')
    correct()
    undo()
    await vi.waitFor(async () => expect(await read('/edited.txt')).toContain('First'), patiently)
  })

  it('applies migrations that are added, as wrangler notes them', async () => {
    await startDevelopment()
    writeFileSync(join(copy, 'migrations/9999_added.sql'), 'create table added (id text); insert into added values (1)')
    const applied = () =>
      execFileSync(
        process.execPath,
        [join(root, 'node_modules/wrangler/bin/wrangler.js'), 'd1', 'migrations', 'list', 'DB', '--local'],
        { cwd: copy, encoding: 'utf8', env: { ...quietEnvironment, WRANGLER_LOG: 'log' } },
      )
    await vi.waitFor(() => expect(applied()).toContain('No migrations to apply'), patiently)
  })

  it('starts again with the same state, without a second build or migration', async () => {
    await startDevelopment()
    // The runtime may just be restarting, after the files of the test before.
    await vi.waitFor(async () => expect((await signUp()).status).toBe(200), patiently)
    const address = `ada-${users}@example.com`
    const built = statSync(join(copy, 'dist/client/edited.txt')).mtimeMs
    await stop('SIGTERM')
    await startDevelopment()
    expect(await read('/edited.txt')).toContain('First')
    expect(statSync(join(copy, 'dist/client/edited.txt')).mtimeMs).toBe(built)
    expect(await read('/dev/mailbox.json')).toContain(address)
  })

  it('opens a WebSocket', async () => {
    await startDevelopment()
    const cookie = (await signUp()).headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const opened = request(`${url}/api/auth/live`, {
      headers: { ...socketHeaders, origin: url, cookie },
    })
    const status = await new Promise((resolve, reject) => {
      opened.once('upgrade', ({ statusCode }, socket) => {
        socket.destroy()
        resolve(statusCode)
      })
      opened
        .once('response', ({ statusCode }) => resolve(statusCode))
        .once('error', reject)
        .end()
    })
    expect(status).toBe(101)
  })

  it('builds the documentation at its first page, and again after a change of a guide', async () => {
    await startDevelopment()
    const { browser, close } = await openBrowser()
    const page = await browser.newPage({ colorScheme: 'light' })
    // Each build of the documentation may take long on a busy machine.
    page.setDefaultTimeout(200_000)
    const errors: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`)
    })
    await page.goto(`${url}/docs`)
    expect(said).toContain('Building the documentation ...')
    expect(page.url()).toBe(`${url}/docs/`)
    await page.getByRole('link', { name: 'Passkeys', exact: true }).first().click()
    await page.waitForURL('**/docs/passkeys')
    const scripts = [...(await page.content()).matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, path]) => url + path)
    expect(scripts).not.toEqual([])
    const undo = edit('worker/guides/passkeys.md', '# Passkeys', '# Passkeys of devices')
    await page.reload()
    await page.getByRole('heading', { name: 'Passkeys of devices' }).waitFor()
    undo()
    // Another page that has stayed open still loads the scripts of its build.
    for (const script of scripts) expect((await fetch(script)).status, script).toBe(200)
    expect(errors).toEqual([])
    await close()
  })

  it('runs the cron trigger', async () => {
    await startDevelopment()
    // The address that dev.ts calls every minute (cron.node.test.ts) exists.
    expect((await fetch(`${url}${scheduledPath}`)).status).toBe(200)
  })

  it.each(['SIGTERM', 'SIGHUP'] as const)('%s ends it, with all that it has started', async (signal) => {
    const { pid } = await startDevelopment()
    const below = descendants(pid!)
    expect(below.filter(({ name }) => name.includes('workerd')).length).toBeGreaterThan(0)
    expect(await stop(signal)).toBe(0)
    await vi.waitFor(() => expect(below.filter(({ pid }) => isAlive(pid))).toEqual([]), { timeout: 60_000 })
  })

  it('starts the runtime again when it has stopped', async () => {
    const { pid: parent } = await startDevelopment()
    for (const { pid, name } of descendants(parent!)) {
      if (name.includes('workerd')) process.kill(pid, 'SIGKILL')
    }
    await vi.waitFor(() => expect(said).toContain('The Workers runtime (workerd) has stopped'), patiently)
    await vi.waitFor(async () => expect((await fetch(`${url}/api/auth/ok`)).status).toBe(200), patiently)
  })
})
