import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { open } from '../../kit/encrypt.ts'
import { sha256 } from '../../kit/hash.ts'
import { runCommand } from '../../testing/run-command.ts'
import { command } from './import.ts'
import { leftBehind } from './write-sql.ts'

// wrangler bundles the product for each reading, which is the same one for all tests.
vi.mock('../product.ts', async (load) => {
  const real = await load<typeof import('../product.ts')>()
  let reading: ReturnType<typeof real.readProduct> | undefined
  const readProduct: typeof real.readProduct = (...given) => {
    reading ??= real.readProduct(...given)
    return reading
  }
  return { ...real, readProduct }
})

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-import-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const out = join(folder, 'out.sql')
const secret = 'a-secret-of-the-new-deployment-0123456789'

const said = { out: '', err: '' }
beforeEach(() => {
  Object.assign(said, { out: '', err: '' })
  rmSync(out, { force: true })
  vi.stubEnv('GATEHOUSE_SECRET', secret)
  vi.spyOn(console, 'log').mockImplementation((text) => void (said.out += `${text}\n`))
  vi.spyOn(console, 'error').mockImplementation((text) => void (said.err += `${text}\n`))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

const migrations = join(import.meta.dirname, '../../../migrations')

const run = (args: string[]) => runCommand(command, args)

it('reads a SQLite file without a warning about the module that reads it', () => {
  const path = file('quiet.sqlite', '')
  const database = new DatabaseSync(path)
  database.exec("create table user (id text); insert into user values ('u1')")
  database.close()
  const reader = JSON.stringify(join(import.meta.dirname, 'readers/sqlite.ts'))
  const code = `import { readSqlite } from ${reader}
    for await (const { value } of readSqlite(${JSON.stringify(path)}, () => true)) console.log(value.id)`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
  expect({ stdout, stderr }).toEqual({ stdout: 'u1\n', stderr: '' })
})

/** A database after the migrations. */
function emptyDatabase(): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  for (const file of readdirSync(migrations)
    .filter((name) => name.endsWith('.sql'))
    .sort()) {
    database.exec(readFileSync(join(migrations, file), 'utf8'))
  }
  return database
}

/** A temporary file of the test. */
function file(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

type Rows = Record<string, any>[]

/** Runs an import and a second write of its output. @returns the exit code and the tables */
async function imported(args: string[], database = emptyDatabase()) {
  const code = await run([...args, '--sql', out])
  const rows = (table: string) => database.prepare(`select * from ${table} order by id`).all() as Rows
  if (existsSync(out)) database.exec(readFileSync(out, 'utf8'))
  const tables = { users: rows('users'), accounts: rows('accounts'), twoFactors: rows('two_factors') }
  if (existsSync(out)) database.exec(readFileSync(out, 'utf8'))
  expect({ users: rows('users'), accounts: rows('accounts'), twoFactors: rows('two_factors') }).toEqual(tables)
  return { code, ...tables }
}

const hash = '$2b$10$abcdefghijklmnopqrstuunQyUw6zg0jclhYTlg5/zHyfwGycQZ8W'
const lines = (...objects: object[]) => objects.map((one) => `${JSON.stringify(one)}\n`).join('')

describe('auth0', () => {
  const users = lines(
    {
      user_id: 'auth0|5dea9f9c82dd7c0e76e4ec93',
      email: 'Ada@Example.com',
      email_verified: true,
      name: 'Ada',
      picture: 'https://example.com/a.png',
      created_at: '2019-12-06T18:36:12.412Z',
      identities: [
        {
          provider: 'auth0',
          user_id: '5dea9f9c82dd7c0e76e4ec93',
          connection: 'Username-Password-Authentication',
          isSocial: false,
        },
        { provider: 'google-oauth2', user_id: '1077', connection: 'google-oauth2', isSocial: true },
      ],
      app_metadata: { plan: 'pro' },
    },
    {
      user_id: 'oauth2|acme-sso|77',
      email: 'bob@example.com',
      identities: [{ provider: 'oauth2', user_id: 'acme-sso|77', connection: 'acme-sso', isSocial: true }],
      blocked: true,
    },
    {
      user_id: 'sms|1',
      phone_number: '+4915112345678',
      phone_verified: true,
      identities: [{ provider: 'sms', user_id: '1', connection: 'sms' }],
    },
  )
  const hashes = lines({
    _id: { $oid: '5dea9f9c82dd7c0e76e4ec93' },
    email: 'ada@example.com',
    email_verified: true,
    passwordHash: hash,
    connection: 'Username-Password-Authentication',
  })

  it('moves users, identities, hashes and fields', async () => {
    const {
      code,
      users: people,
      accounts,
    } = await imported([
      'auth0',
      file('users.ndjson', users),
      '--passwords',
      file('hashes.ndjson', hashes),
      '--field',
      'plan=app_metadata.plan',
      '--provider',
      'acme-sso=acme',
    ])
    expect(code).toBe(2)
    expect(said.err).toContain('sms|1: identity of sms: no --provider for it')
    const ada = people.find(({ email }) => email === 'ada@example.com')!
    expect(ada).toMatchObject({
      name: 'Ada',
      email_verified: 1,
      image: 'https://example.com/a.png',
      additional_fields: '{"plan":"pro"}',
      created_at: Date.parse('2019-12-06T18:36:12.412Z'),
    })
    expect(people.find(({ email }) => email === 'bob@example.com')).toMatchObject({ banned: 1, email_verified: 0 })
    expect(people.find(({ phone_number }) => phone_number)).toMatchObject({
      phone_number: '+4915112345678',
      phone_number_verified: 1,
      email_is_placeholder: 1,
    })
    expect(accounts.map(({ provider_id, account_id, password }) => [provider_id, account_id, password]).sort()).toEqual(
      [
        ['acme', '77', null],
        ['credential', ada.id, hash],
        ['google', '1077', null],
      ],
    )
    expect(said.out).toContain("'$2b$10$....................................................")
  })

  it('accepts the export of hashes alone', async () => {
    const rows = lines({
      _id: { $oid: '1' },
      alt_id: 'euclid',
      passwordHash: hash,
      identifiers: [{ type: 'email', value: 'e@example.com', verified: true }],
    })
    const { code, users, accounts } = await imported(['auth0', file('only.ndjson', rows)])
    expect(code).toBe(0)
    expect(users).toEqual([expect.objectContaining({ email: 'e@example.com', email_verified: 1 })])
    expect(accounts).toEqual([expect.objectContaining({ password: hash, user_id: users[0]!.id })])
  })
})

describe('a source of JSON', () => {
  it.each(['auth0', 'firebase', 'clerk'])('refuses another form in one sentence: %s', async (source) => {
    const csv = file('other.txt', 'id,email\nuser_1,ada@example.com\nuser_2,"bob {"\n')
    expect(await run([source, csv])).toBe(1)
    expect(said.err).toContain('other.txt: is not JSON: it begins with "id,email"')
    expect(said.err.trim().split('\n').length).toBeLessThanOrEqual(2)
  })
})

describe('clerk', () => {
  const header =
    'id,first_name,last_name,username,primary_email_address,primary_phone_number,verified_email_addresses,unverified_email_addresses,verified_phone_numbers,unverified_phone_numbers,totp_secret,password_digest,password_hasher'

  it('moves the CSV of the dashboard', async () => {
    const csv = `${header}\nuser_1,Ada,"Lovelace, Countess",ada,ada@example.com,,ada@example.com,,,,JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP,${hash},bcrypt\nuser_2,Bob,,,bob@example.com,+14155550100,,bob@example.com,,+14155550100,,5f4dcc3b5aa765d61d8327deb882cf99,md5\n`
    const { code, users, accounts, twoFactors } = await imported(['clerk', file('users.csv', csv)])
    expect(code).toBe(2)
    expect(said.err).toContain('user_2: password: a hash of an unknown form')
    expect(users).toMatchObject([
      { id: 'user_1', name: 'Ada Lovelace, Countess', username: 'ada', email_verified: 1, two_factor_enabled: 1 },
      { id: 'user_2', email_verified: 0, phone_number: '+14155550100', phone_number_verified: 0 },
    ])
    expect(accounts).toMatchObject([{ user_id: 'user_1', password: hash }])
    expect(await open([secret], twoFactors[0]!.secret)).toBe('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')
  })

  it('moves a user who has a username and a password only, and skips one without the password', async () => {
    const csv = `${header}\nuser_1,,,Ada_1,,,,,,,,${hash},bcrypt\nuser_2,,,bob,,,,,,,,,\n`
    const { code, users, accounts } = await imported(['clerk', file('names.csv', csv)])
    expect(code).toBe(2)
    expect(said.err).toContain('user_2: has no sign-in method')
    expect(users).toMatchObject([{ id: 'user_1', name: 'Ada_1', username: 'ada_1', email_is_placeholder: 1 }])
    expect(accounts).toMatchObject([{ user_id: 'user_1', provider_id: 'credential', password: hash }])
  })

  it("moves the API's JSON", async () => {
    const json = JSON.stringify([
      {
        id: 'user_1',
        first_name: 'Ada',
        last_name: null,
        primary_email_address_id: 'idn_2',
        email_addresses: [
          { id: 'idn_1', email_address: 'old@example.com', verification: { status: 'verified' } },
          { id: 'idn_2', email_address: 'ada@example.com', verification: { status: 'verified' } },
        ],
        phone_numbers: [],
        external_accounts: [
          { provider: 'oauth_google', provider_user_id: '1077' },
          { provider: 'oauth_notion', provider_user_id: 'x' },
        ],
        public_metadata: { plan: 'pro' },
        created_at: 1_700_000_000_000,
      },
    ])
    const { users, accounts } = await imported([
      'clerk',
      file('users.json', json),
      '--field',
      'plan=public_metadata.plan',
    ])
    expect(users).toMatchObject([
      { email: 'ada@example.com', created_at: 1_700_000_000_000, additional_fields: '{"plan":"pro"}' },
    ])
    expect(accounts).toMatchObject([{ provider_id: 'google', account_id: '1077' }])
    expect(said.err).toContain('identity of notion')
  })
})

describe('firebase', () => {
  const key = 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=='
  const document = JSON.stringify(
    {
      users: [
        {
          localId: 'V358E8h28EMMNqkg5dVVrXoPHb12',
          email: 'ada@example.com',
          emailVerified: true,
          passwordHash: 'lSrfV15cpx95_sZS2W9c9Kp6i_LVgQNDNC_qzrCnh1SAyZvqmZqAjTdn3aoItz-VHjoZilo78198JAdRuid5lQ==',
          salt: '42xEC-ixf3L2lw==',
          displayName: 'Ada {"}',
          createdAt: '1486324799000',
          providerUserInfo: [
            { providerId: 'google.com', rawId: '1077', email: 'ada@example.com' },
            { providerId: 'password', rawId: 'ada@example.com' },
          ],
        },
        { localId: 'anonymous1', createdAt: '1486324799000', providerUserInfo: [] },
      ],
    },
    null,
    2,
  )

  it('moves users, and their hashes with the parameters of the project', async () => {
    vi.stubEnv('GATEHOUSE_SIGNER_KEY', key)
    const { code, users, accounts } = await imported([
      'firebase',
      file('firebase.json', document),
      '--salt-separator',
      'Bw==',
    ])
    expect(code).toBe(2)
    expect(said.err).toContain('anonymous1: has no sign-in method')
    expect(users).toMatchObject([
      { id: 'V358E8h28EMMNqkg5dVVrXoPHb12', name: 'Ada {"}', created_at: 1_486_324_799_000 },
    ])
    expect(accounts.map(({ provider_id }) => provider_id).sort()).toEqual(['credential', 'google'])
    expect(accounts.find(({ password }) => password)!.password).toBe(
      `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=${key}$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==`,
    )
    // The sample for the configuration does not have the project's key.
    expect(said.out).toContain('sk=AAAA')
    expect(said.out).not.toContain(key)
  })

  it('reports passwords that it cannot import without the parameters', async () => {
    const { users } = await imported(['firebase', file('firebase.json', document)])
    expect(users).toHaveLength(1)
    expect(said.err).toContain('password: the signer key (GATEHOUSE_SIGNER_KEY) is missing')
  })
})

describe('supabase', () => {
  const dump = `--
-- PostgreSQL database dump
--
SET statement_timeout = 0;
CREATE FUNCTION auth.uid() RETURNS uuid LANGUAGE sql AS $$ select 'it''s; fine' $$;

COPY auth.identities (provider_id, user_id, identity_data, provider, id) FROM stdin;
1077\t11111111-1111-4111-8111-111111111111\t{"sub": "1077"}\tgoogle\taaaa
11111111-1111-4111-8111-111111111111\t11111111-1111-4111-8111-111111111111\t{}\temail\tbbbb
\\.

COPY auth.users (id, email, encrypted_password, email_confirmed_at, phone, phone_confirmed_at, raw_user_meta_data, raw_app_meta_data, created_at, updated_at, banned_until, is_anonymous, deleted_at) FROM stdin;
11111111-1111-4111-8111-111111111111\tada@example.com\t${hash}\t2024-01-01 10:00:00+00\t4915112345678\t\\N\t{"full_name": "Ada\\\\tL", "avatar_url": "https://example.com/a.png"}\t{"plan": "pro"}\t2024-01-01 10:00:00.5+00\t2024-01-02 10:00:00+00\t\\N\tf\t\\N
22222222-2222-4222-8222-222222222222\t\\N\t\\N\t\\N\t\\N\t\\N\t{}\t{}\t2024-01-01 10:00:00+00\t\\N\t\\N\tt\t\\N
33333333-3333-4333-8333-333333333333\tgone@example.com\t\\N\t\\N\t\\N\t\\N\t{}\t{}\t2024-01-01 10:00:00+00\t\\N\t\\N\tf\t2024-02-02 10:00:00+00
\\.
`

  it('moves a dump of Postgres', async () => {
    const { users, accounts } = await imported([
      'supabase',
      file('supabase.sql', dump),
      '--field',
      'plan=raw_app_meta_data.plan',
    ])
    expect(users).toMatchObject([
      {
        id: '11111111-1111-4111-8111-111111111111',
        email_verified: 1,
        name: 'Ada L',
        phone_number: '+4915112345678',
        phone_number_verified: 0,
        created_at: Date.parse('2024-01-01T10:00:00.5Z'),
        additional_fields: '{"plan":"pro"}',
      },
    ])
    expect(accounts.map(({ provider_id, account_id, password }) => [provider_id, account_id, password]).sort()).toEqual(
      [
        ['credential', '11111111-1111-4111-8111-111111111111', hash],
        ['google', '1077', null],
      ],
    )
    expect(said.err).toContain('is a guest')
    expect(said.err).toContain('was deleted')
  })

  it('moves CSV, with the identities beside it', async () => {
    const users = `id,email,encrypted_password,email_confirmed_at,raw_user_meta_data,created_at\n1111,ada@example.com,${hash},,"{""name"": ""Ada""}",2024-01-01 10:00:00+00\n`
    const identities = `provider_id,user_id,identity_data,provider\n42,1111,{},github\n`
    const { accounts, users: people } = await imported([
      'supabase',
      file('users.csv', users),
      '--identities',
      file('identities.csv', identities),
    ])
    expect(people).toMatchObject([{ id: '1111', name: 'Ada', email_verified: 0 }])
    expect(accounts.map(({ provider_id }) => provider_id).sort()).toEqual(['credential', 'github'])
  })
})

describe('better-auth', () => {
  const ours = `${'0'.repeat(32)}:${'a'.repeat(128)}`

  it('moves an export of D1, and a dump of Postgres with INSERT', async () => {
    const d1 = `PRAGMA defer_foreign_keys=TRUE;
CREATE TABLE user (id text primary key, name text not null, email text, email_verified integer, created_at integer, updated_at integer);
INSERT INTO "user" VALUES('u1','O''Hara; "x"','ada@example.com',1,1700000000,1700000000);
CREATE TABLE IF NOT EXISTS "account" ("id" text, "accountId" text, "providerId" text, "userId" text, "password" text);
INSERT INTO "account" ("id","accountId","providerId","userId","password") VALUES('a1','u1','credential','u1','${ours}');
INSERT INTO account VALUES('a2','1077','google','u1',NULL);
`
    const first = await imported(['better-auth', file('d1.sql', d1)])
    expect(first.code).toBe(0)
    expect(first.users).toMatchObject([
      { id: 'u1', name: `O'Hara; "x"`, email_verified: 1, created_at: 1_700_000_000_000 },
    ])
    expect(first.accounts.map(({ provider_id, password }) => [provider_id, password]).sort()).toEqual([
      ['credential', ours],
      ['google', null],
    ])
    // The hash is now in our format: no configuration is needed.
    expect(said.out).not.toContain('importedHashes')

    const postgres = `INSERT INTO public."user" (id, name, email, "emailVerified", "createdAt") VALUES
  ('u1', E'Ada\\nL', 'ada@example.com', true, '2024-01-01 10:00:00+00'),
  ('u2', 'Bob', 'bob@example.com', false, '2024-01-01 10:00:00+00');
`
    const second = await imported(['better-auth', file('pg.sql', postgres)])
    expect(second.users).toMatchObject([
      { name: 'Ada L', email_verified: 1 },
      { name: 'Bob', email_verified: 0 },
    ])
  })

  it('leaves incomplete rows behind, and not the rest with them', async () => {
    const sql = `INSERT INTO "user" ("id","name","email","createdAt") VALUES('u1','Ada','ada@example.com',99999999999999);
INSERT INTO "organization" ("id","name","slug","metadata") VALUES('o1','Acme','acme','no json');
INSERT INTO "organization" ("id","name","slug") VALUES('o2','Nameless',NULL);
INSERT INTO "member" ("id","organizationId","userId","role") VALUES('m1','o1','u1','owner');
INSERT INTO "member" ("id","organizationId","userId","role") VALUES('m2','o2','u1','owner');
INSERT INTO "member" ("id","organizationId","userId","role") VALUES('m3','o1','u9','owner');
INSERT INTO "session" ("id","token","userId","expiresAt","activeOrganizationId") VALUES('s1','t1','u1','2999-01-01T00:00:00.000Z','o2');
INSERT INTO "session" ("id","token","userId","expiresAt") VALUES('s2','t2','u1','2001-01-01T00:00:00.000Z');
`
    const database = emptyDatabase()
    const { code, users } = await imported(['better-auth', file('incomplete.sql', sql)], database)
    expect(code).toBe(2)
    expect(users).toHaveLength(1)
    expect(database.prepare('select id, metadata from organizations').all()).toEqual([{ id: 'o1', metadata: null }])
    expect(database.prepare('select id from members').all()).toEqual([{ id: 'm1' }])
    expect(database.prepare('select id, active_organization_id from sessions').all()).toEqual([
      { id: 's1', active_organization_id: null },
    ])
    expect(said.out).toContain('The cookies of 1 sessions are valid while GATEHOUSE_PREVIOUS_SECRETS has the secret')
    expect(said.err).toContain('o2: organization: has no slug')
    expect(said.err).toContain('m3: member: its user was not imported')
  })

  it('moves keys, clients, consents and tokens, and reports which parts it leaves', async () => {
    const plain = 'acme_a-key-that-was-stored-as-it-is-0123456789-0123456789-0123456789'
    const [past, future] = ['2001-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z']
    const insert = (table: string, row: Record<string, string | number>) =>
      `INSERT INTO "${table}" ("${Object.keys(row).join('","')}") VALUES('${Object.values(row).join("','")}');\n`
    const key = (id: string, row: object = {}) => insert('apikey', { id, key: `stored-as-${id}`, userId: 'u1', ...row })
    const client = (id: string, row: object) => insert('oauthApplication', { id, clientId: `of-${id}`, ...row })
    const consent = (id: string, scopes: string, consentGiven: number) =>
      insert('oauthConsent', { id, clientId: 'of-c1', userId: 'u1', scopes, consentGiven })
    const token = (id: string, scopes: string, accessTokenExpiresAt: string) =>
      insert('oauthAccessToken', {
        ...{ id, accessToken: `access-${id}`, refreshToken: `refresh-${id}`, clientId: 'of-c1', userId: 'u1', scopes },
        ...{ accessTokenExpiresAt, refreshTokenExpiresAt: future },
      })
    const good = 'https://a.example/callback'
    const sql = [
      insert('user', { id: 'u1', name: 'Ada', email: 'ada@example.com' }),
      key('k1', { key: plain, enabled: 1, metadata: '"{\\"a\\":1}"', rateLimitEnabled: 0 }),
      key('k2', { expiresAt: past }),
      key('k3', { permissions: '{"files":"read"}' }),
      key('k4', { userId: 'u9' }),
      key('k5', { enabled: 0, permissions: '{"files":["read"]}', expiresAt: future }),
      client('c1', {
        name: 'Reports',
        clientSecret: 'their secret',
        redirectURLs: `${good},http://b.example`,
        type: 'web',
      }),
      client('c2', { clientSecret: '', redirectURLs: 'com.example.app:/callback', type: 'public', userId: 'u9' }),
      ...[consent('o1', 'openid', 1), consent('o2', 'openid email', 1), consent('o3', 'profile', 0)],
      ...[token('t1', 'openid', past), token('t2', 'openid', future), token('t3', 'openid offline_access', past)],
    ].join('')
    const database = emptyDatabase()
    const { code } = await imported(['better-auth', file('keys.sql', sql)], database)
    expect(code).toBe(2)
    expect(said.err.match(/^ {2}.+/gm)).toEqual([
      '  k3: apiKey: its permissions cannot be read',
      '  k4: apiKey: its user was not imported',
      '  c1: oauthClient: redirect URI http://b.example must be https',
    ])
    const all = (query: string) => database.prepare(query).all()
    expect(all('select id, key_hash, enabled, access, permissions, metadata from api_keys order by id')).toEqual([
      { id: 'k1', key_hash: sha256(plain), enabled: 1, access: 'full', permissions: null, metadata: '{"a":1}' },
      {
        ...{ id: 'k5', key_hash: sha256('stored-as-k5'), enabled: 0, access: 'read-only' },
        ...{ permissions: '{"files":["read"]}', metadata: null },
      },
    ])
    const chosen = emptyDatabase()
    await imported(['better-auth', file('keys.sql', sql), '--key-access', 'verify-only'], chosen)
    expect(chosen.prepare('select distinct access from api_keys').all()).toEqual([{ access: 'verify-only' }])
    expect((await imported(['better-auth', file('keys.sql', sql), '--key-access', 'all'])).code).toBe(1)
    const columns = 'client_id, name, client_secret, redirect_urls, authentication_scheme, user_id'
    expect(all(`select ${columns} from oauth_applications order by id`).map((row) => Object.values(row))).toEqual([
      ['of-c1', 'Reports', sha256('their secret'), `["${good}"]`, 'client_secret_basic', null],
      ['of-c2', 'Unnamed application', null, '["com.example.app:/callback"]', 'none', null],
    ])
    expect(all('select scopes, client_name from oauth_consents')).toEqual([
      { scopes: 'openid email', client_name: 'Reports' },
    ])
    expect(all('select id, access_token, refresh_token from oauth_access_tokens order by id')).toEqual([
      { id: 't2', access_token: sha256('access-t2'), refresh_token: null },
      { id: 't3', access_token: sha256('access-t3'), refresh_token: sha256('refresh-t3') },
    ])
  })

  it('reports second factors that the old secret does not open', async () => {
    const sql = `INSERT INTO "user" ("id","name","email","twoFactorEnabled") VALUES('u1','Ada','ada@example.com',1);
INSERT INTO "twoFactor" ("id","secret","backupCodes","userId") VALUES('t1','00ff','00ff','u1');
`
    vi.stubEnv('BETTER_AUTH_SECRET', 'not-the-secret')
    const { users, twoFactors } = await imported(['better-auth', file('two.sql', sql)])
    expect(users).toMatchObject([{ two_factor_enabled: 0 }])
    expect(twoFactors).toEqual([])
    expect(said.err).toContain('u1: second factor: BETTER_AUTH_SECRET does not open it')
  })
})

describe('skipped records', () => {
  const user = (id: string, more: object) => ({ user_id: id, email: `${id}@example.com`, ...more })

  it('bad rows are reported, and the rows after them are read', async () => {
    const rows = [
      JSON.stringify(user('a', {})),
      '{"user_id": "b", "email": "b@exam',
      '{"user_id": }',
      '{"user_id": "y", "identities": [{"provider": "x"}',
      'not json at all',
      JSON.stringify(user('c', {})),
      JSON.stringify(user('d', { email: 'no address' })),
      JSON.stringify({ email: 'e@example.com' }),
      JSON.stringify(user('f', { email: 'A@EXAMPLE.com' })),
      JSON.stringify(user('c', { email: 'other@example.com' })),
      JSON.stringify(user('g', { username: 'ada' })),
      JSON.stringify(user('h', { username: 'Ada', phone_number: '0151' })),
      JSON.stringify(user('i', { passwordHash: '$2b$14$abcdefghijklmnopqrstuunQyUw6zg0jclhYTlg5/zHyfwGycQZ8W' })),
      JSON.stringify(user('j', { name: "x'); DROP TABLE users; --\u0000\n" })),
      '{"user_id": "z", "email": "z@example.com"',
    ]
    const report = join(folder, 'report.ndjson')
    const { code, users } = await imported(['auth0', file('bad.ndjson', rows.join('\n')), '--report', report])
    expect(code).toBe(2)
    expect(users).toMatchObject([
      { id: 'a', name: 'a' },
      { id: 'c', name: 'c' },
      { id: 'g', name: 'g' },
      { id: 'h', name: 'h' },
      { id: 'i', name: 'i' },
      { id: 'j', name: "x'); DROP TABLE users; --" },
    ])
    const told = readFileSync(report, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(told.map(({ what, reason }) => `${what}: ${reason}`)).toEqual([
      'record 2: invalid JSON',
      'record 3: invalid JSON',
      'record 4: invalid JSON',
      'd: invalid email address',
      'record 7: has no id',
      'f: duplicate address',
      'c: duplicate id',
      'h: phone number: is not E.164',
      'h: username: duplicate',
      'i: password: bcrypt cost 14 is over 12',
      'record 14: invalid JSON',
    ])
  })

  it('a record without end is not kept in memory, and a broken dump is reported', async () => {
    const endless = file(
      'endless.ndjson',
      `${JSON.stringify(user('a', {}))}\n{"user_id":"b","x":"${'x'.repeat(5_000_000)}"}\n`,
    )
    const { users } = await imported(['auth0', endless])
    expect(users).toHaveLength(1)
    expect(said.err).toContain('record 2: is longer than 4 MiB')
    const broken = file(
      'broken.sql',
      `INSERT INTO "user" ("id","email") VALUES('a','a@example.com');\nINSERT INTO "user" VALUES ('b`,
    )
    expect((await imported(['better-auth', broken])).users).toHaveLength(1)
    expect(said.err).toContain('is where the file ends')
  })

  it('a line without its first brace is reported, and other values of a document are not records', async () => {
    const headless = `"user_id":"b","email":"b@example.com"}\n`
    const { users } = await imported(['auth0', file('headless.ndjson', headless + lines(user('a', {})))])
    expect(users).toHaveLength(1)
    expect(said.err).toContain('record 1: invalid JSON')
    const document = '{"meta": {"n": 1}, "users": [{"localId": "1", "email": "a@example.com"}], "rest": {"n": 2}}'
    expect((await imported(['firebase', file('document.json', document)])).code).toBe(0)
  })

  it('a broken row of any table of a dump is reported once', async () => {
    const sql = `INSERT INTO user (id, email) VALUES('a','a@example.com');\nINSERT INTO account (id, userId) VALUES(?);\n`
    expect((await imported(['better-auth', file('account.sql', sql)])).code).toBe(2)
    expect(said.err.match(/^ {2}.+/gm)).toEqual(['  line 2: is not a row of the table'])
  })

  it('constraints and comments of a table are not columns', async () => {
    const sql = `CREATE TABLE user (
  id text, -- the user's id, as text
  email text,
  CONSTRAINT short CHECK (length(id) < 99),
  PRIMARY KEY (id), UNIQUE (email), FOREIGN KEY (id) REFERENCES other (id)
);
INSERT INTO user VALUES('a','a@example.com');
`
    const { code, users } = await imported(['better-auth', file('constraints.sql', sql)])
    expect({ code, users }).toMatchObject({ code: 0, users: [{ id: 'a', email: 'a@example.com' }] })
  })

  it('a row that D1 would reject is skipped without its chunk', async () => {
    const sql = `INSERT INTO user (id, email, banReason) VALUES('a','a@example.com','${'é'.repeat(50_000)}');
INSERT INTO user (id, email) VALUES('b','b@example.com');
`
    const { users } = await imported(['better-auth', file('long.sql', sql)])
    expect(users).toMatchObject([{ id: 'b' }])
    expect(said.err).toContain('a: users: is longer than the 100 KB that D1 takes')
  })

  it('finds rows that were not written, and not those that were removed since', async () => {
    const database = emptyDatabase()
    const rows = lines(user('gone', {}), user('here', {}))
    await imported(['auth0', file('removed.ndjson', rows)], database)
    database.exec("delete from users where id = 'gone'")
    const asked = ['gone', 'here', "o'hara", ...Array.from({ length: 5000 }, (_, n) => `never-there-${n}`)]
    const queries = leftBehind(asked.map((id) => ({ table: 'users', id, values: {}, needs: [] })))
    expect(queries.map(({ length }) => length < 100_000)).toEqual([true, true])
    const names = queries.flatMap((sql) => database.prepare(sql).all() as { name: string }[])
    expect(names).toHaveLength(5001)
    expect(names[0]).toEqual({ name: "users:o'hara" })
  })

  it('an existing user is unchanged, and gets no way in of another', async () => {
    const database = emptyDatabase()
    database.exec(
      "insert into users (id, name, email, created_at, updated_at) values ('ours', 'Ours', 'a@example.com', 1, 1)",
    )
    const rows = lines(user('a', { passwordHash: hash, identities: [{ provider: 'google-oauth2', user_id: '1' }] }))
    const { users, accounts } = await imported(['auth0', file('taken.ndjson', rows)], database)
    expect(users).toMatchObject([{ id: 'ours', name: 'Ours' }])
    expect(accounts).toEqual([])
  })

  it('a user gets at most 50 linked accounts', async () => {
    const identities = Array.from({ length: 52 }, (_, n) => ({ provider: 'google-oauth2', user_id: `${n}` }))
    const rows = lines(user('a', { passwordHash: hash, identities }))
    const { accounts } = await imported(['auth0', file('many.ndjson', rows)])
    expect(accounts).toHaveLength(1 + 50)
    expect(said.err.match(/identity of google: a user has at most 50 linked accounts/g)).toHaveLength(2)
  })

  it('what ended after the import does not come back with the next one', async () => {
    const database = emptyDatabase()
    const rows = file(
      'back.ndjson',
      lines(user('a', { passwordHash: hash, identities: [{ provider: 'google-oauth2', user_id: '1' }] })),
    )
    await imported(['auth0', rows], database)
    database.exec("delete from accounts where provider_id = 'google'")
    const { accounts } = await imported(['auth0', rows], database)
    expect(accounts).toMatchObject([{ provider_id: 'credential' }])
  })
})

describe('the command', () => {
  it('writes nothing without a target', async () => {
    const code = await run(['auth0', file('dry.ndjson', lines({ user_id: 'a', email: 'a@example.com' }))])
    expect(code).toBe(0)
    expect(said.out).toContain('Would be written:\n  users           1')
  })

  it('keeps what it writes from others, also where a file was before', async () => {
    const report = file('report-of-before.ndjson', '')
    writeFileSync(out, '', { mode: 0o644 })
    await run(['auth0', file('modes.ndjson', lines({ user_id: 'a' })), '--sql', out, '--report', report])
    expect([out, report].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600])
    expect(said.out).toContain(`Next: npx wrangler d1 execute DB --local --file ${out}`)
  })

  it('refuses to leave second factors unsealed', async () => {
    vi.stubEnv('GATEHOUSE_SECRET', '')
    const csv = file(
      'totp.csv',
      'id,primary_email_address,totp_secret\n1,a@example.com,JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP\n',
    )
    expect(await run(['clerk', csv, '--sql', out])).toBe(1)
    expect(said.err).toContain('GATEHOUSE_SECRET')
  })

  it.each([
    [[], "missing required argument 'source'\nNext: npx gatehouse-auth import --help"],
    [['auth0'], "missing required argument 'file'"],
    [
      ['okta', 'x'],
      "'okta' is invalid for argument 'source'. Allowed choices are better-auth, auth0, clerk, supabase, firebase.",
    ],
    [['__proto__', 'x'], "'__proto__' is invalid for argument 'source'"],
    [['auth0', 'missing.ndjson'], 'missing.ndjson'],
    [['clerk', 'missing.csv'], 'missing.csv'],
    [['supabase', 'missing.sql'], 'missing.sql'],
    [['auth0', file('empty.ndjson', '\n')], 'No users were found in'],
    [['firebase', file('other.json', '{"people": [{"localId": "1"}]}')], 'check that it is an export of firebase'],
    [['clerk', file('semicolons.csv', 'id;first_name\n1;Ada\n')], 'has no column id. Its first line is: id;first_name'],
    [['auth0', file('latin1.ndjson', Buffer.from('{"user_id":"1","name":"Müller"}', 'latin1'))], 'is not UTF-8'],
    [['clerk', file('latin1.csv', Buffer.from('id,first_name\n1,Müller\n', 'latin1'))], 'is not UTF-8'],
    [['supabase', file('latin1.sql', Buffer.from('-- Müller\n', 'latin1'))], 'is not UTF-8'],
    [['auth0', 'x', '--sql', 'missing/out.sql'], 'missing/out.sql'],
    [['auth0', 'x', '--report', 'missing/report'], 'missing/report'],
    [['better-auth', 'missing.sqlite'], 'missing.sqlite'],
    [['auth0', 'x', '--local', '--remote'], "option '--local' cannot be used with option '--remote'"],
    [['auth0', 'x', '--sql', 'y', '--dry-run'], "option '--dry-run' cannot be used with option '--sql <file>'"],
    [['auth0', 'x', '--rounds', 'eight'], 'It must be a whole number from 1 to 100.'],
    [['auth0', 'x', '--nonsense'], "unknown option '--nonsense'\nNext:"],
    [['auth0', 'x', '--feild', 'a=b'], "unknown option '--feild'\n(Did you mean --field?)"],
    [
      ['auth0', 'x', '--key-access', 'full-'],
      "argument 'full-' is invalid. Allowed choices are full, read-only, verify-only.",
    ],
    [['auth0', 'x', '--field', 'plan'], 'write it as a=b'],
  ])('%j fails with a message', async (args, message) => {
    expect(await run(args)).toBe(1)
    expect(said.err).toContain(message)
  })
})

describe('secrets', () => {
  it.each([
    ['--secret', 'BETTER_AUTH_SECRET'],
    ['--signer-key', 'GATEHOUSE_SIGNER_KEY'],
  ])('%s is refused, with what to do instead', async (flag, variable) => {
    expect(await run(['better-auth', file('any.sql', ''), flag, 'hunter2-hunter2'])).toBe(1)
    expect(said.err).toContain(`${flag} is not accepted`)
    expect(said.err).toContain(variable)
    expect(said.err).not.toContain('hunter2')
  })
})
