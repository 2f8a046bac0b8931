// `npm run db:fold -- <name>`: makes one migration of those that no release contains. Databases of a release then need
// one step per release, and branches that added migrations at the same time need no agreement about numbers.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { generateSQLiteDrizzleJson } from 'drizzle-kit/api'
import released from '../testing/released-migrations.json' with { type: 'json' }
import { root } from './tools.ts'

const folder = join(root, 'migrations')
const pinned = new Set(Object.values(released).flatMap((files) => Object.keys(files)))

const files = readdirSync(folder)
  .filter((name) => name.endsWith('.sql') && !pinned.has(name))
  .sort()
if (files.length === 0) {
  console.log('A release contains every migration.')
  process.exit(0)
}

const index = pinned.size
const numbered = (what: string) => `${String(index).padStart(4, '0')}_${what}`
const tag = numbered(process.argv[2] ?? files[0]!.slice(5, -'.sql'.length))

const breakpoint = '--> statement-breakpoint'
const statements = files
  .map((name) => readFileSync(join(folder, name), 'utf8').trim())
  .map((text) => (text.endsWith(breakpoint) ? text.slice(0, -breakpoint.length).trim() : text))

const meta = join(folder, 'meta')
const readJson = (name: string) => JSON.parse(readFileSync(join(meta, name), 'utf8'))
const writeJson = (name: string, value: object) => writeFileSync(join(meta, name), JSON.stringify(value, null, 2))

const journal = readJson('_journal.json') as { entries: { idx: number; when: number; tag: string }[] }
const last = journal.entries.findLast(({ tag }) => files.includes(`${tag}.sql`))

// The state after all of them is in the tables, while each of two branches has a snapshot without the other's.
const tables: Record<string, unknown> = {}
for (const name of readdirSync(join(root, 'worker'), { recursive: true, encoding: 'utf8' }).sort()) {
  if (/\.table\.ts$/.test(name) && !name.includes('node_modules')) {
    Object.assign(tables, await import(pathToFileURL(join(root, 'worker', name)).href))
  }
}
const { version, dialect, id, prevId, ...state } = await generateSQLiteDrizzleJson(tables)

for (const name of files) rmSync(join(folder, name))
for (const name of readdirSync(meta)) if (name.endsWith('_snapshot.json')) rmSync(join(meta, name))

writeFileSync(join(folder, `${tag}.sql`), `${statements.join(`\n${breakpoint}\n`)}\n`)
writeJson(numbered('snapshot.json'), { version, dialect, id, prevId, ...state })
writeJson('_journal.json', {
  ...journal,
  entries: [
    ...journal.entries.slice(0, index),
    { idx: index, version: '6', when: last?.when ?? Date.now(), tag, breakpoints: true },
  ],
})
console.log(`${files.length} migrations are now migrations/${tag}.sql.`)
