import { describe, expect, it } from 'vitest'
import { administrator, plain } from '../../../testing/admins.ts'
import { env, TestApp } from '../../../testing/harness.ts'
import { alice } from '../../../testing/people.ts'
import { insertRows, storedRows } from '../../../testing/rows.ts'

const unlimited = { rateLimit: { enabled: false } }

type Query = Record<string, string>

/** Users by name, with addresses derived from it, one millisecond apart. */
async function people(...names: string[]): Promise<void> {
  const addressOf = (name: string, n: number) =>
    `${name.toLowerCase().replace(/\W/g, '')}${names.indexOf(name) < n ? n : ''}@example.com`
  const rows = names.map((name, n) => ({ name, createdAt: new Date(n + 1), updatedAt: new Date(n + 1), n }))
  await insertRows('users', ...rows.map(({ n, ...row }) => ({ ...row, id: `id-${n}`, email: addressOf(row.name, n) })))
}

async function listing(app = new TestApp(unlimited)) {
  const { device } = await administrator(app)
  const ask = async (query: Query = {}) => {
    const answer = await device.get('/admin/list-users', { query })
    return { ...answer, names: (answer.body.users ?? []).map(({ name }: { name: string }) => name) as string[] }
  }
  return { ask, device, app }
}

/** All pages in order by cursor. */
async function walk(ask: (query: Query) => Promise<{ names: string[]; body: any }>, query: Query): Promise<string[]> {
  const names: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await ask({ ...query, ...(cursor ? { cursor } : {}) })
    names.push(...page.names)
    cursor = page.body.nextCursor
  }
  return names
}

describe('GET /admin/list-users', () => {
  it('200: all users in the order of their creation, in two round trips; limit and offset only if given', async () => {
    const { ask } = await listing()
    await people('Bea', 'al', 'Cy')
    const all = await ask()
    expect(all.body).toEqual({ users: expect.any(Array), total: 4, nextCursor: null })
    expect(all.names).toEqual(['Bea', 'al', 'Cy', 'Root'])
    expect(all.body.users[0]).toMatchObject({ role: 'user', banned: false, emailVerified: false })
    expect(all.io.d1).toEqual([2, 3])
    const page = await ask({ limit: '2', offset: '1', sortBy: 'email', sortDirection: 'asc' })
    expect(page.names).toEqual(['Bea', 'Cy'])
    expect(page.body).toMatchObject({ total: 4, limit: 2, offset: 1 })
    const zero = await ask({ limit: '0', offset: '0' })
    expect({ fields: Object.keys(zero.body).sort(), names: zero.names.length }).toEqual({
      fields: ['nextCursor', 'total', 'users'],
      names: 4,
    })
    expect((await ask({ offset: '50' })).names).toEqual([])
  })

  it('200: sorted by each allowed field in both directions; pages by cursor contain each user once', async () => {
    const { ask } = await listing()
    await people('Bea', 'al', 'Cy', 'al', 'al', 'Zoë', 'Émil', 'al', 'beate')
    const results = await storedRows('users')
    const keys: Record<string, (row: Record<string, any>) => string> = {
      createdAt: ({ created_at }) => String(created_at).padStart(20),
      name: ({ name }) => name.replace(/[A-Z]/g, (letter: string) => letter.toLowerCase()),
      email: ({ email }) => email,
      id: ({ id }) => id,
    }
    for (const sortBy of Object.keys(keys)) {
      for (const sortDirection of ['asc', 'desc']) {
        const keyOf = keys[sortBy]!
        const expected = [...results]
          .sort((a, b) => (keyOf(a) < keyOf(b) || (keyOf(a) === keyOf(b) && a.id < b.id) ? -1 : 1))
          .map(({ name }) => name)
        if (sortDirection === 'desc') expected.reverse()
        for (const limit of ['1', '2', '3', '100']) {
          expect({ sortBy, sortDirection, limit, names: await walk(ask, { sortBy, sortDirection, limit }) }).toEqual({
            sortBy,
            sortDirection,
            limit,
            names: expected,
          })
        }
      }
    }
  })

  it.each<[Query, string[]]>([
    [{ searchValue: 'AL' }, ['al', 'Alma', 'Sal']],
    [{ searchValue: 'al', searchField: 'name', searchOperator: 'starts_with' }, ['al', 'Alma']],
    [{ searchValue: 'AL', searchField: 'email', searchOperator: 'starts_with' }, ['al', 'Alma']],
    [{ searchValue: 'AL', searchField: 'name', searchOperator: 'ends_with' }, ['al', 'Sal']],
    [{ searchValue: '@example.com', searchOperator: 'ends_with', limit: '1' }, ['al']],
    [{ searchValue: 'id-1', searchField: 'id', searchOperator: 'starts_with' }, ['Alma']],
    [{ searchValue: 'Ω', searchField: 'name', searchOperator: 'contains' }, ['Ωmega']],
    [{ searchValue: 'Ω', searchField: 'name', searchOperator: 'starts_with' }, ['Ωmega']],
    [{ searchValue: '', searchField: 'name' }, ['al', 'Alma', 'Sal', 'Ωmega', 'Root']],
    [{ filterField: 'role', filterValue: 'admin', filterOperator: 'eq' }, ['Root']],
    [{ filterField: 'role', filterValue: 'admin', filterOperator: 'ne' }, ['al', 'Alma', 'Sal', 'Ωmega']],
    [{ filterField: 'role', filterValue: 'MIN', filterOperator: 'contains' }, ['Root']],
    [{ filterField: 'createdAt', filterValue: '3', filterOperator: 'lt' }, ['al', 'Alma']],
    [
      { filterField: 'createdAt', filterValue: '1970-01-01T00:00:00.003Z', filterOperator: 'gte' },
      ['Sal', 'Ωmega', 'Root'],
    ],
    [{ filterField: 'createdAt', filterValue: '3', filterOperator: 'lte' }, ['al', 'Alma', 'Sal']],
    [{ filterField: 'createdAt', filterValue: '3', filterOperator: 'gt' }, ['Ωmega', 'Root']],
    [{ filterField: 'banned', filterValue: 'true' }, []],
    [{ filterField: 'banned', filterValue: 'false', filterOperator: 'eq', limit: '2' }, ['al', 'Alma']],
    [{ filterField: 'name', filterValue: 'al' }, ['al']],
    [
      { searchValue: 'a', filterField: 'name', filterValue: 'Alma', filterOperator: 'ne', searchField: 'name' },
      ['al', 'Sal', 'Ωmega'],
    ],
  ])('200 for %j', async (query, names) => {
    const { ask } = await listing()
    await people('al', 'Alma', 'Sal', 'Ωmega')
    expect((await ask(query)).names).toEqual(names)
  })

  it.each<[string, string[]]>([
    ['al', ['al', 'Alma', 'Zed']],
    ['ALMA', ['Alma']],
    ['alma@', ['Alma']],
    ['aladin', ['Zed']],
    ['Aladin', ['Zed']],
    ['+49 170 12', ['Ben']],
    ['0049-170/12', ['Ben']],
    ['4917', ['Ben']],
    ['0170', []],
    ['id-1', ['Alma']],
    ['id-', []],
    ['example', []],
    ['  al  ', ['al', 'Alma', 'Zed']],
    ['%', []],
    ["' or 1=1 --", []],
  ])('200 for the search of %j in everything, by name', async (search, names) => {
    const { ask } = await listing()
    await people('al', 'Alma')
    const at = new Date(9)
    await insertRows(
      'users',
      { id: 'x1', name: 'Zed', email: 'z@example.com', username: 'aladin', createdAt: at, updatedAt: at },
      { id: 'x2', name: 'Ben', email: 'b@example.com', phoneNumber: '+491701234567', createdAt: at, updatedAt: at },
    )
    const all = await ask({ search })
    expect({ names: all.names, total: all.body.total, next: all.body.nextCursor, d1: all.io.d1 }).toEqual({
      names,
      total: names.length,
      next: null,
      d1: [2, 3],
    })
    const first = await ask({ search, limit: '1' })
    expect(first.names).toEqual(names.slice(0, 1))
    expect(first.body.totalIsCapped).toBe(names.length > 1 ? true : undefined)
    expect((await ask({ search, filterField: 'name', filterValue: 'Alma' })).names).toEqual(
      names.filter((name) => name === 'Alma'),
    )
  })

  it('200: an empty search lists everyone; 400 for one that is too long', async () => {
    const { ask } = await listing()
    expect((await ask({ search: '  ' })).names).toEqual(['Root'])
    expect((await ask({ search: 'x'.repeat(321) })).body.code).toBe('VALIDATION_ERROR')
  })

  it('400: names the fields that users may be sorted by', async () => {
    const { ask } = await listing()
    const { message } = (await ask({ sortBy: 'updatedAt' })).body
    for (const field of ['sortBy', 'createdAt', 'name', 'email', 'id']) expect(message).toContain(field)
  })

  it.each<[Query]>([
    [{ searchField: 'phone' }],
    [{ searchOperator: 'like' }],
    [{ sortBy: 'password' }],
    [{ sortBy: 'email; drop table users' }],
    [{ sortBy: 'constructor' }],
    [{ sortDirection: 'up' }],
    [{ filterField: 'securityVersion', filterValue: '1' }],
    [{ filterField: 'additionalFields', filterValue: '1' }],
    [{ filterField: '__proto__', filterValue: '1' }],
    [{ filterOperator: 'in' }],
    [{ filterField: 'banned', filterValue: 'perhaps' }],
    [{ filterField: 'createdAt', filterValue: 'soon' }],
    [{ limit: '-1' }],
    [{ limit: '1001' }],
    [{ limit: 'x' }],
    [{ offset: '-1' }],
    [{ offset: '1e400' }],
  ])('400 VALIDATION_ERROR for %j', async (query) => {
    const { ask } = await listing()
    const { status, body } = await ask(query)
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' })
  })

  it.each(['%', '_', '%%', "'", '"', "' or 1=1 --", '\\', '*', '[a-z]', '\u0000', '😀', 'x'.repeat(10_000)])(
    'a search or filter value %j is a text and nothing else',
    async (value) => {
      const { ask } = await listing()
      await people('al', 'Alma')
      for (const searchOperator of ['contains', 'starts_with', 'ends_with']) {
        for (const searchField of ['email', 'name', 'id']) {
          const { status, names } = await ask({ searchValue: value, searchField, searchOperator })
          expect({ status, names }).toEqual({ status: 200, names: [] })
        }
      }
      const { status, names } = await ask({ filterField: 'name', filterOperator: 'contains', filterValue: value })
      expect({ status, names }).toEqual({ status: 200, names: [] })
    },
  )

  it('400 INVALID_CURSOR for an invalid cursor', async () => {
    const { ask } = await listing()
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    for (const cursor of [
      '',
      'x',
      '!!',
      encoded({}),
      encoded(['password', 0, 'x', 'y']),
      encoded(['email', 0, 5, 'y']),
      encoded(['createdAt', 0, 'x', 'y']),
      encoded(['email', 0, 'x', {}]),
    ]) {
      const { status, body } = await ask({ cursor })
      expect({ cursor, status, code: body.code }).toEqual({ cursor, status: 400, code: 'INVALID_CURSOR' })
    }
  })

  it('total follows sign-ups and removals; with a search it counts the matching users', async () => {
    const { ask, app, device } = await listing()
    const { id } = await plain(app, alice)
    await people('Bea', 'Ben')
    expect((await ask()).body.total).toBe(4)
    await device.post('/admin/remove-user', { userId: id })
    expect((await ask()).body.total).toBe(3)
    expect((await ask({ searchValue: 'be', searchField: 'name', limit: '1' })).body.total).toBe(2)
  })
})

/** Wraps the database and counts the rows that its statements read. */
function countingRows() {
  const count = { rows: 0 }
  const connection = <T extends object>(inner: T): T =>
    new Proxy(inner, {
      get(target, key) {
        const value = Reflect.get(target, key) as unknown
        if (typeof value !== 'function') return value
        if (key === 'withSession') return (from: string) => connection(value.call(target, from))
        if (key !== 'batch') return value.bind(target)
        return async (statements: unknown) => {
          const results = (await value.call(target, statements)) as D1Result[]
          for (const { meta } of results) count.rows += meta.rows_read
          return results
        }
      },
    })
  return { count, DB: connection(env.DB) }
}

describe('with 100,000 users', () => {
  const seeded = 100_000

  it('reads a few hundred rows for the first page and for a late one, and at most 45,000 for a search', {
    timeout: 60_000,
  }, async () => {
    const { count, DB } = countingRows()
    const app = new TestApp(unlimited, { DB })
    const { device } = await administrator(app)
    // One third of them share a name, as guests do; every thousandth is banned, every ten thousandth is a moderator.
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${seeded})
       insert into users (id, name, email, email_verified, role, banned, created_at, updated_at)
       select printf('u%06d', i), case i % 3 when 0 then 'Anonymous' else printf('Name %06d', i * 7919 % 100000) end,
         printf('p%06d@example.com', i), i = 88888, case i % 10000 when 0 then 'moderator' else 'user' end, i % 1000 = 0, i, i from n`,
    ).run()
    const read = async (query: Query) => {
      count.rows = 0
      const answer = await device.get('/admin/list-users', { query: { limit: '50', ...query } })
      expect({ query, status: answer.status }).toEqual({ query, status: 200 })
      return { body: answer.body, rows: count.rows }
    }
    const cursor = (by: string, value: unknown, id: string) =>
      Buffer.from(JSON.stringify([by, 0, value, id])).toString('base64url')
    const pages: [Query, number][] = [
      [{}, 300],
      [{ sortBy: 'createdAt', sortDirection: 'desc' }, 300],
      [{ sortBy: 'name' }, 300],
      [{ sortBy: 'email', sortDirection: 'desc' }, 300],
      [{ cursor: cursor('createdAt', 99_000, 'u099000') }, 300],
      [{ cursor: cursor('email', 'p099000@example.com', 'u099000') }, 300],
      [{ cursor: cursor('id', 'u099000', 'u099000') }, 300],
      // In the middle of 33,333 users with the same name.
      [{ cursor: cursor('name', 'Anonymous', 'u050000') }, 300],
      [{ cursor: cursor('name', 'Name 099000', 'u000001') }, 300],
      [{ searchValue: 'p0990', searchOperator: 'starts_with' }, 500],
      [{ searchValue: 'name 09900', searchField: 'name', searchOperator: 'starts_with' }, 300],
      [{ searchValue: 'u09900', searchField: 'id', searchOperator: 'starts_with' }, 300],
      [{ search: 'p' }, 500],
      [{ search: 'n' }, 500],
      [{ search: 'p0990' }, 500],
      [{ search: 'u099000' }, 100],
      [{ filterField: 'banned', filterValue: 'true' }, 500],
      [{ filterField: 'role', filterValue: 'moderator' }, 300],
      [{ filterField: 'role', filterValue: 'admin', filterOperator: 'contains' }, 300],
    ]
    const dear: unknown[] = []
    for (const [query, most] of pages) {
      const { body, rows } = await read(query)
      expect(body.users.length, JSON.stringify(query)).toBeGreaterThan(0)
      // The read count includes at least the returned rows, so the measurement works.
      expect(rows).toBeGreaterThanOrEqual(body.users.length)
      if (rows > most) dear.push([query, rows])
    }
    expect(dear).toEqual([])
    const first = await read({})
    expect({ total: first.body.total, users: first.body.users.length }).toEqual({ total: seeded + 1, users: 50 })
    const filtered = await read({ filterField: 'role', filterValue: 'user' })
    expect(filtered).toMatchObject({ body: { total: 1000, totalIsCapped: true } })
    expect(filtered.rows).toBeLessThan(2500)

    // What no index finds is compared with 10,000 users in a request, and its pages go on until the last user.
    const of = (names: string[]) => names.sort()
    const searches: [Query, string[]][] = [
      [{ searchValue: '77777@' }, ['p077777@example.com']],
      [
        { searchValue: '7777@EXAMPLE.com', searchOperator: 'ends_with' },
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `p0${n}7777@example.com`),
      ],
      [
        { searchValue: '7777@', sortBy: 'name', limit: '3' },
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `p0${n}7777@example.com`),
      ],
      [{ searchValue: '77777@', sortBy: 'email', sortDirection: 'desc' }, ['p077777@example.com']],
      [
        { searchValue: 'p0', searchOperator: 'starts_with', filterField: 'updatedAt', filterValue: '99999' },
        ['p099999@example.com'],
      ],
      [
        { filterField: 'updatedAt', filterOperator: 'lte', filterValue: '2', sortDirection: 'desc' },
        ['p000001@example.com', 'p000002@example.com'],
      ],
      [{ filterField: 'emailVerified', filterValue: 'true' }, ['p088888@example.com']],
      [{ filterField: 'name', filterValue: 'anonymous', sortBy: 'name' }, []],
    ]
    for (const [query, expected] of searches) {
      const found: string[] = []
      const costs: number[] = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        count.rows = 0
        const { body, status } = await device.get('/admin/list-users', {
          query: { limit: '50', ...query, ...(cursor ? { cursor } : {}) },
        })
        expect({ query, status }).toEqual({ query, status: 200 })
        costs.push(count.rows)
        if (cursor === undefined) expect({ query, capped: body.totalIsCapped }).toEqual({ query, capped: true })
        if (body.users.length === 0 && body.nextCursor) expect(body.comparedUsers).toBe(10_000)
        found.push(...body.users.map(({ email }: { email: string }) => email))
        cursor = body.nextCursor
      }
      expect({ query, found: of(found), most: Math.max(...costs) > 45_000 && costs }).toEqual({
        query,
        found: expected,
        most: false,
      })
      expect({ query, pages: costs.length > 3 }).toEqual({ query, pages: true })
    }
    // A narrow range with another order is complete, one with too many users is not.
    const narrow = await read({ searchValue: 'p0990', searchOperator: 'starts_with', sortBy: 'name', limit: '20' })
    expect(narrow.body).toMatchObject({ total: 100, nextCursor: expect.any(String) })
    expect(narrow.body.totalIsCapped).toBeUndefined()
    const wide = await read({ searchValue: 'p0', searchOperator: 'starts_with', sortBy: 'name' })
    expect(wide.body).toMatchObject({ total: 1000, totalIsCapped: true })
    const inAll = await read({ search: 'p', filterField: 'emailVerified', filterValue: 'true' })
    expect(inAll.body).toMatchObject({ users: [], totalIsCapped: true, comparedUsers: 10_000, nextCursor: null })
    for (const { rows } of [narrow, wide, inAll]) expect(rows).toBeLessThan(45_000)
  })
})
