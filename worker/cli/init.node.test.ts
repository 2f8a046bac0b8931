import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { root } from '../scripts/tools.ts'
import { runCommand } from '../testing/run-command.ts'
import { command, entry } from './init.ts'
import { productFiles, templateNames } from './product-template.ts'
import { consumerToml, templateToml, templateValues, tomlToJsonc, withJurisdiction } from './template.ts'
import { parseWranglerConfig } from './wrangler-config.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

it('a consumer’s wrangler.toml is ours, with its folders in the package', () => {
  const own = readFileSync(join(root, 'wrangler.toml'), 'utf8')
  const lines = (text: string) => text.split('\n').filter((line) => line && !line.startsWith('#'))
  const made = lines(consumerToml(own, 'acme'))
  expect(made.filter((line) => !lines(own).includes(line))).toEqual([
    'name = "acme"',
    'main = "src/index.ts"',
    'base_dir = "node_modules/gatehouse-auth/dist/package"',
    'directory = "node_modules/gatehouse-auth/dist/client"',
    'BASE_URL = "https://accounts.example.invalid"',
    'database_name = "acme"',
    'migrations_dir = "node_modules/gatehouse-auth/migrations"',
    'bucket_name = "acme-archive"',
  ])
  // The package is bundled, with the alias.
  expect(own).toContain('\n[alias]\n')
  expect(own).toContain('\n[build]\n')
  expect(made).toHaveLength(lines(own).length - 5)
  expect(made).not.toContain('[alias]')
  expect(made).not.toContain('[build]')
  expect(made).toContain('workers_dev = false')
  expect(made).toContain(
    'compatibility_flags = ["nodejs_compat", "global_fetch_strictly_public", "new_module_registry"]',
  )
})

it('wrangler.jsonc has the same values and comments', () => {
  const toml = templateToml('acme')
  const jsonc = tomlToJsonc(toml)
  const { $schema, ...values } = parseWranglerConfig('wrangler.jsonc', jsonc).values
  expect($schema).toBe('node_modules/wrangler/config-schema.json')
  expect(values).toEqual(templateValues('acme'))
  const words = (text: string, mark: RegExp) => [...text.matchAll(mark)].map(([, comment]) => comment)
  expect(words(jsonc, /^ *\/\/ (.+)$/gm).sort()).toEqual(words(toml, /^# (.+)$/gm).sort())
  expect(jsonc).toMatch(/\/\/ An address at workers\.dev.+\n {2}"workers_dev": false,/)
})

it('writes a jurisdiction to both files, and names those that exist', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-init-'))
  vi.spyOn(console, 'log').mockImplementation(() => {})
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  const before = process.cwd()
  try {
    process.chdir(folder)
    expect(await runCommand(command, ['--jurisdiction', 'ch'])).toBe(1)
    expect(errors.mock.calls[0]![0]).toContain("argument 'ch' is invalid. Allowed choices are eu, us, fedramp.")
    expect(await runCommand(command, ['Acme', '--config', 'jsonc', '--jurisdiction', 'eu'])).toBe(0)
    expect(readFileSync('src/index.ts', 'utf8')).toContain("  jurisdiction: 'eu',\n})")
    expect(readFileSync('wrangler.jsonc', 'utf8')).toContain('"jurisdiction": "eu"')
    expect(withJurisdiction(templateToml('acme'), 'eu')).toContain(
      'bucket_name = "acme-archive"\njurisdiction = "eu"\n',
    )
    expect(withJurisdiction(templateToml('acme'), undefined)).toBe(templateToml('acme'))
  } finally {
    process.chdir(before)
    rmSync(folder, { recursive: true })
  }
})

it('a format is toml or jsonc, and a file in the other format is not joined by a second one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-init-'))
  const said = vi.spyOn(console, 'log').mockImplementation(() => {})
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  const before = process.cwd()
  try {
    process.chdir(folder)
    expect(await runCommand(command, ['--config', 'yaml'])).toBe(1)
    expect(errors.mock.calls[0]![0]).toContain("argument 'yaml' is invalid. Allowed choices are toml, jsonc.")
    expect(readdirSync(folder)).toEqual([])
    expect(await runCommand(command, ['Acme', '--config', 'jsonc'])).toBe(0)
    expect(await runCommand(command, ['Acme'])).toBe(0)
    expect(readdirSync(folder).filter((name) => name.startsWith('wrangler'))).toEqual(['wrangler.jsonc'])
    expect(said.mock.calls.flat()).toContain('  wrangler.jsonc: is there already, left as it is')
  } finally {
    process.chdir(before)
    rmSync(folder, { recursive: true })
  }
})

it('a name keeps its quotes, and ends no text', () => {
  expect(entry("O'Hara \\ Sons\n")).toContain("  appName: 'O\\'Hara \\\\ Sons ',")
})

it('sends the confirmation mail that the guide names', () => {
  expect(entry('Acme')).toContain('emailVerification: { sendOnSignUp: true, autoSignInAfterVerification: true }')
})

it('the configuration refuses the passwords that attackers try first', () => {
  expect(entry('Acme')).toContain("emailAndPassword: { commonPasswords: 'refuse' }")
})

it('an invalid name writes nothing', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  const run = (words: string[]) => runCommand(command, words)
  // In this folder it would report every file as existing.
  expect({ option: await run(['--force']), twoNames: await run(['Acme', 'Inc']) }).toEqual({ option: 1, twoNames: 1 })
  expect(said.mock.calls.map(([text]) => text)).toEqual([
    "unknown option '--force'\nNext: npx gatehouse-auth init --help prints the options",
    "too many arguments for 'init'. Expected 1 argument but got 2: Acme, Inc.\nNext: npx gatehouse-auth init --help prints the options",
  ])
})

describe('init --template', () => {
  let folder: string
  const before = process.cwd()
  const init = (...words: string[]) => runCommand(command, ['Acme Inc', ...words])
  const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
  beforeEach(() => {
    vi.spyOn(console, 'log').mockImplementation(() => {})
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-init-'))
    process.chdir(folder)
  })
  afterEach(() => {
    process.chdir(before)
    rmSync(folder, { recursive: true })
  })

  it('writes a deployment that trusts the product, and the product as a workspace', async () => {
    expect(await init('--template', 'hono')).toBe(0)
    expect(readFileSync('src/index.ts', 'utf8')).toContain("  trustedOrigins: ['http://localhost:3000'],")
    expect(json('package.json')).toMatchObject({
      workspaces: ['app'],
      scripts: { dev: 'gatehouse-auth dev', doctor: 'gatehouse-auth doctor', deploy: 'gatehouse-auth deploy' },
      dependencies: { 'gatehouse-auth': expect.any(String) },
      devDependencies: { wrangler: '^4' },
    })
    // The service binding names the deployment's Worker.
    expect(readFileSync('app/wrangler.toml', 'utf8')).toContain('service = "acme-inc"')
    expect(readFileSync('app/.gitignore', 'utf8')).toContain('dist/')
  })

  it('adds to a package.json that is there, and overwrites nothing', async () => {
    writeFileSync('package.json', '{"name":"mine","dependencies":{"gatehouse-auth":"1"},"scripts":{"dev":"mine"}}')
    expect(await init('--template', 'express')).toBe(0)
    writeFileSync('app/server.js', 'mine')
    expect(await init('--template', 'express')).toBe(0)
    expect(json('package.json')).toEqual({
      name: 'mine',
      dependencies: { 'gatehouse-auth': '1' },
      devDependencies: { '@cloudflare/workers-types': '^5', typescript: '*', wrangler: '^4' },
      scripts: { dev: 'mine', check: 'tsc', doctor: 'gatehouse-auth doctor', deploy: 'gatehouse-auth deploy' },
      workspaces: ['app'],
    })
    expect(readFileSync('app/server.js', 'utf8')).toBe('mine')
  })

  it('in a folder with other programs, leaves their files, and prints the command that starts the deployment', async () => {
    const said = vi.mocked(console.log)
    mkdirSync('src')
    writeFileSync('src/index.ts', 'console.log("mine")')
    // As some editors write it.
    writeFileSync(
      'package.json',
      '\uFEFF{"scripts":{"dev":"vite"},"workspaces":{"packages":["packages/*"],"nohoist":[]}}',
    )
    expect(await init('--template', 'hono')).toBe(0)
    expect(json('package.json').workspaces).toEqual({ packages: ['packages/*', 'app'], nohoist: [] })
    expect(readFileSync('wrangler.toml', 'utf8')).toContain('main = "src/accounts.ts"')
    expect(readFileSync('src/accounts.ts', 'utf8')).toContain("from 'gatehouse-auth'")
    expect(readFileSync('app/src/index.ts', 'utf8')).toContain("from '../../src/accounts'")
    expect(said.mock.calls.flat().join('\n')).toContain('\nNext:\n  npm install\n  npx gatehouse-auth dev\n')
    // Again: it finds its own.
    expect(await init('--template', 'hono')).toBe(0)
    expect(json('package.json').workspaces.packages).toEqual(['packages/*', 'app'])
  })

  it('says that doctor names what a configuration file of another Worker lacks', async () => {
    writeFileSync('wrangler.jsonc', '{"name":"mine","main":"src/worker.ts"}')
    expect(await init()).toBe(0)
    const said = vi.mocked(console.log).mock.calls.flat().join('\n')
    expect(said).toContain('  npx gatehouse-auth doctor   (names what wrangler.jsonc lacks)\n')
  })

  it.each([
    ['{"name":"mine",}', 'package.json is not JSON: '],
    ['[]', 'package.json is not an object'],
  ])('a package.json that is %s is to be corrected first', async (text, problem) => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
    writeFileSync('package.json', text)
    expect(await init('--template', 'hono')).toBe(1)
    expect(errors.mock.calls[0]![0]).toContain(problem)
    expect(errors.mock.calls[0]![0]).toContain('Next: correct package.json')
    expect(readdirSync('.')).toEqual(['package.json'])
  })

  it.each([
    ['pnpm', 'pnpm/12.21.0 npm/? node/v24.0.0 linux x64', 'pnpm-workspace.yaml', 'nodeLinker: hoisted'],
    ['yarn', 'yarn/4.18.1 npm/? node/24.0.0 linux x64', '.yarnrc.yml', 'nodeLinker: node-modules'],
  ])('%s: installs without links, and its commands are printed', async (name, agent, file, setting) => {
    vi.stubEnv('npm_config_user_agent', agent)
    expect(await init('--template', 'hono')).toBe(0)
    expect(readFileSync(file, 'utf8')).toContain(setting)
    const said = () => vi.mocked(console.log).mock.calls.flat().join('\n')
    expect(said()).toContain(`\nNext:\n  ${name} install\n  ${name} run dev\n`)
    // The files say it to every program.
    vi.stubEnv('npm_config_user_agent', 'npm/11.0.0 node/v24.0.0 linux x64')
    vi.mocked(console.log).mockClear()
    expect(await init()).toBe(0)
    expect(said()).toContain(`  ${name} install\n`)
    vi.unstubAllEnvs()
  })

  it('an unknown template writes nothing and is answered with the known ones', async () => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(await init('--template', 'cobol')).toBe(1)
    expect(errors.mock.calls[0]![0]).toContain(`'cobol' is invalid. Allowed choices are ${templateNames().join(', ')}.`)
    expect(existsSync('src')).toBe(false)
  })

  it.each(templateNames())('%s: has the scripts and the pages of every template', (name) => {
    const files = productFiles(name, 'acme')
    const manifest = JSON.parse(files.get('app/package.json')!)
    expect(manifest).toMatchObject({ name: 'app', private: true, dependencies: { 'gatehouse-auth': '*' } })
    expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(['dev', 'start']))
    const text = [...files.values()].join('\n')
    for (const part of ['GATEHOUSE_URL', '/members', 'Members', 'Hello ', 'Sign out']) expect(text).toContain(part)
    expect(text).not.toContain('{{accounts}}')
    expect(text).toContain(`gatehouse-auth/${name.replace(/-workers$/, '')}'`)
  })
})
