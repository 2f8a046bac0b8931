import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { Argument, Command, Option } from '@commander-js/extra-typings'
import { minSecretLength } from '../../kit/encrypt.ts'
import { keyAccessLevels } from '../../kit/key-access.ts'
import { providerVariable } from '../../kit/provider-variable.ts'
import type { CallTarget } from '../account.ts'
import { readSecret } from '../ask.ts'
import { collect, meant, wholeNumber } from '../command.ts'
import { openPrivate } from '../private-file.ts'
import { readProduct } from '../product.ts'
import { withTarget } from '../wrangler.ts'
import { hasWranglerConfig } from '../wrangler-config.ts'
import { ImportError, type ImportSource, type SourceOptions } from './records.ts'
import type { Row } from './row.ts'
import { MissingSecret, RowMaker } from './rows.ts'
import { auth0 } from './sources/auth0.ts'
import { betterAuth } from './sources/better-auth.ts'
import { clerk } from './sources/clerk.ts'
import { firebase } from './sources/firebase.ts'
import { supabase } from './sources/supabase.ts'
import { type Tally, toDatabase, toFile } from './writers.ts'

const sources: Record<string, ImportSource> = { 'better-auth': betterAuth, auth0, clerk, supabase, firebase }

const importing = withTarget(
  new Command('import')
    .description(
      `Imports users from another system. Without a target nothing is written: the report says what would be.`,
    )
    .addArgument(new Argument('<source>', 'the other system').choices(Object.keys(sources)))
    .argument('<file...>', 'its export')
    .addOption(
      new Option('--sql <file>', 'write SQL for `wrangler d1 execute DB --file` instead').conflicts([
        'local',
        'remote',
      ]),
    )
    .addOption(
      new Option('--dry-run', 'write nothing, which is the default without a target').conflicts([
        'local',
        'remote',
        'sql',
      ]),
    )
    .option('--report <file>', 'write all that was skipped, one JSON line each')
    .option(
      '--field <ours=path>',
      "an additional field, from a place in the source's record (plan=app_metadata.plan); may be repeated",
      collect,
    )
    .option(
      '--provider <theirs=ours>',
      "the name in the configuration of one of the source's providers; may be repeated",
      collect,
    )
    .addOption(
      new Option(
        '--key-access <level>',
        'better-auth: the access level of all API keys. Otherwise full, and read-only for keys with permissions',
      ).choices(keyAccessLevels),
    )
    .option('--passwords <file>', 'auth0: the export of password hashes')
    .option('--identities <file>', 'supabase: auth.identities, if the file does not contain it')
    .option('--salt-separator <text>', 'firebase: a parameter of the password hashes, from the console')
    .option('--rounds <number>', 'firebase: the same', wholeNumber(1, 100), 8)
    .option('--mem-cost <number>', 'firebase: the same', wholeNumber(1, 31), 14)
    .addOption(new Option('--secret <text>').hideHelp())
    .addOption(new Option('--signer-key <text>').hideHelp()),
  'write to the database of `wrangler dev` on this machine',
  'write to the database at Cloudflare',
)

type Values = ReturnType<typeof importing.opts>

export const command = importing
  .addHelpText(
    'after',
    `
Secrets come from the environment, or are asked for on a terminal:
  BETTER_AUTH_SECRET     better-auth: the secret of the old deployment
  GATEHOUSE_SIGNER_KEY   firebase: the signer key (base64) of the password hash parameters

Second factors are sealed with GATEHOUSE_SECRET of the environment, or of .dev.vars with --local.

Exit code: 0 everything was imported, 2 some records were skipped, 1 it failed.`,
  )
  .action(async (name, files, values) => {
    process.exitCode = await importAll(values, name, files)
  })

/** Rows per chunk: one file for wrangler, which is written completely or not at all, and one line of progress. */
const chunkSize = 4000

/** Adds the next step to the errors of SQLite and of missing secrets. */
async function importAll(values: Values, name: string, files: string[]): Promise<number> {
  try {
    return await importUsers(values, name, files)
  } catch (thrown) {
    if (thrown instanceof MissingSecret) {
      throw new ImportError(
        'The file has second factors to seal, and GATEHOUSE_SECRET is missing.',
        'set GATEHOUSE_SECRET in the environment to the secret of the target deployment',
      )
    }
    if (isSqlite(thrown)) throw new ImportError(thrown.message)
    throw thrown
  }
}

const isSqlite = (thrown: unknown): thrown is Error =>
  thrown instanceof Error && (thrown as NodeJS.ErrnoException).code === 'ERR_SQLITE_ERROR'

async function importUsers(values: Values, name: string, files: string[]): Promise<number> {
  refuseSecretArguments(values)
  const target = values.local || values.remote ? values : null
  const { keyAccess } = values
  const writes = target !== null || values.sql !== undefined
  const sourceOptions: SourceOptions = {
    files,
    secret: await oldSecret(name),
    providers: pairs('provider', values.provider),
    passwords: values.passwords,
    identities: values.identities,
    firebase: name === 'firebase' ? await firebaseParameters(values) : undefined,
  }
  const fields = pairs('field', values.field)
  await checkFieldNames(fields, values)
  const maker = new RowMaker({
    // A dry run stores nothing, so it seals nothing.
    secret:
      process.env.GATEHOUSE_SECRET ||
      (values.local ? developmentSecret() : undefined) ||
      (writes ? undefined : 'dry run'),
    fields,
    now: new Date(),
  })
  // Opened first, so that a long import does not fail at its last step.
  const reportFile = values.report === undefined ? null : openPrivate(values.report)
  const writer = values.sql ? toFile(values.sql) : target ? toDatabase(target, maker.skipped) : null
  let rows: Row[] = []
  let [users, records, chunks] = [0, 0, 0]
  try {
    for await (const record of sources[name]!(sourceOptions)) {
      records++
      if (keyAccess && record.kind === 'apiKey') record.values.access = keyAccess
      rows.push(...(await maker.rowsOf(record)))
      if (record.kind === 'user') users++
      if (rows.length < chunkSize) continue
      await writer?.write(rows)
      chunks++
      console.log(`${users} users read, ${maker.skipped.length} skipped or incomplete`)
      rows = []
    }
    reportAbsentFields(fields, maker, chunks > 0)
    if (rows.length > 0) await writer?.write(rows)
  } finally {
    writer?.end()
    // A failed import also reports the records that it skipped before.
    if (reportFile !== null) writeFileSync(reportFile, maker.skipped.map((one) => `${JSON.stringify(one)}\n`).join(''))
  }
  if (records === 0) {
    throw new ImportError(`No users were found in ${files.join(', ')}.`, `check that it is an export of ${name}`)
  }
  report(maker, writer?.tallies ?? null, values.sql ? `In ${values.sql}:` : 'Would be written:')
  await reportAbsentProviders(maker, values)
  if (maker.counts.sessions) reportSessions(maker.counts.sessions, sourceOptions.secret)
  if (values.sql)
    console.log(`\nNext: npx wrangler d1 execute ${values.database} --local --file ${values.sql} (or --remote)`)
  else if (!target) console.log('\nNothing was written: that takes --local, --remote or --sql <file>.')
  return maker.skipped.length > 0 ? 2 : 0
}

/**
 * The names of `--field` must be fields of the configuration, if this folder has one.
 * @throws ImportError with the names that exist
 */
async function checkFieldNames(fields: ReadonlyMap<string, string>, { config, env }: CallTarget): Promise<void> {
  if (fields.size === 0 || !hasWranglerConfig(config)) return
  const product = await readProduct({ config, env }, process.env)
  if ('problem' in product || !product.config) {
    console.error('The configuration cannot be read here, so the names of --field are not checked.')
    return
  }
  const known = Object.keys(product.config.user?.additionalFields ?? {})
  const unknown = [...fields.keys()].find((name) => !known.includes(name))
  if (unknown === undefined) return
  const close = meant(unknown, known)
  const advice = close ? `did you mean ${close}?` : `it has ${known.join(', ') || 'none'}`
  throw new ImportError(
    `--field ${unknown}=${fields.get(unknown)}: user.additionalFields has no field ${unknown}; ${advice}`,
    `correct the name, or add ${unknown} to user.additionalFields in the configuration`,
  )
}

/** Identities of providers that the configuration of this folder does not have cannot sign in yet. */
async function reportAbsentProviders({ providers }: RowMaker, { config, env }: CallTarget): Promise<void> {
  if (providers.size === 0 || !hasWranglerConfig(config)) return
  const variables = { ...developmentVariables(), ...process.env }
  const product = await readProduct({ config, env }, variables)
  if ('problem' in product || !product.config) return
  const { socialProviders = {}, genericOAuth = [] } = product.config
  const known = [...Object.keys(socialProviders), ...genericOAuth.map(({ providerId }) => providerId)]
  const absent = [...providers].filter(([id]) => !known.includes(id) && !variables[providerVariable(id, 'CLIENT_ID')])
  if (absent.length === 0) return
  console.error(
    `\nIdentities of providers that the configuration does not have: ${absent.map(([id, count]) => `${id} (${count})`).join(', ')}.
They sign in as soon as socialProviders or genericOAuth has the provider (guides/social-sign-in.md); --provider theirs=ours
gives it another name.`,
  )
}

/** Cookies of the old deployment are signed with its secret. @param secret of the old deployment, if it is known */
function reportSessions(count: number, secret: string | undefined): void {
  const short = secret !== undefined && secret.length < minSecretLength
  console.log(
    short
      ? `\nThe secret of the old deployment has fewer than ${minSecretLength} characters, so the users of ${count} sessions sign in again.`
      : `\nThe cookies of ${count} sessions are valid while GATEHOUSE_PREVIOUS_SECRETS has the secret of the old deployment, and with its
prefix of cookies (guides/move-in.md, "Sessions of better-auth"). Without them these users sign in again.`,
  )
}

/**
 * A path that no record has is a mistake: an imported user is not changed by a second import.
 * @param hasWritten whether rows were written before the end of the file was read; then it is reported only
 * @throws ImportError before anything is written
 */
function reportAbsentFields(fields: ReadonlyMap<string, string>, maker: RowMaker, hasWritten: boolean): void {
  for (const [name, path] of fields) {
    if (maker.foundFields.has(name) || maker.counts.users === undefined) continue
    if (!hasWritten) throw new ImportError(`--field ${name}=${path}: no record has ${path}`, 'correct the path')
    maker.skipped.push({ what: `--field ${name}=${path}`, reason: `no record has ${path}` })
  }
}

const helpNext = 'npx gatehouse-auth import --help prints the sources and options'

/** `theirs=ours`. */
function pairs(option: string, given: string[] = []): Map<string, string> {
  return new Map(
    given.map((text) => {
      const [, left, right] = /^([^=]+)=(.+)$/.exec(text) ?? []
      if (!left) throw new ImportError(`--${option} ${text}: write it as a=b`, helpNext)
      return [left, right!]
    }),
  )
}

/** Secrets that were arguments in earlier versions, and their current sources. */
const secretArguments = { secret: 'BETTER_AUTH_SECRET', signerKey: 'GATEHOUSE_SIGNER_KEY' } as const

function refuseSecretArguments(values: { [name in keyof typeof secretArguments]?: string }): void {
  for (const [name, variable] of Object.entries(secretArguments)) {
    if (values[name as keyof typeof secretArguments] === undefined) continue
    throw new ImportError(
      `--${name === 'secret' ? name : 'signer-key'} is not accepted: other processes can read arguments.`,
      `set ${variable} in the environment, or leave it out on a terminal to be asked for it`,
    )
  }
}

async function oldSecret(source: string): Promise<string | undefined> {
  if (source !== 'better-auth') return undefined
  return readSecret(secretArguments.secret, 'Secret of the old deployment, empty to skip second factors')
}

async function firebaseParameters({ rounds, memCost, saltSeparator = '' }: Values) {
  const signerKey = await readSecret(secretArguments.signerKey, 'Signer key, empty to skip passwords')
  return signerKey ? { signerKey, saltSeparator, rounds, memCost } : undefined
}

const developmentVariables = () => (existsSync('.dev.vars') ? parseEnv(readFileSync('.dev.vars', 'utf8')) : {})

const developmentSecret = (): string | undefined => developmentVariables().GATEHOUSE_SECRET

const maxShown = 20

/** The three counts of each table. */
function tallyLines(tallies: Record<string, Tally>): string[] {
  const line = (name: string, ...cells: (string | number)[]) =>
    `  ${name.padEnd(22)}${cells.map((cell) => String(cell).padStart(9)).join('')}`
  const rows = Object.entries(tallies).map(([table, { written, before, refused }]) =>
    line(table, written, before, refused),
  )
  return [line('', 'written', 'before', 'refused'), ...rows]
}

/** @param tallies null: nothing was written, or only SQL */
function report(maker: RowMaker, tallies: Record<string, Tally> | null, heading: string): void {
  const counts = Object.entries(maker.counts).map(([table, count]) => `  ${table.padEnd(16)}${count}`)
  console.log((tallies ? tallyLines(tallies) : [heading, ...counts]).join('\n'))
  if (maker.samples.size > 0) {
    const samples = [...maker.samples].map(([cost, sample]) => `      '${sample}', // ${cost}`)
    console.log(
      `\nFor the configuration, until most of these users have signed in:\n  account: {\n    importedHashes: [\n${samples.join('\n')}\n    ],\n  },`,
    )
  }
  if (maker.skipped.length > 0) {
    const shown = maker.skipped.slice(0, maxShown).map(({ what, reason }) => `  ${what}: ${reason}`)
    const rest = maker.skipped.length - shown.length
    console.error(
      [
        `\nSkipped: ${maker.skipped.length}`,
        ...shown,
        ...(rest > 0 ? [`  and ${rest} more; --report <file> has all`] : []),
      ].join('\n'),
    )
  }
}
