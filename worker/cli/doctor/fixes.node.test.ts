import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, stringify } from 'smol-toml'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runCommand } from '../../testing/run-command.ts'
import { command as init } from '../init.ts'
import { templateToml } from '../template.ts'
import { readWranglerConfig, type Table, tablesIn } from '../wrangler-config.ts'
import { fileChecks, variableChecks } from './file-checks.ts'

const before = process.cwd()
let folder: string

const write = (path: string, text: string) => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
}
const install = () => {
  write('node_modules/gatehouse-auth/dist/client/index.html', '')
  write('node_modules/gatehouse-auth/migrations/0000.sql', '')
  write('node_modules/gatehouse-auth/dist/package/c/start.js', '')
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-fixes-'))
  process.chdir(folder)
  vi.spyOn(console, 'log').mockImplementation(() => {})
  install()
  write('wrangler.toml', templateToml('acme'))
  write('src/index.ts', '')
  write('.dev.vars', `GATEHOUSE_SECRET=${'x'.repeat(40)}\nENVIRONMENT=development\n`)
})
afterEach(() => {
  vi.restoreAllMocks()
  process.chdir(before)
  rmSync(folder, { recursive: true, force: true })
})

const found = () => [...fileChecks(readWranglerConfig()), ...variableChecks()].filter(({ state }) => state !== 'ok')

/** Does what the advice says, literally. */
async function apply(fix: string): Promise<void> {
  const [, section] = /^add to wrangler\.toml:\n\n([\s\S]+)$/.exec(fix) ?? []
  if (section) return write('wrangler.toml', `${readFileSync('wrangler.toml', 'utf8')}\n${section}\n`)
  const [, key, owner, value] = /^set (\w+)(?: of (\w+))? to (.+) in wrangler\.toml/.exec(fix) ?? []
  if (key) {
    const values = parse(readFileSync('wrangler.toml', 'utf8')) as Record<string, unknown>
    const lists = [tablesIn(values, 'durable_objects', 'bindings'), tablesIn(values, 'd1_databases')].flat()
    const table = owner
      ? (lists.find(({ name, binding }) => name === owner || binding === owner) ?? values[owner])
      : values
    Object.assign(table as Table, { [key]: parse(`value = ${value}`).value })
    write('wrangler.toml', stringify(values))
  }
  if (/^npm install/.test(fix)) install()
  if (/remove its line from \.dev\.vars/.test(fix)) {
    write('.dev.vars', readFileSync('.dev.vars', 'utf8').replace(/^GATEHOUSE_SECRET=.*\n/m, ''))
  }
  const [, line] = /^set (\w+=\w+) in \.dev\.vars/.exec(fix) ?? []
  if (line) write('.dev.vars', `${readFileSync('.dev.vars', 'utf8')}${line}\n`)
  if (fix.includes('npx gatehouse-auth init')) await runCommand(init, [])
}

const change = (wrong: RegExp, by: string) => () => {
  const text = readFileSync('wrangler.toml', 'utf8')
  expect(text).toMatch(wrong)
  write('wrangler.toml', text.replace(wrong, by))
}

const defects: [name: string, make: () => void][] = [
  ['a wrong class', change(/class_name = "OneTimeRecord"/, 'class_name = "Other"')],
  ['a missing object', change(/\[\[durable_objects\.bindings\]\]\nname = "COUNTER"\n.*\n/, '')],
  ['a missing class migration', change(/\[\[migrations\]\]\n.*\n.*\n/, '[[migrations]]\ntag = "v2"\n')],
  ['a missing namespace', change(/\[\[kv_namespaces\]\]\n.*\n.*\n/, '')],
  ['a missing database', change(/\[\[d1_databases\]\]\n(?:.+\n)+/, '')],
  ['a wrong folder of migrations', change(/migrations_dir = ".*"/, 'migrations_dir = "nothing"')],
  ['a wrong folder of the app', change(/directory = ".*"/, 'directory = "nothing"')],
  ['no folder of the app', change(/directory = ".*"\n/, '')],
  ['another binding of the app', change(/binding = "ASSETS"/, 'binding = "FILES"')],
  ['no section of the app', change(/\[assets\]\n(?:.+\n)+/, '')],
  ['a path that misses the Worker', change(/"\/dev\/\*"/, '"/other"')],
  ['another page for missing files', change(/not_found_handling = ".*"/, 'not_found_handling = "404-page"')],
  ['a missing trigger', change(/crons = \[.*\]/, 'crons = ["0 0 * * *"]')],
  ['no triggers', change(/\[triggers\]\n.*\n/, '')],
  ['an old date', change(/compatibility_date = ".*"/, 'compatibility_date = "2024-01-01"')],
  ['a missing flag', change(/, "global_fetch_strictly_public"/, '')],
  ['no late modules', change(/, "new_module_registry"/, '')],
  ['no search for modules', change(/find_additional_modules = .*\n/, '')],
  ['no folder of modules', change(/base_dir = .*\n/, '')],
  ['a wrong folder of modules', change(/base_dir = ".*"/, 'base_dir = "nothing"')],
  ['another folder of modules', change(/base_dir = ".*"/, 'base_dir = "src"')],
  ['no rule of modules', change(/rules = .*\n/, '')],
  ['a rule of the product', change(/globs = \["\*\*\/c\/\*\.js"\]/, 'globs = ["**/*.wasm"]')],
  ['no line about modules', change(/find_additional_modules = .*\nbase_dir = .*\nrules = .*\n/, '')],
  ['no entry module', change(/main = .*\n/, '')],
  ['a wrong entry module', change(/main = ".*"/, 'main = "lib/worker.ts"')],
  ['an entry module that does not exist', () => rmSync('src/index.ts')],
  ['a package that is not installed', () => rmSync('node_modules', { recursive: true })],
  ['no variables', () => rmSync('.dev.vars')],
  ['a short secret', () => write('.dev.vars', 'GATEHOUSE_SECRET=short\nENVIRONMENT=development\n')],
  [
    'the environment of production',
    () => write('.dev.vars', `GATEHOUSE_SECRET=${'x'.repeat(40)}\nENVIRONMENT=production\n`),
  ],
  ['variables that git stores', () => mkdirSync('.git')],
]

it.each(defects)('%s: the advised fix solves the problem', async (_name, make) => {
  expect(found()).toEqual([])
  make()
  const before = found()
  expect(before.length).toBeGreaterThan(0)
  for (const { fix } of before) await apply(fix!)
  expect(found()).toEqual([])
  expect(existsSync('wrangler.toml')).toBe(true)
})

it('a package behind a link has a note: wrangler finds the modules below its real path', () => {
  renameSync('node_modules/gatehouse-auth', 'store')
  symlinkSync(join(folder, 'store'), 'node_modules/gatehouse-auth')
  expect(found()).toMatchObject([
    { name: 'base_dir', state: 'note', fix: expect.stringContaining('nodeLinker: hoisted in pnpm-workspace.yaml') },
  ])
})
