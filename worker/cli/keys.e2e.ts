import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha256 } from '../kit/hash.ts'
import { hasKeyForm } from '../kit/key-form.ts'
import { CliProduct } from '../testing/cli-product.ts'

const product = new CliProduct()

beforeAll(async () => {
  await product.build()
  await product.wrangler('d1', 'migrations', 'apply', 'DB', '--local')
})
afterAll(() => product.close())

const keys = (...words: string[]) => product.run('keys', ...words, '--local')

async function rows(table: string): Promise<Record<string, unknown>[]> {
  const query = ['--json', '--command', `SELECT * FROM ${table}`]
  const { said } = await product.wrangler('d1', 'execute', 'DB', '--local', ...query)
  return (JSON.parse(said.slice(said.indexOf('['))) as [{ results: Record<string, unknown>[] }])[0].results
}

describe('gatehouse keys', () => {
  it('create: prints the key once, stores its hash, and writes the audit log', async () => {
    const options = ['--permissions', 'users:read, billing:read', '--expires', '90d', '--allow', '203.0.113.0/24']
    const { code, said } = await keys('create', '--name', "it's billing", ...options)
    const [key = ''] = /gh_sk_\w+/.exec(said) ?? []
    expect({ code, isKey: hasKeyForm(key) }).toEqual({ code: 0, isKey: true })
    const [row] = await rows('server_keys')
    expect(row).toMatchObject({
      name: "it's billing",
      start: key.slice(0, 10),
      key_hash: sha256(key),
      permissions: '["users:read","billing:read"]',
      addresses: '["203.0.113.0/24"]',
      created_by: null,
    })
    expect(Number(row!.expires_at) - Number(row!.created_at)).toBe(90 * 86_400_000)
    expect(await rows('audit_records')).toMatchObject([
      { action: 'create-server-key', actor_id: null, subject_id: row!.id },
    ])
    const listed = await keys('list')
    expect(listed.said).toContain(`it's billing  ${key.slice(0, 10)}…  expires `)
    expect(listed.said).not.toContain(key)
  })

  it('create and revoke: need the database, of which a wrong one is noticed late', async () => {
    const before = await rows('server_keys')
    for (const words of [
      ['create', '--name', 'x', '--permissions', 'users:read'],
      ['revoke', String(before[0]!.id)],
    ]) {
      const { code, said } = await product.run('keys', ...words)
      expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining('add --remote') })
    }
    expect(await rows('server_keys')).toEqual(before)
  })

  it('create: refuses a name that a key has', async () => {
    const { code, said } = await keys('create', '--name', "it's billing", '--permissions', 'users:read')
    expect(code).toBe(1)
    expect(said).toContain("A server key has the name it's billing already.")
    expect(said).toMatch(/keys revoke [\w-]+ --local/)
    expect(await rows('server_keys')).toHaveLength(1)
  })

  it.each([
    ['no name', ['--permissions', 'users:read'], "required option '--name <text>' not specified"],
    ['an unknown permission', ['--name', 'x', '--permissions', 'users:all'], 'unknown permission users:all.'],
    [
      'no duration',
      ['--name', 'x', '--permissions', 'users:read', '--expires', 'soon'],
      '--expires soon is not a duration.',
    ],
    [
      'no address',
      ['--name', 'x', '--permissions', 'users:read', '--allow', 'localhost'],
      '--addresses: must be an IP',
    ],
  ])(
    'create: refuses %s',
    async (_what, options, message) => {
      const { code, said } = await keys('create', ...options)
      expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining(message) })
    },
    60_000,
  )

  it('revoke: by name, once', async () => {
    expect(await keys('revoke', "it's billing")).toMatchObject({
      code: 0,
      said: expect.stringContaining('is revoked.'),
    })
    expect(await rows('server_keys')).toEqual([])
    expect((await keys('revoke', "it's billing")).said).toContain('No server key has the id or name')
    expect((await keys('list')).said).toContain('No server keys.')
  })
})

describe('gatehouse audit verify', () => {
  it('reads the local database, and names a record that was removed', async () => {
    const execute = (sql: string) => product.wrangler('d1', 'execute', 'DB', '--local', '--command', sql)
    const record = (seq: number) => `(${seq}, 'r${seq}', 1, 'ban-user', 'system', 'user')`
    await execute('DELETE FROM audit_records')
    await execute(
      `INSERT INTO audit_records (seq, id, created_at, action, actor_type, subject_type) VALUES ${[1, 2, 3].map(record).join(', ')}`,
    )
    const intact = await product.run('audit', 'verify')
    expect(intact).toMatchObject({ code: 0, said: expect.stringContaining('3 newer ones are not sealed yet.') })
    await execute('DELETE FROM audit_records WHERE seq = 2')
    const removed = await product.run('audit', 'verify')
    expect(removed).toMatchObject({ code: 2, said: expect.stringContaining('Record 2 of the deployment was removed.') })
  })
})
