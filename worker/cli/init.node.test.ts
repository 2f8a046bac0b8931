import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { root } from '../scripts/tools.ts'
import { execute } from './command.ts'
import { command, consumerToml, entry } from './init.ts'

it('a consumer’s wrangler.toml is ours, with its folders in the package', () => {
  const own = readFileSync(join(root, 'wrangler.toml'), 'utf8')
  const lines = (text: string) => text.split('\n').filter((line) => line && !line.startsWith('#'))
  const made = lines(consumerToml(own, 'acme'))
  expect(made.filter((line) => !lines(own).includes(line))).toEqual([
    'name = "acme"',
    'main = "src/index.ts"',
    'directory = "node_modules/gatehouse-auth/dist/client"',
    'BASE_URL = "https://accounts.example.invalid"',
    'database_name = "acme"',
    'migrations_dir = "node_modules/gatehouse-auth/migrations"',
  ])
  expect(made).toHaveLength(lines(own).length)
  expect(made).toContain('workers_dev = false')
  expect(made).toContain('compatibility_flags = ["nodejs_compat", "global_fetch_strictly_public"]')
})

it('a name keeps its quotes, and ends no text', () => {
  expect(entry("O'Hara \\ Sons\n")).toContain("  appName: 'O\\'Hara \\\\ Sons ',")
})

it('the configuration refuses the passwords that attackers try first', () => {
  expect(entry('Acme')).toContain("emailAndPassword: { commonPasswords: 'refuse' }")
})

it('an invalid name writes nothing', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  const run = (words: string[]) => execute(command, 'gatehouse init', words)
  // In this folder it would report every file as existing.
  expect({ option: await run(['--force']), twoNames: await run(['Acme', 'Inc']) }).toEqual({ option: 1, twoNames: 1 })
  expect(said.mock.calls.map(([text]) => text)).toEqual([
    'Unknown option --force\nNext: npx gatehouse init --help prints the options',
    'Unexpected argument Inc\nNext: npx gatehouse init --help prints the options',
  ])
})
