import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CliProduct, emptyAccount } from '../../testing/cli-product.ts'

const product = new CliProduct()
beforeAll(async () => {
  await product.build()
  // The local mailbox is refused in production.
  product.change('src/index.ts', "appName: 'Acme',", "appName: 'Acme',\n  mail: { transport: 'resend' },")
})
afterAll(() => product.close())

const origin = 'https://accounts.acme.com'
const deploy = (...flags: string[]) => product.run('deploy', ...flags)
const creations = (calls: string[]) =>
  calls.filter((call) => /create|secret put|migrations apply|^deploy(?! --dry)/.test(call))

describe('gatehouse deploy', () => {
  it('prints all steps without credentials, network or a change', async () => {
    const before = product.read('wrangler.toml')
    product.account = { ...emptyAccount, login: null }
    product.calls()
    const { code, said } = await deploy('--dry-run', '--base-url', origin)
    expect({ code, said }).toMatchObject({ code: 0 })
    expect(said.split('\n').filter(Boolean)).toEqual([
      'done     configuration file: wrangler.toml',
      'would    login: sign in to Cloudflare in the browser (npx wrangler login)',
      `would    BASE_URL: set it to ${origin} in wrangler.toml`,
      'done     entry module: all settings are valid',
      'done     jurisdiction: none',
      'would    database: create the D1 database acme, and write its id to wrangler.toml',
      'would    KV namespace: create the KV namespace acme-kv, and write its id to wrangler.toml',
      'would    archive: create the R2 bucket acme-archive',
      'would    migrations: apply all migrations (npx wrangler d1 migrations apply DB --remote)',
      'would    secrets: generate GATEHOUSE_SECRET, keep a copy in .gatehouse-secret, and set GATEHOUSE_SECRET, RESEND_API_KEY',
      'would    Worker: deploy acme (npx wrangler deploy)',
      expect.stringContaining('would    administrator: print how to make the first one'),
    ])
    expect(creations(product.calls())).toEqual([])
    expect(product.read('wrangler.toml')).toBe(before)
  })

  it('says what is missing before it creates anything', async () => {
    product.account = emptyAccount
    product.calls()
    expect(await deploy()).toMatchObject({ code: 1, said: expect.stringContaining('There is no terminal to ask on.') })
    const { code, said } = await deploy('--yes')
    expect(code).toBe(1)
    expect(said).toContain(
      'failed   BASE_URL: BASE_URL is not set.\nNext: npx gatehouse-auth deploy --base-url https://accounts.your-domain; then npx gatehouse-auth deploy goes on here',
    )
    expect(await deploy('--yes', '--base-url', 'accounts.acme.com')).toMatchObject({
      code: 1,
      said: expect.stringContaining('accounts.acme.com is not an https origin.'),
    })
    expect(creations(product.calls())).toEqual([])
  })

  it('goes on after each error, and creates nothing twice', async () => {
    const failures = {
      'd1 create': 'You have reached the maximum number of D1 databases for your account.',
      'kv namespace create': 'A request to the Cloudflare API failed. fetch failed',
      'd1 migrations': 'A request to the Cloudflare API failed. [code: 7500]',
    }
    product.account = { ...emptyAccount, refuse: failures }
    product.calls()
    const said: string[] = []
    for (const failure of Object.values(failures)) {
      const run = await deploy('--yes', '--base-url', origin)
      expect(run.code).toBe(1)
      expect(run.said).toContain(failure)
      said.push(run.said)
    }
    expect(said[0]).toContain(`done     BASE_URL: ${origin}, with accounts.acme.com as a custom domain of the Worker`)
    expect(product.read('wrangler.toml')).toContain(`BASE_URL = "${origin}"`)
    expect(said[1]).toContain(
      'Next: check the network, then run the command again; then npx gatehouse-auth deploy goes on here',
    )
    expect(said[2]).toMatch(
      /done {5}database: [0-9a-f-]{36}\ndone {5}KV namespace: created [0-9a-f]{32}\ndone {5}archive: created acme-archive\n/,
    )
    // The value of a secret is not known yet.
    const secret = await deploy('--yes')
    expect(secret).toMatchObject({ code: 1, said: expect.stringContaining('npx wrangler secret put RESEND_API_KEY') })
    const copy = product.read('.gatehouse-secret')
    const last = await product.run('deploy', '--yes', { RESEND_API_KEY: 're_1234' })
    expect(last).toMatchObject({ code: 0 })
    expect(last.said).toContain('done     secrets: set RESEND_API_KEY\n')
    expect(last.said).toContain('done     Worker: accounts.acme.com (custom domain)\n')
    expect(last.said).toContain(`npx gatehouse-auth admin add you@your-domain --remote`)
    expect(product.account).toMatchObject({
      databases: ['acme'],
      namespaces: ['acme-kv'],
      buckets: ['acme-archive'],
      workers: { acme: { deployments: 1, secrets: { GATEHOUSE_SECRET: copy.trim(), RESEND_API_KEY: 're_1234' } } },
    })
    expect(copy.trim()).toMatch(/^[A-Za-z0-9+/]{43}=$/)
    expect(product.read('.gitignore')).toContain('.gatehouse-secret*\n')
    expect(last.said).not.toContain(copy.trim())
    const calls = creations(product.calls())
    const count = (start: string) => calls.filter((call) => call.startsWith(start)).length
    // Two calls: the refused one and the one that succeeded.
    expect({ d1: count('d1 create'), kv: count('kv namespace create'), secret: count('secret put') }).toEqual({
      d1: 2,
      kv: 2,
      secret: 2,
    })
  })

  it('writes the id of a database that an ended run has created', async () => {
    const [, id] = /database_id = "(.+)"/.exec(product.read('wrangler.toml'))!
    product.change('wrangler.toml', id!, '00000000-0000-0000-0000-000000000000')
    product.calls()
    const { code, said } = await deploy('--yes')
    expect(code).toBe(0)
    expect(said).toContain(`done     database: found ${id}\n`)
    expect(said).toContain('done     migrations: all are applied\n')
    expect(creations(product.calls())).toEqual(['deploy'])
    expect((await product.run('doctor', '--remote')).said).not.toMatch(
      /problem {2}(?:DB|KV|D1|migrations|route|BASE_URL|.*SECRET)/,
    )
  })

  it('generates no second secret for a database that has users', async () => {
    const insert = "INSERT INTO users (id, name, email, created_at, updated_at) VALUES ('u', 'U', 'u@acme.com', 1, 1)"
    await product.wrangler('d1', 'execute', 'DB', '--remote', '--yes', '--command', insert)
    const copy = product.read('.gatehouse-secret')
    const { account } = product
    delete account.workers.acme!.secrets.GATEHOUSE_SECRET
    product.account = account
    // The copy is the secret of this database.
    expect(await deploy('--yes')).toMatchObject({ code: 0 })
    expect(product.account.workers.acme!.secrets.GATEHOUSE_SECRET).toBe(copy.trim())
    product.account = account
    product.remove('.gatehouse-secret')
    expect(await deploy('--yes')).toMatchObject({
      code: 1,
      said: expect.stringMatching(/The database has users.*\nNext: npx wrangler secret put GATEHOUSE_SECRET, with/),
    })
    expect(product.account.workers.acme!.secrets).not.toHaveProperty('GATEHOUSE_SECRET')
  })

  it('creates all stores in the jurisdiction of the configuration, and refuses every other one', async () => {
    const [toml, entry, account] = [product.read('wrangler.toml'), product.read('src/index.ts'), product.account]
    const inEntry = (jurisdiction: string) =>
      product.write(
        'src/index.ts',
        entry.replace("appName: 'Acme',", `appName: 'Acme', jurisdiction: '${jurisdiction}',`),
      )
    const failure = async () => (await deploy('--yes')).said.split('\n').find((line) => line.startsWith('failed'))
    // The database of the deployment is in none, and cannot change.
    inEntry('eu')
    product.calls()
    const run = await deploy('--yes')
    expect(run).toMatchObject({
      code: 1,
      said: expect.stringMatching(
        /failed {3}jurisdiction: the configuration says the jurisdiction eu, and the database [0-9a-f-]+ is in no jurisdiction\nNext: a store has its jurisdiction from its creation: remove jurisdiction from gatehouse\(\.\.\.\)/,
      ),
    })
    expect(creations(product.calls())).toEqual([])
    expect((await product.run('doctor', '--remote')).said).toContain('problem  jurisdiction: the configuration says')
    // New stores.
    const secrets = { GATEHOUSE_SECRET: 'x', RESEND_API_KEY: 'x' }
    product.account = { ...emptyAccount, workers: { acme: { secrets, deployments: 1 } } }
    product.change('wrangler.toml', /database_id = "(.+)"/.exec(toml)![1]!, '00000000-0000-0000-0000-000000000000')
    product.change('wrangler.toml', /^id = "(.+)"/m.exec(toml)![1]!, '00000000000000000000000000000000')
    expect(await deploy('--yes')).toMatchObject({
      code: 0,
      said: expect.stringContaining('done     jurisdiction: eu\n'),
    })
    expect(product.account.jurisdictions).toEqual({ acme: 'eu', 'acme-kv': 'eu', 'acme-archive': 'eu' })
    expect(product.read('wrangler.toml')).toMatch(/\[\[r2_buckets\]\]\njurisdiction = "eu"\n/)
    expect(await deploy('--yes')).toMatchObject({ code: 0 })
    const doctor = await product.run('doctor', '--remote')
    expect(doctor.said).toContain('ok       jurisdiction: eu\n')
    expect(doctor.said).toContain('ok       R2 bucket: acme-archive\n')
    // Changed later: in the entry module, in the file, and by a store of another jurisdiction.
    inEntry('us')
    expect(await failure()).toMatch(
      /the configuration says the jurisdiction us, and the database .+ is in the jurisdiction eu/,
    )
    product.write('src/index.ts', entry)
    expect(await failure()).toMatch(/says no jurisdiction, and the database .+ is in the jurisdiction eu/)
    inEntry('eu')
    product.change('wrangler.toml', 'jurisdiction = "eu"', 'jurisdiction = "us"')
    expect(await failure()).toContain(
      'the configuration says the jurisdiction eu, and wrangler.toml binds ARCHIVE in the jurisdiction us',
    )
    expect((await product.run('doctor')).said).toContain('set jurisdiction = "eu" in the table of ARCHIVE')
    product.change('wrangler.toml', 'jurisdiction = "us"', 'jurisdiction = "eu"')
    product.account = { ...product.account, jurisdictions: { ...product.account.jurisdictions, 'acme-kv': 'us' } }
    expect(await failure()).toMatch(/the KV namespace [0-9a-f]+ is in the jurisdiction us/)
    product.write('wrangler.toml', toml)
    product.write('src/index.ts', entry)
    product.account = account
  })

  it('refuses a file that lacks a section, and an invalid setting', async () => {
    const [toml, entry] = [product.read('wrangler.toml'), product.read('src/index.ts')]
    product.change('wrangler.toml', 'crons = ["* * * * *", "*/5 * * * *"]', 'crons = []')
    expect(await deploy('--yes')).toMatchObject({
      code: 1,
      said: expect.stringMatching(/failed {3}configuration file: .*crons.*\nNext: npx gatehouse-auth doctor/),
    })
    product.write('wrangler.toml', toml)
    product.change('src/index.ts', "transport: 'resend'", "transport: 'mailbox'")
    expect(await deploy('--yes')).toMatchObject({
      code: 1,
      said: expect.stringContaining('failed   entry module: mail.transport: the local mailbox is for development'),
    })
    product.write('src/index.ts', entry)
  })
})
