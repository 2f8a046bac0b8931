import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs, parseEnv } from 'node:util'
import { keyAccessLevels } from '../../kit/key-access.ts'
import { readSecret } from '../ask-secret.ts'
import { isFileError, openPrivate } from '../private-file.ts'
import { type Target, WranglerError } from '../wrangler.ts'
import { ImportError, type Source, type SourceOptions } from './records.ts'
import type { Row } from './row.ts'
import { MissingSecret, RowMaker } from './rows.ts'
import { auth0 } from './sources/auth0.ts'
import { betterAuth } from './sources/better-auth.ts'
import { clerk } from './sources/clerk.ts'
import { firebase } from './sources/firebase.ts'
import { supabase } from './sources/supabase.ts'
import { toDatabase, toFile } from './writers.ts'

const sources: Record<string, Source> = { 'better-auth': betterAuth, auth0, clerk, supabase, firebase }

export const usage = `gatehouse import <source> <file...> [--local | --remote | --sql <file>] [options]

  Sources: ${Object.keys(sources).join(', ')}. Without a target nothing is written: the report says what would be.

  --local, --remote      write to the D1 database of wrangler.toml, on this machine or at Cloudflare
  --sql <file>           write SQL instead, for \`wrangler d1 execute DB --file\`
  --database <name>      binding or name of the database (DB)
  --persist-to <folder>  where wrangler keeps its local state
  --config <file>        another wrangler.toml
  --report <file>        write all that was skipped, one JSON line each
  --field <ours>=<path>  an additional field, from a place in the source's record (plan=app_metadata.plan); repeat it
  --provider <theirs>=<ours>  what one of the source's providers is called in the configuration; repeat it
  --key-access <level>   better-auth: the access level of all API keys, one of ${keyAccessLevels.join(', ')}.
                         Otherwise full, and read-only for keys with permissions
  --passwords <file>     auth0: the export of password hashes
  --identities <file>    supabase: auth.identities, where it is no part of the file
  --salt-separator, --rounds, --mem-cost   firebase: the password hash parameters of the console

  Secrets come from the environment, or are asked for on a terminal:
  BETTER_AUTH_SECRET     better-auth: the secret of the old deployment
  GATEHOUSE_SIGNER_KEY   firebase: the signer key (base64) of the password hash parameters

  Second factors are sealed with GATEHOUSE_SECRET of the environment, or of .dev.vars with --local.
  Exit code: 0 everything came over, 2 some things were skipped, 1 it failed.`

const options = {
  local: { type: 'boolean' },
  remote: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  sql: { type: 'string' },
  database: { type: 'string', default: 'DB' },
  'persist-to': { type: 'string' },
  config: { type: 'string' },
  report: { type: 'string' },
  field: { type: 'string', multiple: true },
  provider: { type: 'string', multiple: true },
  secret: { type: 'string' },
  'key-access': { type: 'string' },
  passwords: { type: 'string' },
  identities: { type: 'string' },
  'signer-key': { type: 'string' },
  'salt-separator': { type: 'string' },
  rounds: { type: 'string' },
  'mem-cost': { type: 'string' },
} as const

/** Rows per chunk: one file for wrangler, which is written completely or not at all, and one line of progress. */
const chunkSize = 4000

/** `gatehouse import`. @returns the exit code; invalid input prints one line without a stack */
export async function run(args: string[]): Promise<number> {
  try {
    return await importAll(args)
  } catch (thrown) {
    if (thrown instanceof MissingSecret) {
      console.error('There are second factors to seal: set GATEHOUSE_SECRET to the secret of the target deployment.')
    } else if (isUsage(thrown)) console.error(`${thrown.message}\n\n${usage}`)
    else if (
      thrown instanceof ImportError ||
      thrown instanceof WranglerError ||
      isFileError(thrown) ||
      isSqlite(thrown)
    )
      console.error(thrown.message)
    else throw thrown
    return 1
  }
}

const isUsage = (thrown: unknown): thrown is Error =>
  thrown instanceof TypeError && String((thrown as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS')

const isSqlite = (thrown: unknown): thrown is Error =>
  thrown instanceof Error && (thrown as NodeJS.ErrnoException).code === 'ERR_SQLITE_ERROR'

async function importAll(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [name = '', ...files] = positionals
  const source = Object.hasOwn(sources, name) ? sources[name]! : null
  if (name === '') throw new ImportError(usage)
  if (!source) throw new ImportError(`${name}: unknown source; choose one of ${Object.keys(sources).join(', ')}`)
  if (files.length === 0)
    throw new ImportError(`${name}: name the file to import; gatehouse import --help prints the options`)
  refuseSecretArguments(values)
  const targets = [values.local, values.remote, values.sql, values['dry-run']].filter(Boolean)
  if (targets.length > 1) throw new ImportError('Choose one of --local, --remote, --sql and --dry-run.')
  const target: Target | null =
    values.local || values.remote
      ? {
          database: values.database,
          remote: values.remote === true,
          persistTo: values['persist-to'],
          config: values.config,
        }
      : null
  const keyAccess = keyAccessLevels.find((level) => level === values['key-access'])
  if (values['key-access'] !== undefined && !keyAccess) {
    throw new ImportError(`--key-access ${values['key-access']}: choose one of ${keyAccessLevels.join(', ')}`)
  }
  const writes = target !== null || values.sql !== undefined
  const sourceOptions: SourceOptions = {
    files,
    secret: await oldSecret(name),
    providers: pairs('provider', values.provider ?? []),
    passwords: values.passwords,
    identities: values.identities,
    firebase: name === 'firebase' ? await firebaseParameters(values) : undefined,
  }
  const maker = new RowMaker({
    // A dry run stores nothing, so it seals nothing.
    secret:
      process.env.GATEHOUSE_SECRET ||
      (values.local ? developmentSecret() : undefined) ||
      (writes ? undefined : 'dry run'),
    fields: pairs('field', values.field ?? []),
    now: new Date(),
  })
  // Opened first, so that a long import does not fail at its last step.
  const reportFile = values.report === undefined ? null : openPrivate(values.report)
  const writer = values.sql ? toFile(values.sql) : target ? toDatabase(target, maker.skipped) : null
  let rows: Row[] = []
  let [people, records] = [0, 0]
  try {
    for await (const record of source(sourceOptions)) {
      records++
      if (keyAccess && record.kind === 'apiKey') record.values.access = keyAccess
      rows.push(...(await maker.rowsOf(record)))
      if (record.kind === 'user') people++
      if (rows.length < chunkSize) continue
      await writer?.write(rows)
      console.log(`${people} people read, ${maker.skipped.length} skipped or incomplete`)
      rows = []
    }
    if (rows.length > 0) await writer?.write(rows)
  } finally {
    writer?.end()
    // A failed import also reports the records that it skipped before.
    if (reportFile !== null) writeFileSync(reportFile, maker.skipped.map((one) => `${JSON.stringify(one)}\n`).join(''))
  }
  if (records === 0) throw new ImportError(`No users were found in ${files.join(', ')}. Is it an export of ${name}?`)
  report(maker, target ? 'Written, unless it was before:' : values.sql ? `In ${values.sql}:` : 'Would be written:')
  if (values.sql)
    console.log(`\nNext: npx wrangler d1 execute ${values.database} --local --file ${values.sql} (or --remote)`)
  else if (!target) console.log('\nNothing was written: that takes --local, --remote or --sql <file>.')
  return maker.skipped.length > 0 ? 2 : 0
}

/** `theirs=ours`. */
function pairs(option: string, given: string[]): Map<string, string> {
  return new Map(
    given.map((text) => {
      const [, left, right] = /^([^=]+)=(.+)$/.exec(text) ?? []
      if (!left) throw new ImportError(`--${option} ${text}: write it as a=b`)
      return [left, right!]
    }),
  )
}

/** Secrets that were arguments in earlier versions, and their current sources. */
const secretArguments = { secret: 'BETTER_AUTH_SECRET', 'signer-key': 'GATEHOUSE_SIGNER_KEY' } as const

function refuseSecretArguments(values: { [name in keyof typeof secretArguments]?: string }): void {
  for (const [name, variable] of Object.entries(secretArguments)) {
    if (values[name as keyof typeof secretArguments] === undefined) continue
    throw new ImportError(
      `--${name} is not accepted: other processes can read arguments. Set ${variable} in the environment, or leave it out on a terminal to be asked for it.`,
    )
  }
}

async function oldSecret(source: string): Promise<string | undefined> {
  if (source !== 'better-auth') return undefined
  return readSecret(secretArguments.secret, 'Secret of the old deployment, empty to skip second factors')
}

async function firebaseParameters(values: { 'salt-separator'?: string; rounds?: string; 'mem-cost'?: string }) {
  const signerKey = await readSecret(secretArguments['signer-key'], 'Signer key, empty to skip passwords')
  if (!signerKey) return undefined
  const [rounds, memCost] = [Number(values.rounds ?? 8), Number(values['mem-cost'] ?? 14)]
  if (!Number.isInteger(rounds) || !Number.isInteger(memCost))
    throw new ImportError('--rounds and --mem-cost are numbers')
  return { signerKey, saltSeparator: values['salt-separator'] ?? '', rounds, memCost }
}

const developmentSecret = (): string | undefined =>
  existsSync('.dev.vars') ? parseEnv(readFileSync('.dev.vars', 'utf8')).GATEHOUSE_SECRET : undefined

const maxShown = 20

function report(maker: RowMaker, heading: string): void {
  const counts = Object.entries(maker.counts).map(([table, count]) => `  ${table.padEnd(16)}${count}`)
  console.log([heading, ...counts].join('\n'))
  if (maker.samples.size > 0) {
    const samples = [...maker.samples].map(([cost, sample]) => `      '${sample}', // ${cost}`)
    console.log(
      `\nFor worker/config.ts, until most of these users have signed in:\n  account: {\n    importedHashes: [\n${samples.join('\n')}\n    ],\n  },`,
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
