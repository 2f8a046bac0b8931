import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { CliProduct, emptyAccount } from '../../testing/cli-product.ts'
import type { Check } from './check.ts'

const product = new CliProduct()
let entry: string
beforeAll(async () => {
  await product.build()
  entry = product.read('src/index.ts')
})
afterEach(() => product.write('src/index.ts', entry))
afterAll(() => product.close())

/** The report of a run, by state. */
async function doctor(...flags: string[]) {
  const { code, said } = await product.run('doctor', '--json', ...flags)
  const { ok, checks } = JSON.parse(said) as { ok: boolean; checks: Check[] }
  const of = (state: Check['state']) => checks.filter((check) => check.state === state)
  return {
    code,
    ok,
    checks,
    problems: of('problem'),
    notes: of('note'),
    named: (name: string) => checks.find((check) => check.name === name),
  }
}

describe('gatehouse doctor in a new folder', () => {
  it('names the migrations as the only problem, and has none after them', async () => {
    const before = await doctor()
    expect(before).toMatchObject({
      code: 1,
      ok: false,
      problems: [{ name: 'migrations', fix: 'npx wrangler d1 migrations apply DB --local' }],
    })
    expect(before.notes.map(({ name }) => name)).toEqual(['DB', 'KV', 'BASE_URL'])
    const [, , , ...words] = before.problems[0]!.fix!.split(' ')
    expect(await product.wrangler('d1', ...words)).toMatchObject({ code: 0 })
    expect(await doctor()).toMatchObject({ code: 0, ok: true, problems: [] })
    const { code, said } = await product.run('doctor')
    expect(code).toBe(0)
    expect(said).toContain('ok       wrangler: 4.155.0\n')
    expect(said).toContain('ok       configuration: all settings are valid\n')
    expect(said).toContain('No problems. Next: npx gatehouse-auth doctor --remote')
    expect(product.calls().filter((call) => /remote|whoami|secret|list/.test(call))).toEqual([])
  })

  it('names an invalid setting and a missing export as the Worker would', async () => {
    product.change('src/index.ts', "appName: 'Acme',", "appName: 'Acme', sesion: {},")
    const { code, named } = await doctor()
    expect(code).toBe(1)
    expect(named('sesion')).toMatchObject({ state: 'problem', text: 'unknown setting; did you mean session?' })
    product.change('src/index.ts', ', OneTimeRecord }', ' }')
    expect((await doctor()).named('configuration')?.fix).toContain("export { OneTimeRecord } from 'gatehouse-auth'")
    product.write('src/index.ts', `${entry}\nthrow new Error('own fault')\n`)
    expect((await doctor()).named('configuration')).toMatchObject({ state: 'problem', text: 'own fault' })
    product.write('src/index.ts', `import './missing.ts'\n${entry}`)
    expect((await doctor()).named('configuration')?.text).toContain('Could not resolve "./missing.ts"')
    const classes = entry.split('\n').find((line) => line.startsWith('export { Counter'))
    const other = `${classes}\nexport default { fetch: () => new Response() }\n`
    product.write('src/index.ts', other)
    expect((await doctor()).named('configuration')).toMatchObject({ state: 'note' })
  })
})

describe('secrets of a development machine', () => {
  it('are lines of .dev.vars, which solve each problem, and the callbacks of providers are those of this machine', async () => {
    const settings = `mail: { transport: 'resend' },
  text: { transport: 'twilio' },
  captcha: { provider: 'hcaptcha', siteKey: 'x' },
  webhooks: { endpoints: [{ url: 'https://crm.acme.com/hook', events: ['*'], secrets: ['WEBHOOK_SECRET_CRM'] }] },
  genericOAuth: [{ providerId: 'acme-sso', clientId: 'x', discoveryUrl: 'https://sso.acme.com/.well-known/openid-configuration' }],
  socialProviders: { github: {}, google: { enabled: false } },`
    product.change('src/index.ts', "appName: 'Acme',", `appName: 'Acme',\n  ${settings}`)
    const before = await doctor()
    const named = ({ fix }: Check) => / ([A-Z_0-9]+)=…/.exec(fix ?? '')?.[1]
    expect(before.problems.map(named)).toEqual([
      'WEBHOOK_SECRET_CRM',
      'RESEND_API_KEY',
      'CAPTCHA_SECRET_KEY',
      'TWILIO_ACCOUNT_SID',
      'TWILIO_AUTH_TOKEN',
      'TWILIO_FROM',
    ])
    // Sign-in with the provider is not needed on each machine.
    expect(before.notes.map(named).filter(Boolean)).toEqual(['GITHUB_CLIENT_ID', 'ACME_SSO_CLIENT_SECRET'])
    expect(before.checks.filter(({ fix }) => /secret put/.test(fix ?? ''))).toEqual([])

    const lines = [...before.problems, ...before.notes].map(named).filter(Boolean)
    const value = `whsec_${Buffer.alloc(32).toString('base64')}`
    const kept = product.read('.dev.vars')
    product.write('.dev.vars', `${kept}${lines.map((name) => `${name}=${value}\n`).join('')}`)
    const after = await doctor()
    expect(after.problems).toEqual([])
    expect(after.notes.map(({ text }) => text).join('\n')).toContain('http://localhost:8787/api/auth/callback/github')
    product.write('.dev.vars', kept)
  })
})

describe('gatehouse doctor --remote', () => {
  it('without credentials checks the rest and says how to get them', async () => {
    product.account = { ...emptyAccount, login: null }
    const { code, named, problems, notes } = await doctor('--remote')
    expect(code).toBe(1)
    expect(named('login')).toMatchObject({ state: 'problem', fix: 'npx wrangler login' })
    expect(problems.map(({ name }) => name)).toEqual(['DB', 'KV', 'BASE_URL', 'login', 'mail.transport'])
    expect(notes.map(({ name }) => name)).toEqual(['account'])
  })

  it('names each missing step with its command, and the callbacks of providers, and has no problem at the end', async () => {
    product.account = emptyAccount
    product.change('wrangler.toml', 'https://accounts.example.invalid', 'https://accounts.acme-gatehouse-test.com')
    const settings = `mail: { transport: 'resend', from: { address: 'accounts@acme-gatehouse-test.com' } },
  webhooks: { endpoints: [{ url: 'https://crm.acme.com/hook', events: ['*'], secrets: ['WEBHOOK_SECRET_CRM'] }] },
  genericOAuth: [{ providerId: 'acme-sso', clientId: 'x', discoveryUrl: 'https://sso.acme.com/.well-known/openid-configuration' }],
  socialProviders: { github: {} },`
    product.change('src/index.ts', "appName: 'Acme',", `appName: 'Acme',\n  ${settings}`)
    const before = await doctor('--remote')
    const ofMail = ['SPF', 'DKIM', 'DMARC']
    const shown = before.problems.filter(({ name }) => !ofMail.includes(name))
    expect(shown.map(({ name, fix }) => [name, fix!.split('\n')[0]])).toEqual([
      ['DB', 'npx gatehouse-auth deploy creates it and writes the id'],
      ['KV', 'npx gatehouse-auth deploy creates it and writes the id'],
      ['route', 'add to wrangler.toml (above the first section), or set a route in the dashboard:'],
      ['Worker', 'npx gatehouse-auth deploy'],
      ['GATEHOUSE_SECRET', 'npx gatehouse-auth deploy generates it'],
      ['WEBHOOK_SECRET_CRM', 'npx wrangler secret put WEBHOOK_SECRET_CRM'],
      ['RESEND_API_KEY', 'npx wrangler secret put RESEND_API_KEY'],
      ['R2 bucket', 'npx gatehouse-auth deploy creates it'],
      ['github', 'npx wrangler secret put GITHUB_CLIENT_ID'],
    ])
    // The second half, with a Worker that has some secrets.
    await product.wrangler('d1', 'create', 'acme')
    await product.wrangler('kv', 'namespace', 'create', 'acme-kv')
    await product.wrangler('r2', 'bucket', 'create', 'acme-archive')
    const ids = JSON.parse((await product.wrangler('d1', 'list', '--json')).said) as { uuid: string }[]
    const namespaces = JSON.parse((await product.wrangler('kv', 'namespace', 'list')).said) as { id: string }[]
    product.change('wrangler.toml', '00000000-0000-0000-0000-000000000000', ids[0]!.uuid)
    product.change('wrangler.toml', '00000000000000000000000000000000', namespaces[0]!.id)
    const route = 'routes = [{ pattern = "accounts.acme-gatehouse-test.com", custom_domain = true }]'
    product.change('wrangler.toml', '[assets]', `${route}\n\n[assets]`)
    const worker = {
      secrets: { GATEHOUSE_SECRET: 'x', GITHUB_CLIENT_ID: 'x', GITHUB_CLIENT_SECRET: 'x' },
      deployments: 1,
    }
    product.account = { ...product.account, workers: { acme: worker } }
    const later = await doctor('--remote')
    expect(later.problems.map(({ name, fix }) => [name, fix])).toEqual(
      expect.arrayContaining([
        ['RESEND_API_KEY', 'npx wrangler secret put RESEND_API_KEY'],
        ['WEBHOOK_SECRET_CRM', 'npx wrangler secret put WEBHOOK_SECRET_CRM'],
        ['migrations', 'npx wrangler d1 migrations apply DB --remote'],
      ]),
    )
    const texts = later.notes.map(({ text }) => text).join('\n')
    expect(texts).toContain('https://accounts.acme-gatehouse-test.com/api/auth/callback/github')
    expect(texts).toContain('https://accounts.acme-gatehouse-test.com/api/auth/oauth2/callback/acme-sso')
    expect(later.named('DMARC')?.text).toContain('_dmarc.acme-gatehouse-test.com')
    await product.wrangler('d1', 'migrations', 'apply', 'DB', '--remote')
    expect((await doctor('--remote')).named('administrator')).toMatchObject({
      state: 'problem',
      fix: 'sign up, then: npx gatehouse-auth admin add you@your-domain --remote',
    })
    const account = product.account
    account.workers.acme!.secrets.RESEND_API_KEY = account.workers.acme!.secrets.WEBHOOK_SECRET_CRM = 'x'
    product.account = account
    const insert =
      "INSERT INTO users (id, name, email, role, created_at, updated_at) VALUES ('u', 'U', 'u@acme.com', 'user,admin', 1, 1)"
    await product.wrangler('d1', 'execute', 'DB', '--remote', '--yes', '--command', insert)
    // Mail records depend on the network of the machine.
    const last = await doctor('--remote')
    expect(last.problems.filter(({ name }) => ![...ofMail, 'address'].includes(name))).toEqual([])
    expect(last.named('administrator')).toMatchObject({ state: 'ok', text: 'there is one' })
  })

  it('reports what wrangler refuses as a problem, and checks the rest', async () => {
    product.account = {
      ...product.account,
      refuse: { 'd1 list': 'A request to the Cloudflare API failed. fetch failed' },
    }
    const { named } = await doctor('--remote')
    expect(named('D1')).toMatchObject({
      state: 'problem',
      text: expect.stringMatching(/^A request to the Cloudflare API failed\. fetch failed$/),
      fix: 'check the network, then run the command again',
    })
    expect(named('migrations')).toMatchObject({ state: 'ok' })
  })

  it('names an account among several, and a file that is missing', async () => {
    const accounts = [
      { id: 'a1', name: 'Acme' },
      { id: 'b2', name: 'Bolt' },
    ]
    product.account = { ...product.account, login: { email: 'ada@acme.com', accounts } }
    expect((await doctor('--remote')).named('login')?.fix).toContain('account_id = "b2"   # Bolt')
    const { code, said } = await product.run('doctor', '--config', 'other.toml')
    expect(code).toBe(1)
    expect(said).toBe('There is no other.toml in this folder.\nNext: npx gatehouse-auth init writes one\n')
  })
})
