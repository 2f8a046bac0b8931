import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openBrowser } from '../../client/e2e/browser.ts'
import { scheduledPath } from '../cli/cron.ts'
import { freePort } from '../testing/ports.ts'
import { root } from './tools.ts'

/** A copy of the project, since .dev.vars and the local storage belong to the developer. */
const copy = mkdtempSync(join(tmpdir(), 'gatehouse-dev-'))
beforeAll(() => {
  for (const name of ['worker', 'client', 'migrations', 'package.json', 'tsconfig.json', 'wrangler.toml']) {
    const filter = (source: string) => !source.endsWith('node_modules')
    cpSync(join(root, name), join(copy, name), { recursive: true, filter })
  }
  // Other tests build the app. A page without scripts is sufficient here, and the server starts in a third of the time.
  writeFileSync(join(copy, 'client/index.html'), '<!doctype html><title>Gatehouse</title>')
  const build = { outDir: '../dist/client', emptyOutDir: true }
  writeFileSync(join(copy, 'client/vite.config.ts'), `export default ${JSON.stringify({ build })}`)
  // The system chooses the debugger's port. wrangler looks for a free one, which another process may take at the same
  // time.
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
  await vi.waitFor(() => expect(said).toContain('Sign up at'), { timeout: 180_000, interval: 200 })
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

describe('npm run dev', () => {
  // The first start applies all migrations, one after the other.
  it('takes up what is edited in .dev.vars', { timeout: 300_000 }, async () => {
    await startDevelopment()
    appendFileSync(join(copy, '.dev.vars'), 'CONFIG={"appName":"Edited","sesion":{}}\n')
    const nameNow = async () => ((await (await fetch(`${url}/api/auth/config`)).json()) as { name: string }).name
    await vi.waitFor(async () => expect(await nameNow()).toBe('Edited'), { timeout: 60_000, interval: 500 })
    expect(readFileSync(join(copy, '.dev.vars'), 'utf8')).toContain('GATEHOUSE_SECRET=')
    expect(said).toContain('sesion: unknown setting; did you mean session?')
  })

  it('serves the guides with their style, search and theme', async () => {
    await startDevelopment()
    const { browser, close } = await openBrowser()
    const page = await browser.newPage({ colorScheme: 'light' })
    const errors: string[] = []
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    await page.goto(`${url}/docs/index.html`)
    // The column of the navigation, which comes from the style sheet.
    const column = (await page.locator('nav').boundingBox())!
    expect(column.width).toBeLessThan(page.viewportSize()!.width / 2)
    await page.getByLabel('Search').fill('privaterelay')
    await page.getByRole('link', { name: 'Social sign-in: Apple' }).waitFor()
    await page.getByRole('button', { name: 'Dark theme' }).click()
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
    await vi.waitFor(() => expect(below.filter(({ pid }) => isAlive(pid))).toEqual([]), { timeout: 10_000 })
  })

  it('says so and ends when the runtime has stopped and no longer answers', async () => {
    const { pid: parent } = await startDevelopment()
    for (const { pid, name } of descendants(parent!)) {
      if (name.includes('workerd')) process.kill(pid, 'SIGKILL')
    }
    expect(await stop()).not.toBe(0)
    expect(said).toContain('The Workers runtime (workerd) has stopped')
  })
})
