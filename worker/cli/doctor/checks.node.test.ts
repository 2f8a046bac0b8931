import { createSocket } from 'node:dgram'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../configuration/read-config.ts'
import type { Env } from '../../platform/env.ts'
import { templateToml } from '../template.ts'
import { parseWranglerConfig } from '../wrangler-config.ts'
import { sizeCheck } from './account-checks.ts'
import { printed } from './check.ts'
import { fileChecks, originChecks, placeholderChecks } from './file-checks.ts'
import { mailChecks, systemResolver } from './mail-checks.ts'
import { providerChecks, setAt, setInDevelopment } from './product-checks.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-checks-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const template = templateToml('acme')
const file = (text: string, env?: string) => parseWranglerConfig(join(folder, 'wrangler.toml'), text, env)

/** Lines of the template that a deployment lacks, and the problem that each is. */
const removals: [removed: RegExp, name: string, section: string][] = [
  [/\[\[kv_namespaces\]\]\n.*\n.*\n/, 'KV', '[[kv_namespaces]]\nbinding = "KV"'],
  [/\[\[d1_databases\]\]\n(?:.+\n)+/, 'DB', 'migrations_dir = "node_modules/gatehouse-auth/migrations"'],
  [
    /\[\[durable_objects\.bindings\]\]\nname = "COUNTER"\n.*\n/,
    'COUNTER',
    '[[durable_objects.bindings]]\nname = "COUNTER"',
  ],
  [/class_name = "OneTimeRecord"/, 'ONE_TIME', 'set class_name of ONE_TIME to "OneTimeRecord"'],
  [/\[\[migrations\]\]\n.*\n.*\n/, 'migrations', 'new_sqlite_classes = [ "OneTimeRecord", "Counter" ]'],
  [/\[assets\]\n(?:.+\n)+/, 'ASSETS', '[assets]\n'],
  [/"\/dev\/\*"/, 'run_worker_first', '"/dev/*"'],
  [/\[triggers\]\n.*\n/, 'crons', '[triggers]\ncrons = [ "* * * * *", "*/5 * * * *" ]'],
  [/, "global_fetch_strictly_public"/, 'compatibility_flags', '"global_fetch_strictly_public"'],
  [/compatibility_date = .*\n/, 'compatibility_date', 'set compatibility_date to "20'],
  [/main = .*\n/, 'main', 'set main to "src/index.ts"'],
]

const problemsOf = (text: string) => fileChecks(file(text)).filter(({ state }) => state === 'problem')

/** The folder has neither the package nor the entry module. */
const always = ['main', 'base_dir', 'ASSETS', 'migrations_dir']

describe('the configuration file', () => {
  it('of the template lacks nothing', () => {
    expect(problemsOf(template).map(({ name }) => name)).toEqual(always)
  })

  it.each([
    [/find_additional_modules = .*\n/, 'find_additional_modules to true'],
    [/base_dir = .*\n/, 'base_dir to "node_modules/gatehouse-auth/dist/package"'],
    [/rules = .*\n/, 'rules to [{ type = "ESModule", globs = ["**/c/*.js"] }]'],
    [
      /, "new_module_registry"/,
      'compatibility_flags to ["nodejs_compat", "global_fetch_strictly_public", "new_module_registry"]',
    ],
  ])('without %s starts slower: a note with the line to set', (removed, line) => {
    expect(template).toMatch(removed)
    const checks = fileChecks(file(template.replace(removed, '')))
    expect(checks.filter(({ name }) => name === 'modules')).toMatchObject([
      { state: 'note', fix: expect.stringContaining(line) },
    ])
    const problems = checks.filter(({ state }) => state === 'problem').map(({ name }) => name)
    expect(problems).toEqual(always.filter((name) => name !== 'base_dir' || !line.startsWith(name)))
  })

  it.each(removals)('without %s has a problem with the lines to add', (removed, name, section) => {
    expect(template).toMatch(removed)
    const found = problemsOf(template.replace(removed, name === 'ONE_TIME' ? 'class_name = "Other"' : ''))
    const added = found.filter((one) => !always.includes(one.name) || one.fix!.includes(section))
    expect(added).toMatchObject([{ name, fix: expect.stringContaining(section) }])
  })

  it('of an environment has its own bindings, and the section to add names it', () => {
    const [first] = fileChecks(file(`${template}\n[env.staging]\n`, 'staging')).filter(({ name }) => name === 'KV')
    expect(first!.fix).toContain('[[env.staging.kv_namespaces]]\nbinding = "KV"')
  })

  it('with placeholders is a problem only for the deployment', () => {
    expect(placeholderChecks(file(template), false).map(({ state }) => state)).toEqual(['note', 'note'])
    expect(placeholderChecks(file(template), true).map(({ state }) => state)).toEqual(['problem', 'problem'])
  })

  it.each([
    ['https://accounts.example.invalid', 'is a placeholder'],
    ['https://accounts.example.com', 'is a placeholder'],
    ['accounts.acme.com', 'is not an origin'],
    ['https://accounts.acme.com/auth', 'is not an origin'],
    ['http://accounts.acme.com', 'must begin with https:// in production'],
    ['https://accounts.acme.com', 'no route leads accounts.acme.com to the Worker'],
    ['https://acme.ada.workers.dev', 'workers_dev is false'],
  ])('BASE_URL %s: %s', (origin, text) => {
    const checks = originChecks(file(template.replace('https://accounts.example.invalid', origin)), true)
    expect(checks.at(-1)).toMatchObject({ state: 'problem', text: expect.stringContaining(text) })
  })

  it.each([
    'routes = [{ pattern = "accounts.acme.com", custom_domain = true }]',
    'routes = ["*.acme.com/*"]',
    'route = "accounts.acme.com/*"',
  ])('%s leads to the Worker', (route) => {
    const text = `${route}\n${template.replace('accounts.example.invalid', 'accounts.acme.com')}`
    expect(originChecks(file(text), true).map(({ state }) => state)).toEqual(['ok', 'ok'])
  })
})

it.each([
  [6_900_000_000, 'ok', '6,900 MB of 10,000 MB are used, 69 %'],
  [7_000_000_000, 'note', '7,000 MB of 10,000 MB are used, 70 %'],
  [
    8_500_000_000,
    'problem',
    '8,500 MB of 10,000 MB are used, 85 %: new users, directory entries and applications are refused',
  ],
  [
    9_500_000_000,
    'problem',
    '9,500 MB of 10,000 MB are used, 95 %: only sign-ins, sign-outs, changes of security and deletions are written',
  ],
])('a database of %i bytes: %s', (bytes, state, text) => {
  expect(sizeCheck(bytes, 10_000_000_000)).toMatchObject({ name: 'size', state, text })
})

it('a problem is printed with its fix below it', () => {
  const text = printed({ name: 'KV', state: 'problem', text: 'is missing', fix: 'add:\n\n[[kv_namespaces]]' })
  expect(text).toBe('problem  KV: is missing\n           add:\n\n           [[kv_namespaces]]')
})

/** A DNS server that answers TXT requests, RFC 1035. */
async function dnsServer(records: Record<string, string>) {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const labels: string[] = []
    let at = 12
    while (query[at]) {
      labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!))
      at += query[at]! + 1
    }
    const text = records[labels.join('.')]
    const question = query.subarray(12, at + 5)
    const header = Buffer.from(query.subarray(0, 12))
    // A response: recursion available, and NXDOMAIN without a record.
    header.writeUInt16BE(text === undefined ? 0x8183 : 0x8180, 2)
    header.writeUInt16BE(text === undefined ? 0 : 1, 6)
    header.writeUInt16BE(0, 8)
    header.writeUInt16BE(0, 10)
    const answer = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, (text ?? '').length + 1, (text ?? '').length])
    const parts = text === undefined ? [header, question] : [header, question, answer, Buffer.from(text)]
    socket.send(Buffer.concat(parts), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return { server: `127.0.0.1:${socket.address().port}`, close: () => socket.close() }
}

const configuration = (transport: 'cloudflare' | 'resend' | 'smtp', address = 'accounts@acme.com') =>
  readConfig({ mail: { transport, from: { address } } }, {
    GATEHOUSE_SECRET: 'x'.repeat(40),
    BASE_URL: 'https://accounts.acme.com',
    EMAIL: {},
    SMTP_HOST: 'mail.acme.com',
    RESEND_API_KEY: 'x',
  } as unknown as Env)

describe('records of the sender’s domain', () => {
  it('are found at the names of the transport, and missing ones are printed', async () => {
    const dns = await dnsServer({
      'cf-bounce.acme.com': 'v=spf1 include:_spf.mx.cloudflare.net ~all',
      'cf-bounce._domainkey.acme.com': 'v=DKIM1; k=rsa; p=MIIB',
      '_dmarc.acme.com': 'other',
    })
    try {
      const checks = await mailChecks(configuration('cloudflare'), systemResolver([dns.server]))
      expect(checks.map(({ name, state }) => [name, state])).toEqual([
        ['mail', 'ok'],
        ['SPF', 'ok'],
        ['DKIM', 'ok'],
        ['DMARC', 'problem'],
      ])
      expect(checks[3]!.fix).toContain('_dmarc.acme.com "v=DMARC1; p=quarantine"')
      const smtp = await mailChecks(configuration('smtp'), systemResolver([dns.server]))
      expect(smtp.map(({ name, state }) => [name, state])).toEqual([
        ['mail', 'ok'],
        ['SPF', 'problem'],
        ['DKIM', 'note'],
        ['DMARC', 'problem'],
      ])
    } finally {
      dns.close()
    }
  })

  it('without a resolver are notes with the records to look for', async () => {
    const refused = async () => {
      throw Object.assign(new Error('queryTxt ECONNREFUSED'), { code: 'ECONNREFUSED' })
    }
    const checks = await mailChecks(configuration('resend'), refused)
    expect(checks.map(({ state }) => state)).toEqual(['ok', 'note', 'note', 'note'])
    expect(checks[1]!.text).toContain('look for the TXT record send.acme.com')
  })

  it('are not asked for the domain of examples', async () => {
    const [only, ...more] = await mailChecks(configuration('resend', 'accounts@gatehouse.example.com'), async () => [])
    expect(more).toEqual([])
    expect(only).toMatchObject({ state: 'problem', name: 'mail' })
  })
})

describe('secrets', () => {
  const environment = (name: string) =>
    readConfig({ socialProviders: { github: {} }, mail: { transport: async () => {} } }, {
      BASE_URL: 'https://accounts.acme.com',
      GATEHOUSE_SECRET: 'x'.repeat(40),
      ENVIRONMENT: name,
    } as unknown as Env)

  it('of a provider are set where the deployment runs, and in its environment', () => {
    const origin = 'https://accounts.acme.com'
    expect(providerChecks(environment('production'), {}, origin, setAt({ env: 'staging' }))).toMatchObject([
      { name: 'github', state: 'problem', fix: 'npx wrangler secret put GITHUB_CLIENT_ID --env staging' },
    ])
    expect(providerChecks(environment('development'), {}, origin, setInDevelopment)).toMatchObject([
      { name: 'github', state: 'note', fix: 'add to .dev.vars: GITHUB_CLIENT_ID=…' },
    ])
  })

  it('have two places in each text that names one, except in the command for the deployment alone', () => {
    const root = join(import.meta.dirname, '../../..')
    const files = globSync(['worker/**/*.ts', 'worker/guides/*.md', 'worker/skills/**/*.md'], {
      cwd: root,
      exclude: ['**/node_modules/**', '**/*.test.ts', '**/*.e2e.ts', 'worker/testing/**', 'worker/cli/wrangler.ts'],
    })
    // Steps of an operator, about a deployment at Cloudflare.
    const ofProduction = /guides\/(?:disaster|environments|move-in|operate)\.md$/
    const one = files.filter((path) => {
      if (ofProduction.test(path)) return false
      const text = readFileSync(join(root, path), 'utf8')
      return [...text.matchAll(/wrangler secret put/g)].some(
        ({ index }) => !text.slice(Math.max(0, index - 600), index + 600).includes('.dev.vars'),
      )
    })
    expect(one).toEqual([])
  })
})
