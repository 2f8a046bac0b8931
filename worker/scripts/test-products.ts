// `npm run test:products [-- NAME...]`: makes the product of each template from the packed package in an empty folder, installs
// and builds it with its framework, starts it beside a Gatehouse Worker, and drives it in a browser. What npm's cache does not
// have comes from the registry.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../../client/e2e/open-browser.ts'
import { productFolder, templateNames } from '../cli/product-template.ts'
import { freePort } from '../testing/ports.ts'
import { quietEnvironment, root } from './tools.ts'

const execute = promisify(execFile)
const person = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery staple' }

/** Milliseconds until a started server must answer. */
const patience = 120_000
/** An ended session is refused after 5 seconds at most. */
const noticed = 5000

class Failure extends Error {}

async function run(file: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const shell = process.platform === 'win32'
  const done = execute(file, args, { cwd, env, shell, maxBuffer: 1e8 })
  return (
    await done.catch(({ stdout, stderr }) => {
      throw new Failure(`${file} ${args.join(' ')}\n${stdout}${stderr}`)
    })
  ).stdout
}

interface Running {
  child: ChildProcess
  said(): string
}

/** Starts a command in a process group of its own, because npm does not pass signals on. */
function start(file: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): Running {
  const child = spawn(file, args, { cwd, env, detached: process.platform !== 'win32' })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
  }
  return { child, said: () => text }
}

async function stop({ child }: Running): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  try {
    process.kill(-child.pid!, 'SIGTERM')
  } catch {
    child.kill()
  }
  await Promise.race([ended, sleep(5000)])
  try {
    // What is left of the group.
    process.kill(-child.pid!, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** Waits until an address answers with a status below 500. @throws Failure with the output of the server */
async function answers(url: string, { child, said }: Running): Promise<void> {
  const end = Date.now() + patience
  while (Date.now() < end && child.exitCode === null) {
    const answer = await fetch(url, { redirect: 'manual' }).catch(() => null)
    if (answer && answer.status < 500) return
    await sleep(200)
  }
  throw new Failure(`${url} does not answer\n${said()}`)
}

/** Changes the addresses in the text files of a folder. */
function place(folder: string, ports: Record<string, string>): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || /[\\/]node_modules[\\/]|package-lock|\.tgz$/.test(path)) continue
    const text = readFileSync(path, 'utf8')
    const changed = Object.entries(ports).reduce((now, [from, to]) => now.replaceAll(from, to), text)
    if (changed !== text) writeFileSync(path, changed)
  }
}

async function check(page: Page, path: string, origin: string): Promise<void> {
  await page.waitForURL((url) => url.origin === origin && url.pathname === path, { timeout: patience })
}

/** Ends all sessions of the browser from another place, so that the browser keeps its cookies. */
async function revoke(page: Page, accounts: string): Promise<void> {
  const cookies = await page.context().cookies(accounts)
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const answer = await fetch(`${accounts}/api/auth/revoke-sessions`, {
    method: 'POST',
    headers: { cookie, origin: accounts, 'content-type': 'application/json' },
    body: '{}',
  })
  if (!answer.ok) throw new Failure(`revoke-sessions answered ${answer.status}`)
}

async function drive(browser: Browser, accounts: string, product: string): Promise<number> {
  const context = await browser.newContext({ locale: 'en-US' })
  const page = await context.newPage()
  page.setDefaultTimeout(patience)
  const hello = () => page.getByRole('heading', { name: `Hello ${person.name}` }).waitFor()
  try {
    // The public page leads to the protected one, and this to the sign-in.
    await page.goto(`${product}/`)
    await page.getByRole('link', { name: 'Members' }).click()
    await check(page, '/sign-in', accounts)
    await page.getByRole('link', { name: 'Create an account' }).click()
    await check(page, '/sign-up', accounts)
    await page.getByLabel('Name', { exact: true }).fill(person.name)
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password').first().fill(person.password)
    await page.getByRole('button', { name: 'Create account', exact: true }).click()
    // The hosted page names the product that it leads back to.
    await page.getByRole('link', { name: /^Continue to localhost/ }).click()
    await check(page, '/members', product)
    await hello()

    // An ended session is noticed.
    await revoke(page, accounts)
    const ended = Date.now()
    for (;;) {
      // A page that was requested in time may be there later, on a slow machine.
      const requested = Date.now()
      await page.goto(`${product}/members`)
      if (new URL(page.url()).origin === accounts) break
      if (requested - ended > noticed) throw new Failure('the ended session is still accepted')
      await sleep(200)
    }
    const time = Date.now() - ended

    // Signs in again, and out.
    await page.locator('input[name="identifier"]').fill(person.email)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByLabel('Password').first().fill(person.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await check(page, '/members', product)
    await hello()
    await page.getByRole('link', { name: 'Sign out' }).click()
    await check(page, '/sign-out', accounts)
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('link', { name: /^Continue to localhost/ }).click()
    await check(page, '/', product)
    await page.goto(`${product}/members`)
    await check(page, '/sign-in', accounts)
    return time
  } catch (thrown) {
    const text = await page
      .locator('body')
      .innerText()
      .catch(() => '')
    throw new Failure(`${thrown instanceof Error ? thrown.message : thrown}\n${page.url()}\n${text.slice(0, 2000)}`)
  } finally {
    await context.close()
  }
}

async function testProduct(name: string, tarball: string, browser: Browser): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), `gatehouse-${name}-`))
  const [accountsPort, productPort] = [String(await freePort()), String(await freePort())]
  const accounts = `http://localhost:${accountsPort}`
  const product = `http://localhost:${productPort}`
  const registry = { WRANGLER_REGISTRY_PATH: join(folder, 'registry') }
  const env: NodeJS.ProcessEnv = {
    ...quietEnvironment,
    ...registry,
    PORT: productPort,
    GATEHOUSE_URL: accounts,
    // Frameworks would call their makers.
    NEXT_TELEMETRY_DISABLED: '1',
    ASTRO_TELEMETRY_DISABLED: '1',
  }
  // Set by npm for this script; the product has its own settings.
  for (const key of Object.keys(env)) if (/^npm_(package|lifecycle|config_local_prefix)/.test(key)) delete env[key]
  const running: Running[] = []
  const times: string[] = []
  const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const begin = Date.now()
    const result = await work()
    times.push(`${what} ${((Date.now() - begin) / 1000).toFixed(1)} s`)
    return result
  }
  const quietly = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline']
  try {
    await timed('install', async () => {
      await run('npm', ['install', ...quietly, tarball], folder, env)
      const bin = join(folder, 'node_modules/gatehouse-auth/dist/package/gatehouse.js')
      await run(process.execPath, [bin, 'init', 'Acme', '--template', name], folder, env)
      place(folder, { 8787: accountsPort, 3000: productPort })
      await run('npm', ['install', ...quietly], folder, env)
    })
    const { scripts } = JSON.parse(readFileSync(join(folder, productFolder, 'package.json'), 'utf8'))
    const inProduct = ['--workspace', productFolder]
    if (scripts.build) await timed('build', () => run('npm', ['run', 'build', ...inProduct], folder, env))
    await timed('start', async () => {
      const wrangler = join(folder, 'node_modules/wrangler/bin/wrangler.js')
      await run(process.execPath, [wrangler, 'd1', 'migrations', 'apply', 'DB', '--local'], folder, env)
      const worker = start(
        process.execPath,
        [wrangler, 'dev', '--port', accountsPort, '--inspector-port', '0'],
        folder,
        env,
      )
      running.push(worker)
      await answers(`${accounts}/api/auth/ok`, worker)
      const served = start('npm', ['run', 'start', ...inProduct], folder, env)
      running.push(served)
      await answers(product, served)
    })
    const noticedAfter = await timed('browser', () => drive(browser, accounts, product)).catch((thrown) => {
      throw new Failure(`${thrown.message}\n${running.map(({ said }) => said().slice(-3000)).join('\n')}`)
    })
    times.push(`ended session refused after ${noticedAfter} ms`)
    await Promise.all(running.splice(0).map(stop))
    await timed('gatehouse-auth dev', async () => {
      const both = start('npx', ['gatehouse-auth', 'dev', '--port', accountsPort], folder, env)
      running.push(both)
      await answers(`${accounts}/api/auth/ok`, both)
      await answers(product, both)
      if (!(await (await fetch(product)).text()).includes('Members')) throw new Failure('dev serves another page')
    })
    return times.join(', ')
  } finally {
    await Promise.all(running.map(stop))
    await removeFolder(folder)
  }
}

/**
 * `gatehouse dev` ends at once, and a server that it has started writes until it has ended too. `rmSync` itself repeats
 * only the last step, which fails for as long as a new file is there.
 */
async function removeFolder(folder: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return rmSync(folder, { recursive: true, force: true })
    } catch (thrown) {
      if (attempt === 120) throw thrown
      await sleep(250)
    }
  }
}

if (!existsSync(join(root, 'dist/package/index.d.ts'))) {
  console.error('First: npm run package')
  process.exit(1)
}
const known = templateNames()
const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`No template ${unknown.join(', ')}. There are ${known.join(', ')}.`)
  process.exit(1)
}
const packs = mkdtempSync(join(tmpdir(), 'gatehouse-pack-'))
const { browser, close } = await openBrowser()
let failures = 0
try {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', packs]
  const [packed] = JSON.parse(await run('npm', args, root, process.env)) as { filename: string }[]
  for (const name of chosen.length > 0 ? chosen : known) {
    try {
      console.log(`${name}: ${await testProduct(name, join(packs, packed!.filename), browser)}`)
    } catch (thrown) {
      failures++
      console.error(`${name}: failed\n${thrown instanceof Failure ? thrown.message : (thrown as Error).stack}`)
    }
  }
} finally {
  await close()
  rmSync(packs, { recursive: true, force: true })
}
process.exit(failures > 0 ? 1 : 0)
