import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs, parseEnv } from 'node:util'
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
  --secret <text>        better-auth: the secret of the old deployment (or BETTER_AUTH_SECRET)
  --passwords <file>     auth0: the export of password hashes
  --identities <file>    supabase: auth.identities, where it is no part of the file
  --signer-key, --salt-separator, --rounds, --mem-cost   firebase: the password hash parameters of the console

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
  passwords: { type: 'string' },
  identities: { type: 'string' },
  'signer-key': { type: 'string' },
  'salt-separator': { type: 'string' },
  rounds: { type: 'string' },
  'mem-cost': { type: 'string' },
} as const

/** Rows a chunk: one file for wrangler, all of it or nothing, and one line of progress. */
const chunkSize = 4000

/** `gatehouse import`. @returns the exit code; what was given wrong is told in one line, without a stack */
export async function run(args: string[]): Promise<number> {
  try {
    return await importAll(args)
  } catch (thrown) {
    if (thrown instanceof MissingSecret) {
      console.error(
        'There are second factors to seal: set GATEHOUSE_SECRET to the secret of the deployment that they move to.',
      )
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
  if (!source || files.length === 0) throw new ImportError(usage)
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
  const writes = target !== null || values.sql !== undefined
  const sourceOptions: SourceOptions = {
    files,
    secret: values.secret ?? process.env.BETTER_AUTH_SECRET,
    providers: pairs('provider', values.provider ?? []),
    passwords: values.passwords,
    identities: values.identities,
    firebase: firebaseParameters(values),
  }
  const maker = new RowMaker({
    // A dry run seals nothing that is kept.
    secret:
      process.env.GATEHOUSE_SECRET ||
      (values.local ? developmentSecret() : undefined) ||
      (writes ? undefined : 'dry run'),
    fields: pairs('field', values.field ?? []),
    now: new Date(),
  })
  // Opened first: an import of an hour does not fail at its last step.
  const reportFile = values.report === undefined ? null : openPrivate(values.report)
  const writer = values.sql ? toFile(values.sql) : target ? toDatabase(target, maker.skipped) : null
  let rows: Row[] = []
  let [people, records] = [0, 0]
  try {
    for await (const record of source(sourceOptions)) {
      records++
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
    // What was skipped until then is told even if it fails.
    if (reportFile !== null) writeFileSync(reportFile, maker.skipped.map((one) => `${JSON.stringify(one)}\n`).join(''))
  }
  if (records === 0) throw new ImportError(`Nobody was found in ${files.join(', ')}. Is it an export of ${name}?`)
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

function firebaseParameters(values: {
  'signer-key'?: string
  'salt-separator'?: string
  rounds?: string
  'mem-cost'?: string
}) {
  if (!values['signer-key']) return undefined
  const [rounds, memCost] = [Number(values.rounds ?? 8), Number(values['mem-cost'] ?? 14)]
  if (!Number.isInteger(rounds) || !Number.isInteger(memCost))
    throw new ImportError('--rounds and --mem-cost are numbers')
  return { signerKey: values['signer-key'], saltSeparator: values['salt-separator'] ?? '', rounds, memCost }
}

const developmentSecret = (): string | undefined =>
  existsSync('.dev.vars') ? parseEnv(readFileSync('.dev.vars', 'utf8')).GATEHOUSE_SECRET : undefined

const mostShown = 20

function report(maker: RowMaker, heading: string): void {
  const counts = Object.entries(maker.counts).map(([table, count]) => `  ${table.padEnd(16)}${count}`)
  console.log([heading, ...counts].join('\n'))
  if (maker.samples.size > 0) {
    const samples = [...maker.samples].map(([cost, sample]) => `      '${sample}', // ${cost}`)
    console.log(
      `\nFor worker/config.ts, until most of these people have signed in:\n  account: {\n    importedHashes: [\n${samples.join('\n')}\n    ],\n  },`,
    )
  }
  if (maker.skipped.length > 0) {
    const shown = maker.skipped.slice(0, mostShown).map(({ what, reason }) => `  ${what}: ${reason}`)
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
