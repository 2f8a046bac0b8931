// In place of wrangler in a test: an account in the file account.json of this folder. Commands that need the account or
// a database print what wrangler 4.155 prints (guides/commands.e2e.ts compares them); the databases are those of
// d1-server.ts. All others run the real wrangler, a bundle of the same files once.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Account } from '../cli-product.ts'
import type { Printed } from './d1-server.ts'

/** The program that wrangler's launcher starts in a second process. */
const wranglerProgram = join(import.meta.dirname, '../../../node_modules/wrangler/wrangler-dist/cli.js')

const args = process.argv.slice(2)
appendFileSync('calls.log', `${args.join(' ')}\n`)
const account = JSON.parse(readFileSync('account.json', 'utf8')) as Account
const text = { type: 'string' } as const
const options = { jurisdiction: text, command: text, file: text, env: text, outdir: text, alias: text }
const { values, positionals } = parseArgs({ args, options, strict: false, allowPositionals: true })

/** As Cloudflare does, a store keeps the jurisdiction of its creation. */
function noteJurisdiction(name: string): void {
  if (values.jurisdiction) account.jurisdictions = { ...account.jurisdictions, [name]: String(values.jurisdiction) }
}

const jurisdictionOf = (name: string): string | null => account.jurisdictions?.[name] ?? null

const save = () => writeFileSync('account.json', JSON.stringify(account))

function fail(message: string): never {
  console.error(`\u001b[31m✘ \u001b[41;31m[\u001b[41;97mERROR\u001b[41;31m]\u001b[0m \u001b[1m${message}\u001b[0m\n`)
  console.error('\n🪵  Logs were written to "/home/ada/.config/.wrangler/logs/wrangler.log"')
  process.exit(1)
}

/** Runs the real wrangler. */
function real(given: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [wranglerProgram, ...given], { encoding: 'utf8', maxBuffer: 1e8 })
}

/** The real bundle. One of the same files, with the same arguments, is copied, because wrangler needs two seconds. */
function bundle(given: string[]): number {
  const outdir = values.outdir as string | undefined
  const alias = /^gatehouse-auth:(.+)/.exec(String(values.alias))?.[1]
  const files = ['wrangler.toml', 'wrangler.jsonc', ...globSync('src/**/*.ts').sort()].filter((name) =>
    existsSync(name),
  )
  const hash = createHash('sha256')
  // Folders have new names in each call.
  for (const word of given) if (word !== outdir && word !== values.alias) hash.update(`${word}\0`)
  for (const file of files) hash.update(`${file}\0${readFileSync(file)}\0`)
  if (alias) hash.update(readFileSync(alias))
  const kept = join('.bundles', hash.digest('hex'))
  if (!existsSync(join(kept, 'answer.json'))) {
    const answer = real(given)
    mkdirSync(kept, { recursive: true })
    if (outdir) cpSync(outdir, join(kept, 'out'), { recursive: true })
    writeFileSync(join(kept, 'answer.json'), JSON.stringify(answer))
  } else if (outdir) cpSync(join(kept, 'out'), outdir, { recursive: true })
  return print(JSON.parse(readFileSync(join(kept, 'answer.json'), 'utf8')))
}

function print({ status, stdout, stderr }: ReturnType<typeof real>): number {
  process.stdout.write(stdout)
  process.stderr.write(stderr)
  return status ?? 1
}

/** Runs SQL in one of the databases. @returns what wrangler prints, or its error */
async function runSql(database: string, sql: string): Promise<{ printed: Printed[] } | { error: string }> {
  const answer = await fetch(`${process.env.TEST_D1}/${database}`, { method: 'POST', body: sql })
  return answer.ok ? { printed: (await answer.json()) as Printed[] } : { error: await answer.text() }
}

/** `wrangler d1 execute` and `wrangler d1 migrations apply`. */
async function runDatabaseCommand(): Promise<void> {
  const database = values.remote ? 'remote' : 'local'
  const [, action] = positionals
  if (action === 'migrations') {
    const folder = /^migrations_dir = "(.+)"$/m.exec(readFileSync('wrangler.toml', 'utf8'))?.[1] ?? 'migrations'
    const table =
      'CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL);'
    const before = await runSql(database, `${table} SELECT name FROM d1_migrations`)
    if ('error' in before) fail(before.error)
    const applied = new Set((before.printed[1]!.results as { name: string }[]).map(({ name }) => name))
    const names = readdirSync(folder).filter((name) => name.endsWith('.sql') && !applied.has(name))
    for (const name of names.sort()) {
      const sql = `${readFileSync(join(folder, name), 'utf8')}\n;INSERT INTO d1_migrations (name) VALUES ('${name}');`
      const done = await runSql(database, sql)
      if ('error' in done) fail(done.error)
    }
    console.log(names.length === 0 ? '✅ No migrations to apply!' : `${names.join('\n')}\n`)
    return
  }
  const sql = values.file ? readFileSync(String(values.file), 'utf8') : String(values.command)
  const done = await runSql(database, sql)
  if ('printed' in done) console.log(JSON.stringify(done.printed, null, 2))
  else if (!values.json) fail(done.error)
  else {
    console.log(JSON.stringify({ error: { text: done.error } }, null, 2))
    process.exitCode = 1
  }
}

const banner = () => console.log('\n ⛅️ wrangler 4.155.0\n────────────────────')

/** The answer of the API for a command that the test lets fail once. */
const command = positionals.slice(0, 3).join(' ')
const refused = Object.keys(account.refuse ?? {}).find((name) => command.startsWith(name))
if (refused) {
  const message = account.refuse![refused]!
  delete account.refuse![refused]
  save()
  fail(message)
}

const needsAccount =
  (positionals[0] === 'd1' && (values.remote || ['create', 'list'].includes(String(positionals[1])))) ||
  ['kv', 'secret'].includes(String(positionals[0])) ||
  (positionals[0] === 'deploy' && !values['dry-run'])

if (needsAccount && !account.login) {
  fail(
    "In a non-interactive environment, it's necessary to set a CLOUDFLARE_API_TOKEN environment variable for wrangler to work. Please go to https://developers.cloudflare.com/fundamentals/api/get-started/create-token/ for instructions on how to create an api token, and assign its value to CLOUDFLARE_API_TOKEN.",
  )
}

const idOf = (name: string) => createHash('md5').update(name).digest('hex')
const uuidOf = (name: string) => idOf(name).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

function workerName(): string {
  const text = readFileSync('wrangler.toml', 'utf8')
  return /^name = "(.+)"$/m.exec(text)![1]! + (values.env ? `-${values.env}` : '')
}

if (command === 'whoami') {
  if (!account.login) {
    console.log('\n{"loggedIn":false}')
    process.exit(1)
  }
  console.log(
    JSON.stringify({ loggedIn: true, authType: 'OAuth Token', ...account.login, tokenPermissions: [] }, null, 2),
  )
} else if (command === 'd1 list') {
  console.log(
    JSON.stringify(
      account.databases.map((name) => ({
        ...{ uuid: uuidOf(name), name, version: 'production' },
        jurisdiction: jurisdictionOf(name),
      })),
    ),
  )
} else if (command.startsWith('d1 create')) {
  const name = positionals[2]!
  banner()
  if (account.databases.includes(name)) fail('A database with that name already exists')
  account.databases.push(name)
  noteJurisdiction(name)
  save()
  console.log(`✅ Successfully created DB '${name}' in region WEUR\nCreated your new D1 database.\n`)
} else if (command.startsWith('kv namespace') && positionals[2] === 'list') {
  console.log(
    JSON.stringify(
      account.namespaces.map((title) => ({ id: idOf(title), title, jurisdiction: jurisdictionOf(title) })),
    ),
  )
} else if (command.startsWith('kv namespace create')) {
  const title = (values.env ? `${values.env}-` : '') + positionals[3]!
  banner()
  if (account.namespaces.includes(title)) fail(`A KV namespace with the title "${title}" already exists.`)
  account.namespaces.push(title)
  noteJurisdiction(title)
  save()
  console.log(`🌀 Creating namespace with title "${title}"\n✨ Success!`)
} else if (command === 'r2 bucket list') {
  console.log(
    `Listing buckets...\n${account.buckets
      .filter((name) => jurisdictionOf(name) === (values.jurisdiction ?? null))
      .map((name) => `name:           ${name}\n`)
      .join('\n')}`,
  )
} else if (command.startsWith('r2 bucket create')) {
  const name = positionals[3]!
  banner()
  if (account.buckets.includes(name))
    fail('The bucket you tried to create already exists, and you own it. [code: 10004]')
  account.buckets.push(name)
  noteJurisdiction(name)
  save()
  console.log(`Creating bucket '${name}'...\n✅ Created bucket '${name}' with default storage class of Standard.`)
} else if (command.startsWith('secret list')) {
  const worker = account.workers[workerName()]
  if (!worker) fail(`Worker "${workerName()}" not found.\n\nIf this is a new Worker, run \`wrangler deploy\` first.`)
  console.log(
    JSON.stringify(
      Object.keys(worker.secrets).map((name) => ({ name, type: 'secret_text' })),
      null,
      '  ',
    ),
  )
} else if (command.startsWith('secret put')) {
  banner()
  const name = workerName()
  if (!account.workers[name]) console.log(`🌀 Creating new Worker "${name}"...`)
  account.workers[name] ??= { secrets: {}, deployments: 0 }
  account.workers[name].secrets[positionals[2]!] = readFileSync(0, 'utf8')
  save()
  console.log(`🌀 Creating the secret for the Worker "${name}" \n✨ Success! Uploaded secret ${positionals[2]}`)
} else if (command.startsWith('d1 execute') || command.startsWith('d1 migrations apply')) {
  const ids = account.databases.map(uuidOf)
  if (values.remote && !ids.some((id) => readFileSync('wrangler.toml', 'utf8').includes(id))) {
    fail('The database 00000000-0000-0000-0000-000000000000 could not be found [code: 7404]')
  }
  await runDatabaseCommand()
} else if (positionals[0] === 'deploy' && !values['dry-run']) {
  const code = bundle([...args, '--dry-run'])
  if (code !== 0) process.exit(code)
  const name = workerName()
  account.workers[name] ??= { secrets: {}, deployments: 0 }
  account.workers[name].deployments++
  save()
  console.log(`Uploaded ${name} (2.10 sec)\nDeployed ${name} triggers (0.52 sec)\n  accounts.acme.com (custom domain)`)
} else process.exitCode = positionals[0] === 'deploy' ? bundle(args) : print(real(args))
