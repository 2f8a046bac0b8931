import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seal } from '../../kit/encrypt.ts'
import { CliProduct } from '../../testing/cli-product.ts'

const product = new CliProduct()
const users = 100_000
/** Each of 100,000 rows is copied in two databases. */
const patient = { timeout: 1_200_000 }
const secret = 'the-secret-of-both-0123456789-0123456789'

async function execute(where: '--local' | '--remote', sql: string): Promise<Record<string, unknown>[]> {
  const { code, said } = await product.wrangler('d1', 'execute', 'DB', where, '--yes', '--json', '--command', sql)
  if (code !== 0) throw new Error(said)
  return (JSON.parse(said.slice(said.indexOf('['))) as { results: Record<string, unknown>[] }[]).at(-1)!.results
}

/** A key of tokens that a deployment with this secret makes. */
const tokenKey = async (own: string, id: string) =>
  `INSERT INTO jwks (id, alg, generation, public_key, private_key, created_at, signs_from) VALUES ('${id}', 'EdDSA', 1, '{}', '${await seal([own], 'private')}', 1, 2)`

beforeAll(async () => {
  await product.build()
  const id = createHash('md5').update('acme').digest('hex')
  const uuid = id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  product.change('wrangler.toml', '00000000-0000-0000-0000-000000000000', uuid)
  product.account = { ...product.account, databases: ['acme'] }
  for (const where of ['--local', '--remote']) await product.wrangler('d1', 'migrations', 'apply', 'DB', where)
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${users})`
  const statements = [
    `INSERT INTO users (id, name, email, created_at, updated_at) ${numbers} SELECT 'u' || i, 'It''s "ü"; ' || char(10) || i, 'u' || i || '@acme.com', i, i FROM n`,
    `INSERT INTO accounts (id, provider_id, account_id, user_id, password, created_at, updated_at) ${numbers} SELECT 'a' || i, 'credential', 'u' || i, 'u' || i, 'hash' || i, i, i FROM n`,
    "INSERT INTO avatars (user_id, name, bytes, created_at) VALUES ('u7', 'n', X'00FF10', 1)",
    "INSERT INTO audit_records (seq, id, created_at, action, actor_type, subject_type) VALUES (5, 'r', 1, 'ban-user', 'system', 'user')",
    "UPDATE sqlite_sequence SET seq = 9 WHERE name = 'audit_records'",
    await tokenKey(secret, 'theirs'),
  ]
  for (const sql of statements) await execute('--local', sql)
}, patient.timeout)
afterAll(() => product.close())

/** What both databases must have in common. */
async function stateOf(where: '--local' | '--remote') {
  const sums = ['users', 'accounts', 'avatars', 'audit_records', 'jwks', 'sessions'].map(
    (name) => `(SELECT count(*) FROM ${name}) AS ${name}`,
  )
  const values = [
    "(SELECT value FROM table_counts WHERE name = 'users') AS counted",
    "(SELECT seq FROM sqlite_sequence WHERE name = 'audit_records') AS sequence",
    '(SELECT hex(bytes) FROM avatars) AS bytes',
    "(SELECT rowid || name || typeof(created_at) || coalesce(role, '-') || coalesce(image, 'null') FROM users WHERE id = 'u99') AS user",
    '(SELECT sum(created_at) FROM users) AS sum',
    '(SELECT private_key FROM jwks) AS sealed',
  ]
  return (await execute(where, `SELECT ${[...sums, ...values].join(', ')}`))[0]
}

const file = 'all.ndjson.gz'

/** Runs a command until `isInside`, and lets the database fail then. */
async function interrupted(where: '--local' | '--remote', words: string[], isInside: () => Promise<boolean>) {
  const running = product.run(...words)
  await expect.poll(isInside, { interval: 20 }).toBe(true)
  await execute(where, 'ALTER TABLE accounts RENAME TO hidden')
  const end = await running
  await execute(where, 'ALTER TABLE hidden RENAME TO accounts')
  return end
}

describe('gatehouse backup', patient, () => {
  it('continues after an interruption, and has every row once', async () => {
    const notes = product.path(`${file}.partial.json`)
    const first = await interrupted('--local', ['backup', file], async () => {
      return existsSync(notes) && readFileSync(notes, 'utf8').includes('"users":{')
    })
    expect(first).toMatchObject({ code: 1, said: expect.stringContaining('\nNext: ') })
    expect(existsSync(product.path(file))).toBe(false)
    // The end of a page that was not written completely.
    writeFileSync(product.path(`${file}.partial`), 'half a page', { flag: 'a' })
    const { code, said } = await product.run('backup', file)
    expect({ code, said }).toEqual({ code: 0, said: expect.stringMatching(/continues after [1-9]\d* rows/) })
    expect(said).toMatch(/^users +100000 {2}[0-9a-f]{16}$/m)
    expect(said).toMatch(/^accounts +100000 {2}[0-9a-f]{16}$/m)
    expect(statSync(product.path(file)).mode & 0o77).toBe(0)
    expect(existsSync(notes)).toBe(false)
    const lines = gunzipSync(readFileSync(product.path(file)))
      .toString()
      .trim()
      .split('\n')
    expect(new Set(lines).size).toBe(lines.length)
    expect(await product.run('backup', file)).toMatchObject({ code: 1, said: expect.stringContaining('exists') })
  })

  it('does not contain what its secret has sealed, and names the secret by a fingerprint', () => {
    const text = gunzipSync(readFileSync(product.path(file))).toString()
    expect(text).not.toContain('"private"')
    expect(text).not.toContain(secret)
    expect(JSON.parse(text.trim().split('\n').at(-1)!).secrets).toEqual([expect.stringMatching(/^[\w-]{8}$/)])
  })
})

describe('gatehouse restore', patient, () => {
  const restore = (name = file) => product.run('restore', name, '--remote')

  it('refuses a file that is not complete, or was changed', async () => {
    const whole = gunzipSync(readFileSync(product.path(file))).toString()
    const variants: [name: string, content: Buffer | string, said: string][] = [
      ['short', readFileSync(product.path(file)).subarray(0, -40), 'is not a complete backup'],
      ['changed', gzipSync(whole.replace('u99@acme.com', 'eve@acme.com')), 'the checksum of users differs'],
      ['fewer', gzipSync(whole.replace(/^\[\d+,99,"u99".*\n/m, '')), 'users has 99999 rows of 100000'],
      ['text', 'no gzip', 'is not a complete backup'],
      ['other', gzipSync('{}\n'), 'is not a backup of Gatehouse'],
    ]
    for (const [name, content, said] of variants) {
      writeFileSync(product.path(name), content)
      expect(await restore(name)).toMatchObject({ code: 1, said: expect.stringContaining(said) })
    }
  })

  it('refuses a deployment with another secret or other migrations, and one that is not empty', async () => {
    expect((await restore()).said).toContain('has not sealed anything yet')
    await execute('--remote', await tokenKey('another-secret-0123456789-0123456789-00', 'own'))
    expect((await restore()).said).toContain('has another secret')
    await execute('--remote', 'DELETE FROM jwks')
    await execute('--remote', await tokenKey(secret, 'own'))
    await execute('--remote', "INSERT INTO d1_migrations (name) VALUES ('9999_later.sql')")
    expect((await restore()).said).toContain('and the deployment 9999_later.sql.\nNext: install gatehouse-auth')
    await execute('--remote', "DELETE FROM d1_migrations WHERE name = '9999_later.sql'")
    await execute(
      '--remote',
      "INSERT INTO users (id, name, email, created_at, updated_at) VALUES ('x', 'X', 'x@acme.com', 1, 1)",
    )
    expect((await restore()).said).toContain('The deployment is not empty: users.')
    await execute('--remote', 'DELETE FROM users')
  })

  it('writes 100,000 users, also after an interruption: both databases are equal', async () => {
    const first = await interrupted('--remote', ['restore', file, '--remote'], async () => {
      const begun = await execute('--remote', "SELECT count(*) AS n FROM sqlite_master WHERE name = 'restored_backup'")
      if (begun[0]!.n === 0) return false
      return (await execute('--remote', 'SELECT count(*) AS n FROM restored_backup WHERE last_row > 0'))[0]!.n === 1
    })
    expect(first).toMatchObject({ code: 1, said: expect.stringContaining('\nNext: ') })
    const { code, said } = await restore()
    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('Continues in ') })
    expect(said).toMatch(/^users +100000$/m)
    expect(said).toContain('recover --restored-to ')
    expect(await stateOf('--remote')).toEqual(await stateOf('--local'))
    expect((await restore()).said).toContain('The deployment is not empty')
  })
})

describe('gatehouse recover', patient, () => {
  it('gives the Worker the command once, and prints the progress', async () => {
    await execute('--local', "UPDATE users SET role = 'admin' WHERE id = 'u5'")
    await execute(
      '--local',
      "INSERT INTO jobs (id, kind, payload, attempts, next_at, state, created_at) VALUES ('m', 'mail', 'x', 0, 1, 'pending', 1)",
    )
    const time = new Date(Date.now() - 60_000).toISOString()
    expect((await product.run('recover', '--status')).said).toContain('There has been no recovery.\nNext: ')
    expect((await product.run('recover', '--restored-to', time)).said).toContain('Nothing was changed.')
    const { code, said } = await product.run('recover', '--restored-to', time, '--yes')
    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('mail: 1 not repeated') })
    expect(said).toContain('role admin: u5@acme.com (u5)')
    expect(await execute('--local', "SELECT state FROM jobs WHERE id = 'm'")).toEqual([{ state: 'failed' }])
    const again = await product.run('recover', '--restored-to', time, '--yes')
    expect(again).toMatchObject({ code: 1, said: expect.stringContaining('Another recovery has not finished.') })
    expect((await product.run('recover', '--status')).said).toContain('Step 1.\nNext: wait.')
    for (const [bad, message] of [
      ['2999-01-01', 'It must be in the past.'],
      ['yesterday', 'It must be a time such as'],
    ]) {
      expect((await product.run('recover', '--restored-to', bad!, '--yes')).said).toContain(message)
    }
  })
})
