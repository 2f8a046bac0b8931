import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { Command } from '@commander-js/extra-typings'
import { readSecretNames } from '../account.ts'
import { CliError } from '../cli-error.ts'
import { isPlaceholderId } from '../template.ts'
import { type Target, withTarget } from '../wrangler.ts'
import { readWranglerConfig, tablesIn, variablesOf, type WranglerConfig } from '../wrangler-config.ts'
import { adminChecks, loginChecks, migrationChecks, resourceChecks, sizeChecks } from './account-checks.ts'
import { type Check, note, ok, printed, problem } from './check.ts'
import { fileChecks, originChecks, placeholderChecks, variableChecks, wranglerChecks } from './file-checks.ts'
import { bindingChecks, storeChecks } from './jurisdiction-checks.ts'
import { mailChecks } from './mail-checks.ts'
import { productChecks, providerChecks, secretChecks, setAt, setInDevelopment } from './product-checks.ts'

export const command = withTarget(
  new Command('doctor')
    .description(`Checks each step of a deployment, and prints the command that solves each problem. Without --remote it checks
      this folder and the local database, and needs no network.`)
    .option('--json', 'print {"ok": boolean, "checks": [{"name", "state", "text", "fix"}]}'),
  undefined,
  'also the account, the remote database, secrets, mail records and the address',
)
  .addHelpText(
    'after',
    `
Each line begins with ok, problem or note. A note is for you to decide, such as a callback URL to register.

Exit code: 0 without problems, 1 with problems.`,
  )
  .action(async ({ json, ...target }) => {
    const checks: Check[] = []
    for await (const check of examine(target)) {
      checks.push(check)
      if (!json) console.log(printed(check))
    }
    const problems = checks.filter(({ state }) => state === 'problem').length
    if (json) console.log(JSON.stringify({ ok: problems === 0, checks }, null, 2))
    else console.log(`\n${summary(problems, target)}`)
    if (problems > 0) process.exitCode = 1
  })

function summary(problems: number, { remote }: Target): string {
  if (problems > 0) return problems === 1 ? '1 problem.' : `${problems} problems.`
  return remote
    ? 'No problems.'
    : 'No problems. Next: npx gatehouse-auth doctor --remote checks the deployment at Cloudflare.'
}

/** All checks, in the order of the steps of a deployment. A check that fails is a problem, and the next ones run. */
async function* examine(target: Target): AsyncGenerator<Check> {
  const file = readWranglerConfig(target.config, target.env)
  yield* wranglerChecks(file)
  yield* fileChecks(file)
  yield* placeholderChecks(file, target.remote === true)
  if (!target.remote) {
    yield* variableChecks()
    yield* originChecks(file, false)
    const variables = { ...variablesOf(file), ...developmentVariables() }
    // Each waits for a process of wrangler.
    const [{ checks, configuration }, migrations] = await Promise.all([
      productChecks(file, target, variables, setInDevelopment),
      attempt('migrations', () => migrationChecks(target, file)),
    ])
    yield* checks
    if (configuration) {
      yield* bindingChecks(configuration.settings.jurisdiction, file)
      yield* secretChecks(configuration, variables, setInDevelopment)
      yield* providerChecks(configuration, variables, configuration.settings.baseUrl, setInDevelopment)
    }
    yield* migrations
    return
  }
  const origin = originChecks(file, true)
  yield* origin
  const login = await attempt('login', () => loginChecks(file))
  yield* login
  const hasAccount = login.every(({ state }) => state !== 'problem')
  const hasOrigin = origin.some(({ name, state }) => name === 'BASE_URL' && state === 'ok')
  yield* remoteChecks(target, file, hasAccount, hasOrigin)
}

async function* remoteChecks(
  target: Target,
  file: WranglerConfig,
  hasAccount: boolean,
  hasOrigin: boolean,
): AsyncGenerator<Check> {
  const known = hasAccount ? await readSecrets(target) : null
  if (known?.check) yield known.check
  const names = known?.names ?? null
  // Without the list of secrets, each could be set.
  const shown = (checks: Check[]) =>
    names === null ? checks.filter(({ fix }) => !/secret put|generates it/.test(fix ?? '')) : checks
  const secrets = Object.fromEntries((names ?? []).map((name) => [name, true as const]))
  const variables = { ...variablesOf(file), ...secrets }
  // With the placeholder, which is a problem already, there is no database to read.
  const id = tablesIn(file.values, 'd1_databases').find(({ binding }) => binding === target.database)?.database_id
  const hasDatabase = hasAccount && !isPlaceholderId(id)
  const [{ checks, configuration }, resources, migrations] = await Promise.all([
    productChecks(file, target, variables, setAt(target)),
    hasAccount ? attempt('D1', () => resourceChecks(target, file)) : [],
    hasDatabase ? attempt('migrations', () => migrationChecks(target, file)) : [],
  ])
  yield* shown(checks)
  if (configuration) {
    const { jurisdiction } = configuration.settings
    yield* bindingChecks(jurisdiction, file)
    if (hasAccount) yield* await attempt('jurisdiction', () => storeChecks(jurisdiction, target, file))
  }
  if (hasAccount) {
    yield* resources
    yield* migrations
    if (migrations.length > 0 && migrations.every(({ state }) => state === 'ok')) {
      yield* await attempt('administrator', () => adminChecks(target, configuration))
      yield* await attempt('size', () => sizeChecks(target, configuration))
    }
  } else yield note('account', 'database, secrets and administrators are checked after the login')
  if (!configuration) return
  yield* shown(secretChecks(configuration, variables, setAt(target)))
  yield* await mailChecks(configuration)
  if (!hasOrigin) return
  const { baseUrl } = configuration.settings
  yield* shown(providerChecks(configuration, variables, baseUrl, setAt(target)))
  yield await answerOf(`${baseUrl}/api/auth/ok`)
}

/** Whether the Worker answers at its address. */
async function answerOf(url: string): Promise<Check> {
  try {
    const { status } = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5000) })
    if (status === 200) return ok('address', `${url} answers`)
    return problem('address', `${url} answers with status ${status}`, 'npx wrangler tail shows the error; deploy again')
  } catch {
    return note(
      'address',
      `${url} does not answer from here`,
      'npx gatehouse-auth deploy; a new domain takes some minutes',
    )
  }
}

const developmentVariables = (): Record<string, string> =>
  existsSync('.dev.vars') ? (parseEnv(readFileSync('.dev.vars', 'utf8')) as Record<string, string>) : {}

interface KnownSecrets {
  /** null: unknown. */
  names: string[] | null
  check?: Check
}

/** The names of the secrets. A Worker that does not exist has none, which is a problem. */
async function readSecrets(target: Target): Promise<KnownSecrets> {
  try {
    const names = await readSecretNames(target)
    if (names) return { names }
    return {
      names: [],
      check: problem('Worker', 'the account has no Worker of this name', 'npx gatehouse-auth deploy'),
    }
  } catch (thrown) {
    if (thrown instanceof CliError) return { names: null, check: problem('secrets', thrown.message, thrown.next) }
    throw thrown
  }
}

/** A call that wrangler refuses is a problem of its own. */
async function attempt(name: string, checks: () => Promise<Check[]>): Promise<Check[]> {
  try {
    return await checks()
  } catch (thrown) {
    if (thrown instanceof CliError) return [problem(name, thrown.message, thrown.next)]
    throw thrown
  }
}
