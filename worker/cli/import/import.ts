import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { d1, selectAll, type Target, WranglerError } from '../wrangler.ts'
import { ImportError, type Source, type SourceOptions } from './records.ts'
import type { Row, Skipped } from './row.ts'
import { MissingSecret, RowMaker } from './rows.ts'
import { auth0 } from './sources/auth0.ts'
import { betterAuth } from './sources/better-auth.ts'
import { clerk } from './sources/clerk.ts'
import { firebase } from './sources/firebase.ts'
import { supabase } from './sources/supabase.ts'
import { preamble, rowStatements } from './write-sql.ts'

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

/** People a chunk: one file for wrangler, all of it or nothing, and one line of progress. */
const chunkSize = 2000

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
    else if (thrown instanceof ImportError || thrown instanceof WranglerError || isFileError(thrown))
      console.error(thrown.message)
    else throw thrown
    return 1
  }
}

const isUsage = (thrown: unknown): thrown is Error =>
  thrown instanceof TypeError && String((thrown as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS')

const isFileError = (thrown: unknown): thrown is Error =>
  thrown instanceof Error &&
  ['ENOENT', 'EACCES', 'EISDIR', 'ERR_SQLITE_ERROR'].includes(String((thrown as NodeJS.ErrnoException).code))

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
  const writer = values.sql ? toFile(values.sql) : target ? toDatabase(target, maker.skipped) : null
  let rows: Row[] = []
  let people = 0
  for await (const record of source(sourceOptions)) {
    rows.push(...(await maker.rowsOf(record)))
    if (record.kind === 'user') people++
    if (rows.length < chunkSize * 2) continue
    await writer?.write(rows)
    console.log(`${people} people read, ${maker.skipped.length} skipped or incomplete`)
    rows = []
  }
  if (rows.length > 0) await writer?.write(rows)
  await writer?.end()
  report(maker, { file: values.report, writes })
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

interface Writer {
  write(rows: Row[]): Promise<void>
  end(): Promise<void>
}

function toFile(file: string): Writer {
  const stream = createWriteStream(file, { mode: 0o600 })
  const put = (text: string) =>
    new Promise<void>((resolve, reject) => stream.write(text, (error) => (error ? reject(error) : resolve())))
  let begun = false
  return {
    async write(rows) {
      if (!begun) await put(`${preamble}\n`)
      begun = true
      await put(`${rows.map(rowStatements).join('\n')}\n`)
    },
    end: () => new Promise((resolve) => stream.end(resolve)),
  }
}

function toDatabase(target: Target, skipped: Skipped[]): Writer {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-import-'))
  const file = join(folder, 'chunk.sql')
  return {
    async write(rows) {
      try {
        writeFileSync(file, `${preamble}\n${rows.map(rowStatements).join('\n')}\n`, { mode: 0o600 })
        await d1('execute', target, ['--yes', '--file', file])
        const people = rows.filter(({ table }) => table === 'users').map(({ id }) => id)
        for (let at = 0; at < people.length; at += 500)
          skipped.push(...(await missing(target, people.slice(at, at + 500))))
      } finally {
        rmSync(file, { force: true })
      }
    },
    end: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Of people who were written, those who are not there: their address, username or number is somebody else's here. */
async function missing(target: Target, ids: string[]): Promise<Skipped[]> {
  const list = JSON.stringify(ids).replaceAll("'", "''")
  const sql = `SELECT value AS id FROM json_each('${list}') WHERE value NOT IN (SELECT id FROM users)`
  const [gone = []] = await selectAll<{ id: string }>(target, [sql])
  return gone.map(({ id }) => ({
    what: id,
    reason: 'address, username or number is taken by somebody who was here before',
  }))
}

const mostShown = 20

function report(maker: RowMaker, { file, writes }: { file: string | undefined; writes: boolean }): void {
  const counts = Object.entries(maker.counts).map(([table, count]) => `  ${table.padEnd(16)}${count}`)
  console.log([writes ? 'Written, unless it was before:' : 'Would be written:', ...counts].join('\n'))
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
  if (file) writeFileSync(file, maker.skipped.map((one) => `${JSON.stringify(one)}\n`).join(''), { mode: 0o600 })
}
