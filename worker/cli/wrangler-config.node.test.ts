import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { CliError } from './cli-error.ts'
import { parseWranglerConfig, printSection, readWranglerConfig, setValue, tablesIn } from './wrangler-config.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-config-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const toml = `# Our deployment.
name = "acme" # the name
workers_dev = false

[vars]
ENVIRONMENT = "production"
BASE_URL = "https://accounts.example.invalid" # the origin

[[d1_databases]]
binding = "OTHER"
database_id = "0"

[[d1_databases]]
binding = "DB"
database_id = "0"

[env.staging.vars]
BASE_URL = "https://staging.example.invalid"

[[env.staging.d1_databases]]
binding = "DB"
`
const jsonc = `{
  // Our deployment.
  "name": "acme",
  "vars": { "BASE_URL": "https://accounts.example.invalid" },
  "d1_databases": [{ "binding": "DB", "database_id": "0" }], /* one */
  "env": { "staging": { "vars": {} } },
}
`

function file(name: string, text: string, env?: string) {
  writeFileSync(join(folder, name), text)
  return readWranglerConfig(join(folder, name), env)
}

describe('a configuration file of wrangler', () => {
  it('is read for an environment, which inherits all but bindings and variables', () => {
    const values = parseWranglerConfig('wrangler.toml', toml, 'staging').values
    expect(values).toMatchObject({
      name: 'acme-staging',
      workers_dev: false,
      vars: { BASE_URL: 'https://staging.example.invalid' },
    })
    expect(values.vars).not.toHaveProperty('ENVIRONMENT')
    expect(tablesIn(values, 'd1_databases')).toEqual([{ binding: 'DB' }])
    expect(tablesIn(values, 'durable_objects', 'bindings')).toEqual([])
    expect(parseWranglerConfig('wrangler.jsonc', jsonc).values.name).toBe('acme')
  })

  it.each([
    ['wrangler.toml', 'name = ', undefined, 'wrangler.toml: '],
    ['wrangler.jsonc', '{\n  "name": \n}', undefined, 'wrangler.jsonc, line 3: ValueExpected'],
    ['wrangler.jsonc', '3', undefined, 'wrangler.jsonc is not an object.'],
    ['wrangler.toml', toml, 'prod', 'wrangler.toml has no environment prod (it has: staging).'],
  ])('%s with an error says where', (name, text, env, message) => {
    expect(() => parseWranglerConfig(name, text, env)).toThrow(message)
  })

  it('a missing file is named with the next step', () => {
    try {
      readWranglerConfig(join(folder, 'missing.toml'))
      expect.unreachable()
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(CliError)
      expect((thrown as CliError).next).toContain('npx gatehouse-auth init')
    }
  })
})

describe('setValue', () => {
  it('changes one line of TOML and keeps the others', () => {
    const before = file('set.toml', toml)
    const after = setValue(before, ['d1_databases', 1, 'database_id'], 'a-b')
    setValue(after, ['vars', 'BASE_URL'], 'https://accounts.example.com')
    const lines = readFileSync(before.path, 'utf8').split('\n')
    const changed = toml.split('\n').flatMap((line, at) => (line === lines[at] ? [] : [[line, lines[at]]]))
    expect(changed).toEqual([
      [
        'BASE_URL = "https://accounts.example.invalid" # the origin',
        'BASE_URL = "https://accounts.example.com" # the origin',
      ],
      ['database_id = "0"', 'database_id = "a-b"'],
    ])
    expect(lines[14]).toBe('database_id = "a-b"')
  })

  it('adds what is absent, also to an environment', () => {
    const staging = setValue(file('env.toml', toml, 'staging'), ['d1_databases', 0, 'database_id'], 'x')
    expect(staging.values).toMatchObject({ d1_databases: [{ binding: 'DB', database_id: 'x' }] })
    const bare = setValue(file('bare.toml', 'name = "acme"\n'), ['vars', 'BASE_URL'], 'https://a.example')
    expect(bare.text).toBe('name = "acme"\n\n[vars]\nBASE_URL = "https://a.example"\n')
  })

  it('writes a list of tables above the first section, and a boolean', () => {
    const routes = [{ pattern: 'accounts.acme.com', custom_domain: true }]
    const withRoutes = setValue(file('routes.toml', toml), ['routes'], routes)
    expect(withRoutes.text).toContain(
      'workers_dev = false\nroutes = [{ pattern = "accounts.acme.com", custom_domain = true }]\n\n[vars]',
    )
    expect(setValue(withRoutes, ['workers_dev'], true).values).toMatchObject({ routes, workers_dev: true })
    expect(setValue(file('routes.jsonc', jsonc), ['routes'], routes).values).toMatchObject({ routes })
    const own = setValue(file('own.toml', `${toml}\n[env.bare]\n`, 'bare'), ['routes'], routes)
    expect(own.values).toMatchObject({ routes })
  })

  it('keeps the comments of JSONC', () => {
    const main = setValue(file('set.jsonc', jsonc), ['d1_databases', 0, 'database_id'], 'a-b')
    expect(main.text).toBe(jsonc.replace('"database_id": "0"', '"database_id": "a-b"'))
    const staging = setValue(file('env.jsonc', jsonc, 'staging'), ['vars', 'BASE_URL'], 'https://s.example')
    expect(staging.values).toMatchObject({ vars: { BASE_URL: 'https://s.example' } })
    expect(staging.text).toContain('// Our deployment.')
  })

  it('leaves a file alone whose style it cannot change', () => {
    const text = 'd1_databases = [{ binding = "DB", database_id = "0" }]\n'
    const inline = file('inline.toml', text)
    expect(() => setValue(inline, ['d1_databases', 0, 'database_id'], 'x')).toThrow('cannot be written here')
    expect(readFileSync(inline.path, 'utf8')).toBe(text)
  })
})

describe('printSection', () => {
  const section = {
    durable_objects: { bindings: [{ name: 'COUNTER', class_name: 'Counter' }] },
    triggers: { crons: ['*/5 * * * *'] },
  }

  it('prints TOML and JSONC that mean the same', () => {
    const text = printSection({ format: 'toml', env: 'staging' }, section)
    expect(text).toContain('[[env.staging.durable_objects.bindings]]\nname = "COUNTER"')
    expect(parseWranglerConfig('x.toml', text, 'staging').values).toMatchObject(section)
    const json = printSection({ format: 'jsonc', env: undefined }, section)
    expect(parseWranglerConfig('x.jsonc', `{${json}}`).values).toEqual(section)
    expect(printSection({ format: 'toml', env: undefined }, { workers_dev: false })).toBe('workers_dev = false')
    const routes = { routes: [{ pattern: 'a.acme.com', custom_domain: true }] }
    expect(printSection({ format: 'toml', env: undefined }, routes)).toBe(
      'routes = [{ pattern = "a.acme.com", custom_domain = true }]',
    )
  })
})
