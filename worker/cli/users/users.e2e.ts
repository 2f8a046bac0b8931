import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CliProduct } from '../../testing/cli-product.ts'

const product = new CliProduct()

const insert = (id: string, values: { name?: string; verified?: number; role?: string; at?: number } = {}) => {
  const { name = id, verified = 1, role = 'user', at = 1 } = values
  const list = [id, name, `${id}@acme.com`, role].map((text) => `'${text.replaceAll("'", "''")}'`)
  return `INSERT INTO users (id, name, email, role, email_verified, created_at, updated_at) VALUES (${list.join(', ')}, ${verified}, ${at}, ${at})`
}

beforeAll(async () => {
  await product.build()
  await product.wrangler('d1', 'migrations', 'apply', 'DB', '--local')
  const users = [
    insert('ada', { name: "Ada O'Hara; --", at: 3 }),
    insert('bob', { verified: 0, at: 2 }),
    insert('root', { role: 'user,admin', at: 1 }),
  ]
  await product.wrangler('d1', 'execute', 'DB', '--local', '--yes', '--command', users.join(';'))
})
afterAll(() => product.close())

const users = (...words: string[]) => product.run('users', ...words)
const json = async (...words: string[]) => JSON.parse((await users(...words, '--json')).said)

describe('gatehouse users', () => {
  it('lists users, newest first, and finds them by a part of the address, name or id', async () => {
    expect((await json('list')).map(({ id }: { id: string }) => id)).toEqual(['ada', 'bob', 'root'])
    expect(await json('list', '--search', "o'hara; --")).toMatchObject([{ id: 'ada', emailVerified: true }])
    expect(await json('list', '--search', "x' OR '1' = '1")).toEqual([])
    const { code, said } = await users('list', '--limit', '2')
    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('ada  ada@acme.com  ') })
    expect(said).toContain('There are more. Next: --after 2:bob, or --search\n')
    expect((await json('list', '--limit', '2', '--after', '2:bob')).map(({ id }: { id: string }) => id)).toEqual([
      'root',
    ])
    expect(await users('list', '--after', 'bob')).toMatchObject({ code: 1, said: expect.stringContaining('"--after"') })
    expect(await users('list', '--limit', '0')).toMatchObject({ code: 1 })
  })

  it('a search compares 10,000 users, and goes on after them', async () => {
    const numbers = 'WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)'
    const many = `INSERT INTO users (id, name, email, created_at, updated_at) ${numbers} SELECT 'x' || i, 'X', 'x' || i || '@acme.com', 10 + i, 1 FROM n`
    const run = (sql: string) => product.wrangler('d1', 'execute', 'DB', '--local', '--yes', '--command', sql)
    await run(many)
    const first = await users('list', '--search', 'ada')
    expect(first.said).toBe('No users.\n10,000 users were compared, and others follow. Next: --after 11:x1\n')
    const second = await users('list', '--search', 'ada', '--after', '11:x1')
    expect(second.said).toMatch(/^ada {2}ada@acme\.com [^\n]*\n$/)
    const page = await users('list', '--search', '@acme', '--limit', '1', '--after', '11:x1')
    expect(page.said).toMatch(/^x0 .*\nThere are more\. Next: --after 10:x0, or --search\n$/)
    // By the index of the order, without sorting.
    const { said } = await run(
      'EXPLAIN QUERY PLAN SELECT id FROM users WHERE (created_at, id) < (1, 2) ORDER BY created_at DESC, id DESC LIMIT 9',
    )
    expect(said).toMatch(/SEARCH users USING COVERING INDEX users_creation/)
    expect(said).not.toContain('TEMP B-TREE')
    await run("DELETE FROM users WHERE id GLOB 'x*'")
  })

  it('shows one user by id or address', async () => {
    expect(await json('show', 'ADA@acme.com')).toMatchObject({ id: 'ada', sessions: 0, accounts: [], commands: [] })
    expect(await users('show', "eve' OR 1")).toMatchObject({
      code: 1,
      said: "No user has the id or address eve' OR 1.\nNext: npx gatehouse-auth users list --local prints ids and addresses\n",
    })
  })

  it('gives the Worker commands, and changes nothing before', async () => {
    const banned = await users('ban', 'bob', '--reason', "it's spam", '--days', '2')
    expect(banned).toMatchObject({ code: 0, said: expect.stringContaining('/cdn-cgi/handler/scheduled') })
    expect(banned.said).toContain('Next: npx gatehouse-auth users show bob --local prints the state.')
    await users('unban', 'bob')
    expect(await json('show', 'bob')).toMatchObject({
      banned: false,
      commands: [
        { action: 'ban', state: 'pending', error: null },
        { action: 'unban', state: 'pending' },
      ],
    })
    const [{ results }] = JSON.parse(
      (
        await product.wrangler(
          'd1',
          'execute',
          'DB',
          '--local',
          '--json',
          '--command',
          'SELECT key, payload FROM jobs ORDER BY created_at LIMIT 1',
        )
      ).said,
    ) as [{ results: { key: string; payload: string }[] }]
    expect(JSON.parse(results[0]!.payload)).toEqual({
      action: 'ban',
      userId: 'bob',
      reason: "it's spam",
      expiresIn: 172_800,
    })
    expect(await users('ban', 'bob', '--days', 'two')).toMatchObject({ code: 1 })
  })

  it('deletes only after a yes', async () => {
    expect(await users('delete', 'bob')).toMatchObject({
      code: 1,
      said: 'Nothing was changed.\nNext: answer yes, or give --yes\n',
    })
    expect(await users('delete', 'bob', '--yes')).toMatchObject({ code: 0 })
    expect((await json('show', 'bob')).commands.at(-1)).toMatchObject({ action: 'delete', state: 'pending' })
  })
})

describe('gatehouse admin add', () => {
  const add = (...words: string[]) => product.run('admin', 'add', ...words)

  it('makes a verified user an administrator', async () => {
    expect(await add('ada@acme.com')).toMatchObject({ code: 0 })
    expect(await json('show', 'ada')).toMatchObject({ commands: [{ action: 'make-admin', state: 'pending' }] })
  })

  it('refuses an address that is not verified or unknown, with the next step', async () => {
    expect(await add('bob@acme.com')).toMatchObject({
      code: 1,
      said: expect.stringContaining('Next: open the link of the confirmation mail'),
    })
    expect(await add('bob@acme.com', '--unverified')).toMatchObject({ code: 0 })
    expect(await add('eve@acme.com')).toMatchObject({
      code: 1,
      said: expect.stringContaining('Next: sign up at BASE_URL/sign-up with this address'),
    })
  })
})
