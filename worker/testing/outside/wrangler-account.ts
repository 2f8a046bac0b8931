// In place of wrangler in a test: an account in the file account.json of this folder. Commands that need the account
// print what wrangler 4.155 prints; all others run the real wrangler. The remote database is a second local one. The
// migrations of an empty database run as one file, because wrangler takes a third of a second for each.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Account } from '../cli-product.ts'

/** The program that wrangler's launcher starts in a second process. */
const wranglerProgram = join(import.meta.dirname, '../../../node_modules/wrangler/wrangler-dist/cli.js')

const args = process.argv.slice(2)
appendFileSync('calls.log', `${args.join(' ')}\n`)
const account = JSON.parse(readFileSync('account.json', 'utf8')) as Account
const { values, positionals } = parseArgs({ args, strict: false, allowPositionals: true })

const save = () => writeFileSync('account.json', JSON.stringify(account))

function fail(message: string): never {
  console.error(`\u001b[31m✘ \u001b[41;31m[\u001b[41;97mERROR\u001b[41;31m]\u001b[0m \u001b[1m${message}\u001b[0m\n`)
  console.error('\n🪵  Logs were written to "/home/ada/.config/.wrangler/logs/wrangler.log"')
  process.exit(1)
}

function real(given: string[]): number {
  if (given.slice(0, 3).join(' ') === 'd1 migrations apply') {
    // Fails if the table of migrations exists.
    const { status } = spawnSync(process.execPath, [wranglerProgram, ...allMigrations(given)])
    if (status === 0) return 0
  }
  const { status } = spawnSync(process.execPath, [wranglerProgram, ...given], { stdio: 'inherit' })
  return status ?? 1
}

/** The call that applies all migrations to an empty database, with the rows that wrangler writes. */
function allMigrations([, , , database, ...flags]: string[]): string[] {
  const folder = /^migrations_dir = "(.+)"$/m.exec(readFileSync('wrangler.toml', 'utf8'))?.[1] ?? 'migrations'
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  const table =
    'CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL);'
  const steps = names.map(
    (name) => `${readFileSync(join(folder, name), 'utf8')}\n;INSERT INTO d1_migrations (name) VALUES ('${name}');`,
  )
  writeFileSync('migrations.sql', [table, ...steps].join('\n'))
  return ['d1', 'execute', database!, ...flags, '--yes', '--file', 'migrations.sql']
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
  console.log(JSON.stringify(account.databases.map((name) => ({ uuid: uuidOf(name), name, version: 'production' }))))
} else if (command.startsWith('d1 create')) {
  const name = positionals[2]!
  banner()
  if (account.databases.includes(name)) fail('A database with that name already exists')
  account.databases.push(name)
  save()
  console.log(`✅ Successfully created DB '${name}' in region WEUR\nCreated your new D1 database.\n`)
} else if (command.startsWith('kv namespace') && positionals[2] === 'list') {
  console.log(JSON.stringify(account.namespaces.map((title) => ({ id: idOf(title), title }))))
} else if (command.startsWith('kv namespace create')) {
  const title = (values.env ? `${values.env}-` : '') + positionals[3]!
  banner()
  if (account.namespaces.includes(title)) fail(`A KV namespace with the title "${title}" already exists.`)
  account.namespaces.push(title)
  save()
  console.log(`🌀 Creating namespace with title "${title}"\n✨ Success!`)
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
} else if (positionals[0] === 'd1' && values.remote) {
  const ids = account.databases.map(uuidOf)
  if (!ids.some((id) => readFileSync('wrangler.toml', 'utf8').includes(id))) {
    fail('The database 00000000-0000-0000-0000-000000000000 could not be found [code: 7404]')
  }
  const local = args.map((word) => (word === '--remote' ? '--local' : word))
  process.exitCode = real([...local, '--persist-to', '.remote'])
} else if (positionals[0] === 'deploy' && !values['dry-run']) {
  const code = real([...args, '--dry-run'])
  if (code !== 0) process.exit(code)
  const name = workerName()
  account.workers[name] ??= { secrets: {}, deployments: 0 }
  account.workers[name].deployments++
  save()
  console.log(`Uploaded ${name} (2.10 sec)\nDeployed ${name} triggers (0.52 sec)\n  accounts.acme.com (custom domain)`)
} else process.exitCode = real(args)
