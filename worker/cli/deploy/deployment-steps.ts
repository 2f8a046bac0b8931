import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Configuration } from '../../configuration/read-config.ts'
import type { Jurisdiction } from '../../platform/jurisdiction.ts'
import {
  archiveTable,
  databaseTable,
  jurisdictionArguments,
  namespaceTitle,
  r2Hints,
  readBuckets,
  readDatabases,
  readLogin,
  readNamespaces,
  readSecretNames,
  unappliedMigrations,
} from '../account.ts'
import { readSecret } from '../ask.ts'
import { CliError } from '../cli-error.ts'
import { adminChecks, loginChecks } from '../doctor/account-checks.ts'
import { fileChecks, originChecks, wranglerChecks } from '../doctor/file-checks.ts'
import { bindingChecks, storeChecks } from '../doctor/jurisdiction-checks.ts'
import { productChecks, setAt } from '../doctor/product-checks.ts'
import { openPrivate } from '../private-file.ts'
import { isPlaceholderId } from '../template.ts'
import {
  applyMigrations,
  placeArguments,
  placeOf,
  secretCommand,
  selectAll,
  type Target,
  wrangler,
} from '../wrangler.ts'
import {
  readWranglerConfig,
  setValue,
  type Table,
  tablesIn,
  variablesOf,
  type WranglerConfig,
} from '../wrangler-config.ts'
import type { Finding, Step } from './perform.ts'

export interface DeploymentOptions {
  target: Target
  /** The origin of users; otherwise asked for. */
  baseUrl: string | undefined
  /** @returns the typed answer; undefined without a terminal */
  ask(question: string): Promise<string | undefined>
  /** Runs a command of wrangler that needs the terminal, such as the login in the browser. */
  onTerminal(args: string[]): Promise<boolean>
  dryRun: boolean
}

/** The steps from a folder of `gatehouse init` to a Worker that answers. */
export function deploymentSteps(options: DeploymentOptions): Step[] {
  const { target } = options
  const file = () => readWranglerConfig(target.config, target.env)
  /** Without credentials a dry run knows only the file. */
  let hasAccount = true
  /** Of the entry module; undefined if it cannot be read. */
  let jurisdiction: Jurisdiction | null | undefined
  return [
    { name: 'configuration file', look: async () => checkFile(file()) },
    {
      name: 'login',
      look: async () => {
        const finding = await login(options, file())
        hasAccount = 'done' in finding
        return finding
      },
    },
    { name: 'BASE_URL', look: () => origin(options, file()) },
    {
      name: 'entry module',
      look: async () => {
        const configuration = await checkProduct(target, file())
        jurisdiction = configuration?.settings.jurisdiction
        return { done: 'all settings are valid' }
      },
    },
    {
      name: 'jurisdiction',
      look: () => checkJurisdiction(jurisdiction, target, file(), hasAccount || !options.dryRun),
    },
    { name: 'database', look: () => database(options, file(), hasAccount || !options.dryRun, jurisdiction) },
    { name: 'KV namespace', look: () => namespace(options, file(), hasAccount || !options.dryRun, jurisdiction) },
    { name: 'archive', look: () => archive(options, file(), hasAccount || !options.dryRun) },
    { name: 'migrations', look: () => migrations(options, file()) },
    { name: 'secrets', look: () => secrets(options, file(), hasAccount || !options.dryRun) },
    { name: 'Worker', look: async () => worker(target, file()) },
    { name: 'administrator', look: () => administrator(options, file()) },
  ]
}

/** What the deployment cannot repair: the file lacks a section, or names a folder that does not exist. */
async function checkFile(file: WranglerConfig): Promise<Finding> {
  const problems = [...wranglerChecks(file), ...fileChecks(file)].filter(({ state }) => state === 'problem')
  if (problems.length === 0) return { done: file.path }
  const list = problems.map(({ name, text }) => `${name} ${text}`).join('; ')
  throw new CliError(`${file.path}: ${list}`, 'npx gatehouse-auth doctor prints the lines to add')
}

async function login({ onTerminal, dryRun }: DeploymentOptions, file: WranglerConfig): Promise<Finding> {
  const refuse = new CliError('wrangler has no credentials.', 'npx wrangler login, or set CLOUDFLARE_API_TOKEN')
  if (!(await readLogin()).loggedIn) {
    const run = async () => {
      if (!(await onTerminal(['login'])) || !(await readLogin()).loggedIn) throw refuse
      return account(file)
    }
    return { plan: 'sign in to Cloudflare in the browser (npx wrangler login)', run }
  }
  // A dry run names the account too, but does not need one.
  return { done: await account(file).catch((thrown) => (dryRun ? String(thrown.message) : Promise.reject(thrown))) }
}

async function account(file: WranglerConfig): Promise<string> {
  const [check] = await loginChecks(file)
  if (check!.state === 'ok') return check!.text
  throw new CliError(check!.text, check!.fix ?? 'npx wrangler login')
}

/** BASE_URL in the file, and the route that leads its host to the Worker. */
async function origin({ baseUrl, ask }: DeploymentOptions, file: WranglerConfig): Promise<Finding> {
  const checks = originChecks(file, true)
  const open = checks.find(({ state }) => state === 'problem')
  const current = String((file.values.vars as Table | undefined)?.BASE_URL ?? '')
  if (!open && (baseUrl === undefined || baseUrl === current)) return { done: current }
  if (open?.name === 'route')
    return { plan: `lead ${new URL(current).hostname} to the Worker`, run: async () => route(file, current) }
  const plan = baseUrl ? `set it to ${baseUrl} in ${file.path}` : `set it in ${file.path}`
  return {
    plan,
    async run() {
      const given = baseUrl ?? (await ask('The origin that users see (https://accounts.your-domain)'))
      if (!given)
        throw new CliError('BASE_URL is not set.', 'npx gatehouse-auth deploy --base-url https://accounts.your-domain')
      const text = given.replace(/\/$/, '')
      const url = URL.canParse(text) ? new URL(text) : null
      if (url?.protocol !== 'https:' || url.origin !== text) {
        throw new CliError(`${given} is not an https origin.`, 'give one such as https://accounts.your-domain')
      }
      return route(setValue(file, ['vars', 'BASE_URL'], text), text)
    },
  }
}

function route(file: WranglerConfig, base: string): string {
  if (originChecks(file, true).every(({ state }) => state === 'ok')) return base
  const { hostname } = new URL(base)
  if (hostname.endsWith('.workers.dev')) {
    setValue(file, ['workers_dev'], true)
    return `${base}, with workers_dev = true`
  }
  const routes = [...((file.values.routes ?? []) as unknown[]), { pattern: hostname, custom_domain: true }]
  setValue(file, ['routes'], routes)
  return `${base}, with ${hostname} as a custom domain of the Worker`
}

/** An invalid setting would end the deployment after its resources were created. */
async function checkProduct(target: Target, file: WranglerConfig): Promise<Configuration | null> {
  const { checks, configuration } = await productChecks(file, target, variablesOf(file), setAt(target))
  const [first] = checks.filter(({ name, state }) => state === 'problem' && !isSecretName(name))
  if (!first) return configuration
  throw new CliError(`${first.name}: ${first.text}`, first.fix ?? 'correct the setting')
}

/** The stores that exist are in the jurisdiction of the configuration, in which the others are created. */
async function checkJurisdiction(
  chosen: Jurisdiction | null | undefined,
  target: Target,
  file: WranglerConfig,
  hasAccount: boolean,
): Promise<Finding> {
  if (chosen === undefined) return { done: 'unknown: the entry module does not call gatehouse(...)' }
  const stores = hasAccount ? await storeChecks(chosen, target, file) : []
  const table = archiveTable(file)
  // A bucket is created after it.
  const isOpen = table !== undefined && chosen !== null && table.jurisdiction === undefined
  const [first] = [...stores, ...(isOpen ? [] : bindingChecks(chosen, file))].filter(({ state }) => state === 'problem')
  if (first) throw new CliError(first.text, first.fix ?? '')
  if (!isOpen) return { done: chosen ?? 'none' }
  return {
    plan: `write jurisdiction = "${chosen}" to the bucket ARCHIVE in ${file.path}`,
    async run() {
      const index = tablesIn(file.values, 'r2_buckets').indexOf(table)
      setValue(file, ['r2_buckets', index, 'jurisdiction'], chosen)
      return chosen
    },
  }
}

const isSecretName = (name: string): boolean => /^[A-Z][A-Z0-9_]*$/.test(name) && name !== 'EMAIL'

async function database(
  { target }: DeploymentOptions,
  file: WranglerConfig,
  ask: boolean,
  jurisdiction: Jurisdiction | null | undefined,
): Promise<Finding> {
  const table = databaseTable(file, target.database)
  if (!isPlaceholderId(table.database_id)) return { done: String(table.database_id) }
  const index = tablesIn(file.values, 'd1_databases').indexOf(table)
  const name = String(table.database_name ?? file.values.name)
  return resource(file, ['d1_databases', index, 'database_id'], `the D1 database ${name}`, ask, {
    read: async () => (await readDatabases(target)).get(name)?.id,
    create: () =>
      wrangler([
        'd1',
        'create',
        name,
        ...jurisdictionArguments(jurisdiction),
        ...placeArguments({ config: target.config }),
      ]),
  })
}

async function namespace(
  { target }: DeploymentOptions,
  file: WranglerConfig,
  ask: boolean,
  jurisdiction: Jurisdiction | null | undefined,
): Promise<Finding> {
  const tables = tablesIn(file.values, 'kv_namespaces')
  const index = tables.findIndex(({ binding }) => binding === 'KV')
  const id = tables[index]?.id
  if (!isPlaceholderId(id)) return { done: String(id) }
  const title = namespaceTitle(file)
  return resource(file, ['kv_namespaces', index, 'id'], `the KV namespace ${title}`, ask, {
    read: async () => (await readNamespaces(target)).get(title)?.id,
    create: () =>
      wrangler([
        'kv',
        'namespace',
        'create',
        title,
        ...jurisdictionArguments(jurisdiction),
        ...placeArguments({ config: target.config }),
      ]),
  })
}

/** The R2 bucket of the audit log. A bucket has a name and no id. */
async function archive({ target }: DeploymentOptions, file: WranglerConfig, hasAccount: boolean): Promise<Finding> {
  const table = archiveTable(file)
  if (!table) return { done: 'no R2 bucket ARCHIVE; the audit log stays in D1' }
  const name = String(table.bucket_name)
  const { jurisdiction } = table
  const place = [...jurisdictionArguments(jurisdiction), ...placeArguments({ config: target.config })]
  if (hasAccount && (await readBuckets({ config: target.config }, jurisdiction)).includes(name)) return { done: name }
  return {
    plan: `create the R2 bucket ${name}`,
    async run() {
      await wrangler(['r2', 'bucket', 'create', name, ...place], r2Hints)
      return `created ${name}`
    },
  }
}

interface Resource {
  /** Its id, if it exists. */
  read(): Promise<string | undefined>
  create(): Promise<unknown>
}

/** A resource whose id the file lacks. It can exist already: the last run ended before it wrote the id. */
async function resource(
  file: WranglerConfig,
  path: (string | number)[],
  what: string,
  hasAccount: boolean,
  { read, create }: Resource,
): Promise<Finding> {
  const present = hasAccount ? await read() : undefined
  return {
    plan: present
      ? `write the id of ${what}, which exists, to ${file.path}`
      : `create ${what}, and write its id to ${file.path}`,
    async run() {
      if (!present) await create()
      const id = present ?? (await read())
      if (!id) throw new CliError(`${what} was created, but wrangler does not list it.`, 'wait a minute')
      setValue(file, path, id)
      return `${present ? 'found' : 'created'} ${id}`
    },
  }
}

async function migrations({ target, dryRun }: DeploymentOptions, file: WranglerConfig): Promise<Finding> {
  const command = applyMigrations(target)
  const { database_id: id } = databaseTable(file, target.database)
  // The database of a dry run does not exist.
  if (dryRun && isPlaceholderId(id)) return plan(`apply all migrations (${command})`)
  const missing = dryRun
    ? await unappliedMigrations(target, file).catch(() => null)
    : await unappliedMigrations(target, file)
  if (missing === null) return plan(`apply the migrations that are missing (${command})`)
  if (missing.length === 0) return { done: 'all are applied' }
  return {
    plan: `apply ${missing.length === 1 ? missing[0] : `${missing.length} migrations`} (${command})`,
    async run() {
      await wrangler(['d1', 'migrations', 'apply', target.database, '--remote', ...placeArguments(target)])
      return `${missing.length} applied`
    },
  }
}

/** A plan that a dry run prints, and that is never run. */
const plan = (text: string): Finding => ({ plan: text, run: async () => text })

/** The secrets that the configuration needs. One is generated; the others are asked for. */
async function secrets({ target, dryRun }: DeploymentOptions, file: WranglerConfig, ask: boolean): Promise<Finding> {
  const names = ask ? ((await readSecretNames(target)) ?? []) : []
  const set = Object.fromEntries(names.map((name) => [name, true as const]))
  const { checks } = await productChecks(file, target, { ...variablesOf(file), ...set }, setAt(target))
  const fromConfiguration = checks
    .filter(({ name, state }) => state === 'problem' && isSecretName(name) && !names.includes(name))
    .map(({ name }) => name)
  // A module that is not read needs this one in every case.
  const missing = [
    ...new Set([...(names.includes('GATEHOUSE_SECRET') ? [] : ['GATEHOUSE_SECRET']), ...fromConfiguration]),
  ]
  if (missing.length === 0) return { done: names.join(', ') }
  const own = missing.includes('GATEHOUSE_SECRET')
    ? `generate GATEHOUSE_SECRET, keep a copy in ${copyOf(target)}, and `
    : ''
  return {
    plan: `${own}set ${missing.join(', ')}`,
    async run() {
      if (dryRun) return ''
      for (const name of missing) await putSecret(target, name)
      return `set ${missing.join(', ')}${own ? `; move ${copyOf(target)} to a safe place` : ''}`
    },
  }
}

async function putSecret(target: Target, name: string): Promise<void> {
  const value =
    name === 'GATEHOUSE_SECRET' ? await generatedSecret(target) : await readSecret(name, 'Value of the secret')
  if (!value) throw new CliError(`${name} has no value.`, secretCommand(name, target))
  await wrangler(['secret', 'put', name, ...placeArguments(target)], [], value)
}

const copyOf = ({ env }: Target): string => `.gatehouse-secret${env ? `-${env}` : ''}`

/**
 * The secret of the copy, or a new one. The copy is written first: without it, sealed data could be lost.
 * @throws CliError if the database has users, whose data another secret has sealed
 */
async function generatedSecret(target: Target): Promise<string> {
  const copy = copyOf(target)
  if (existsSync(copy)) return readFileSync(copy, 'utf8').trim()
  const [[row] = []] = await selectAll<{ users: number }>(target, ['SELECT EXISTS (SELECT 1 FROM users) AS users'])
  if (row?.users) {
    throw new CliError(
      'The database has users, and a new secret could not open what their secret has sealed.',
      `${secretCommand('GATEHOUSE_SECRET', target)}, with the secret of this database`,
    )
  }
  const ignored = existsSync('.gitignore') ? readFileSync('.gitignore', 'utf8') : ''
  if (!ignored.split(/\r?\n/).includes('.gatehouse-secret*')) {
    appendFileSync('.gitignore', `${ignored === '' || ignored.endsWith('\n') ? '' : '\n'}.gatehouse-secret*\n`)
  }
  const secret = randomBytes(32).toString('base64')
  writeFileSync(openPrivate(copy), `${secret}\n`)
  return secret
}

function worker(target: Target, file: WranglerConfig): Finding {
  const command = ['deploy', ...placeArguments(target)]
  return {
    plan: `deploy ${file.values.name} (npx wrangler ${command.join(' ')})`,
    async run() {
      const said = await wrangler(command, [
        [/\b(?:SPF|Email Sending|send_email)\b/i, 'set up the sender’s domain under Email Sending in the dashboard'],
        [/BASE_URL|GATEHOUSE_SECRET|ConfigurationError/, 'npx gatehouse-auth doctor --remote names the setting'],
      ])
      return (
        said
          .split('\n')
          .findLast((line) => line.trim())
          ?.trim() ?? 'deployed'
      )
    },
  }
}

/** The first administrator signs up first; then `gatehouse admin add` gives the role. */
async function administrator({ target, dryRun }: DeploymentOptions, file: WranglerConfig): Promise<Finding> {
  const base = String((file.values.vars as Table).BASE_URL)
  const next = `sign up at ${base}/sign-up, then run: npx gatehouse-auth admin add you@your-domain ${placeOf(target)}`
  if (dryRun) return plan(`print how to make the first one: ${next}`)
  const [check] = await adminChecks(target, null)
  return { done: check!.state === 'ok' ? check!.text : `there is no administrator. Next: ${next}` }
}
