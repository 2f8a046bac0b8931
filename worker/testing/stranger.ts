import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { quietEnvironment } from '../scripts/tools.ts'
import { freePort } from './ports.ts'

const execute = promisify(execFile)
const shell = process.platform === 'win32'

/** Milliseconds until a started server must answer. */
const patience = 180_000
/** An ended session is refused after 5 seconds at most. */
const noticed = 5000

interface Running {
  child: ChildProcess
  said(): string
}

/** A developer who has never seen Gatehouse, in an empty folder, with a terminal and a browser. */
export class Stranger {
  readonly folder = mkdtempSync(join(tmpdir(), 'gatehouse-stranger-'))
  readonly times: string[] = []
  private readonly running: Running[] = []
  private env: NodeJS.ProcessEnv = {}
  private ports: Record<string, string> = {}

  /** @param registry the address of npm's registry */
  static async arrive(registry: string): Promise<Stranger> {
    const stranger = new Stranger()
    const [accounts, product] = [String(await freePort()), String(await freePort())]
    stranger.ports = { 8787: accounts, 3000: product }
    const env: NodeJS.ProcessEnv = {
      ...quietEnvironment,
      WRANGLER_REGISTRY_PATH: join(stranger.folder, 'registry'),
      PORT: product,
      // Frameworks would call their makers.
      NEXT_TELEMETRY_DISABLED: '1',
      ASTRO_TELEMETRY_DISABLED: '1',
      NUXT_TELEMETRY_DISABLED: '1',
      npm_config_registry: registry,
      npm_config_replace_registry_host: 'never',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
      npm_config_loglevel: 'error',
      npm_config_prefer_offline: 'true',
    }
    // Set by npm and vitest for the tests; the product has its own settings.
    for (const key of Object.keys(env))
      if (/^npm_(package|lifecycle|config_local_prefix)|^(VITEST|NODE_ENV$|DEV$|PROD$|TEST)/.test(key)) delete env[key]
    stranger.env = env
    return stranger
  }

  /** Sets a variable of the terminal. */
  setVariable(name: string, value: string): void {
    this.env[name] = value
  }

  get accounts(): string {
    return `http://localhost:${this.ports[8787]}`
  }

  get product(): string {
    return `http://localhost:${this.ports[3000]}`
  }

  path = (...names: string[]) => join(this.folder, ...names)

  scripts(folder = '.'): Record<string, string> {
    return JSON.parse(readFileSync(this.path(folder, 'package.json'), 'utf8')).scripts
  }

  /** Types a line of a guide, for a folder below the own. @returns its output; that of a failure is in the exception */
  async type(line: string, folder = '.'): Promise<string> {
    const [file, ...words] = line.split(' ')
    mkdirSync(this.path(folder), { recursive: true })
    const begin = Date.now()
    const options = { cwd: this.path(folder), env: this.env, shell, maxBuffer: 1e8 }
    const { stdout, stderr } = await execute(file!, words, options).catch((failure) => {
      throw new Error(`${line}\n${failure.stdout}${failure.stderr}`)
    })
    this.note(line.replace(/--package=\S+/, '--package=…'), begin)
    return stdout + stderr
  }

  private note(what: string, begin: number): void {
    this.times.push(`${what}: ${((Date.now() - begin) / 1000).toFixed(1)} s`)
  }

  /** Puts free ports into the files, for those of the guides. @param all otherwise only that of the product */
  useFreePorts(all = true): void {
    const ports = Object.entries(this.ports).filter(([from]) => all || from === '3000')
    for (const entry of readdirSync(this.folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (!entry.isFile() || /[\\/]node_modules[\\/]|package-lock|\.tgz$/.test(path)) continue
      const text = readFileSync(path, 'utf8')
      const changed = ports.reduce((now, [from, to]) => now.replaceAll(from, to), text)
      if (changed !== text) writeFileSync(path, changed)
    }
  }

  /** Writes a file of the stranger's own. */
  write(path: string, text: string): void {
    mkdirSync(this.path(path, '..'), { recursive: true })
    writeFileSync(this.path(path), text)
  }

  /** Starts a server, in a process group of its own because npm does not pass signals on, until addresses answer. */
  async start(line: string, urls: string[], folder = '.'): Promise<{ stop(): Promise<void> }> {
    const begin = Date.now()
    const [file, ...words] = line.split(' ')
    const child = spawn(file!, words, { cwd: this.path(folder), env: this.env, shell, detached: !shell })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
    }
    const started = { child, said: () => text }
    this.running.push(started)
    for (const url of urls) {
      for (;;) {
        const answer = await fetch(url, { redirect: 'manual' }).catch(() => null)
        if (answer && answer.status < 500) break
        if (Date.now() - begin > patience || child.exitCode !== null)
          throw new Error(`${line}: ${url} does not answer\n${text}`)
        await sleep(200)
      }
    }
    this.note(line, begin)
    return { stop: () => stopOne(started) }
  }

  said = (): string => this.running.map(({ said }) => said()).join('\n')

  /** Stops all that was started. */
  async stop(): Promise<void> {
    await Promise.all(this.running.splice(0).map(stopOne))
  }

  /**
   * Signs up, sees the protected page, keeps tasks in an organization with another member, is refused after the end of the
   * session, signs in and out.
   * @returns after how many ms the ended session was refused
   */
  async useProduct(browser: Browser, email: string): Promise<number> {
    const begin = Date.now()
    const context = await browser.newContext({ locale: 'en-US' })
    const page = await context.newPage()
    page.setDefaultTimeout(patience)
    try {
      return await visit(page, this.accounts, this.product, {
        name: 'Ada',
        email,
        password: 'correct horse battery staple',
      })
    } catch (thrown) {
      const text = await page
        .locator('body')
        .innerText()
        .catch(() => '')
      const why = thrown instanceof Error ? thrown.message : thrown
      throw new Error(`${why}\n${page.url()}\n${text.slice(0, 2000)}\n${this.said().slice(-4000)}`)
    } finally {
      await context.close()
      this.note('in the browser', begin)
    }
  }

  async leave(): Promise<void> {
    await this.stop()
    // A server that `gatehouse dev` has started writes until it has ended too, and rmSync repeats only its last step.
    for (let attempt = 1; existsSync(this.folder); attempt++) {
      try {
        rmSync(this.folder, { recursive: true, force: true })
      } catch (thrown) {
        if (attempt === 120) throw thrown
        await sleep(250)
      }
    }
  }
}

async function stopOne({ child }: Running): Promise<void> {
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

/** Waits for a page. */
const arrives = (page: Page, path: string, origin: string) =>
  page.waitForURL((url) => url.origin === origin && url.pathname === path, { timeout: patience })

/** Ends all sessions of the browser from another place, so that the browser keeps its cookies. */
async function revoke(page: Page, accounts: string): Promise<void> {
  const cookies = await page.context().cookies(accounts)
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const answer = await fetch(`${accounts}/api/auth/revoke-sessions`, {
    method: 'POST',
    headers: { cookie, origin: accounts, 'content-type': 'application/json' },
    body: '{}',
  })
  if (!answer.ok) throw new Error(`revoke-sessions answered ${answer.status}`)
}

/** Calls the accounts with the cookies of the browser. */
async function call(context: BrowserContext, accounts: string, path: string, data: object) {
  const answer = await context.request.post(`${accounts}/api/auth${path}`, { data, headers: { origin: accounts } })
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`)
  return answer.json()
}

/** Creates an organization for the tasks, which an owner adds and removes, and a member only adds. */
async function keepTasks(page: Page, accounts: string, product: string): Promise<void> {
  const context = page.context()
  const task = (on: Page, title: string) => on.getByRole('listitem').filter({ hasText: title })
  const add = async (on: Page, title: string) => {
    // The script of a page may come after its form, and then ignores what has been entered.
    await on.waitForLoadState('networkidle')
    await on.getByLabel('Title').fill(title)
    await on.getByRole('button', { name: 'Add', exact: true }).click()
    await task(on, title).waitFor()
  }
  await page.goto(`${product}/`)
  await page.getByRole('link', { name: 'Tasks' }).click()
  await arrives(page, '/tasks', product)
  await page.getByRole('link', { name: 'Create an organization' }).click()
  await arrives(page, '/organizations/new', accounts)
  const slug = `team-${Date.now()}`
  await page.getByLabel('Name', { exact: true }).fill('Team')
  await page.getByLabel('URL slug').fill(slug)
  await page.getByRole('button', { name: 'Create organization' }).click()
  await arrives(page, '/tasks', product)
  await add(page, 'Buy milk')
  await add(page, 'Water the plants')
  await task(page, 'Buy milk').getByRole('button', { name: 'Remove' }).click()
  await task(page, 'Buy milk').waitFor({ state: 'detached' })

  const other = await context.browser()!.newContext({ locale: 'en-US' })
  try {
    const email = `${slug}@example.com`
    const invited = await call(context, accounts, '/organization/invite-member', { email, role: 'member' })
    await call(other, accounts, '/sign-up/email', { name: 'Grace', email, password: 'correct horse battery staple' })
    await call(other, accounts, '/organization/accept-invitation', { invitationId: invited.id })
    const theirs = await other.newPage()
    theirs.setDefaultTimeout(patience)
    await theirs.goto(`${product}/tasks`)
    await add(theirs, 'Read a book')
    await task(theirs, 'Water the plants').waitFor()
    const removals = await theirs.getByRole('button', { name: 'Remove' }).count()
    if (removals > 0) throw new Error('a member without the permission may remove tasks')
  } finally {
    await other.close()
  }
}

async function visit(
  page: Page,
  accounts: string,
  product: string,
  person: { name: string; email: string; password: string },
): Promise<number> {
  const hello = () => page.getByRole('heading', { name: `Hello ${person.name}` }).waitFor()
  // The public page leads to the protected one, and this to the sign-in.
  await page.goto(`${product}/`)
  await page.getByRole('link', { name: 'Members' }).click()
  await arrives(page, '/sign-in', accounts)
  await page.getByRole('link', { name: 'Create an account' }).click()
  await arrives(page, '/sign-up', accounts)
  await page.getByLabel('Name', { exact: true }).fill(person.name)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').first().fill(person.password)
  await page.getByRole('button', { name: 'Create account', exact: true }).click()
  // The hosted page names the product that it leads back to.
  await page.getByRole('link', { name: /^Continue to localhost/ }).click()
  await arrives(page, '/members', product)
  await hello()

  await keepTasks(page, accounts, product)

  // An ended session is noticed.
  await revoke(page, accounts)
  const ended = Date.now()
  for (;;) {
    // A page that was requested in time may be there later, on a slow machine.
    const requested = Date.now()
    await page.goto(`${product}/members`)
    if (new URL(page.url()).origin === accounts) break
    if (requested - ended > noticed) throw new Error('the ended session is still accepted')
    await sleep(200)
  }
  const time = Date.now() - ended

  // Signs in again, and out.
  await page.locator('input[name="identifier"]').fill(person.email)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByLabel('Password').first().fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await arrives(page, '/members', product)
  await hello()
  await page.getByRole('link', { name: 'Sign out' }).click()
  await arrives(page, '/sign-out', accounts)
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('link', { name: /^Continue to localhost/ }).click()
  await arrives(page, '/', product)
  await page.goto(`${product}/members`)
  await arrives(page, '/sign-in', accounts)
  return time
}
