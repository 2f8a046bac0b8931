import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { rowBudgetOf } from '../platform/io.ts'
import { env, TestApp } from './harness.ts'
import { type Metered, metering } from './metering.ts'
import { refuseScans, scansOf } from './plans.ts'
import { tablesOf } from './schema.ts'

const insertUsers = `insert into users (id, name, email, created_at, updated_at) values
  ('a', 'A', 'a@example.com', 1, 1), ('b', 'B', 'b@example.com', 1, 1), ('c', 'C', 'c@example.com', 1, 1)`

/** What a session of D1 notes. */
async function noted(use: (session: D1DatabaseSession) => Promise<unknown>): Promise<Metered[]> {
  const all: Metered[] = []
  await use(metering(env.DB, (one) => all.push(one)).withSession('first-primary'))
  return all
}

describe('the rows of a request', () => {
  it('are those that D1 reports, of single statements in each form and of batches', async () => {
    await env.DB.prepare(insertUsers).run()
    const reading = 'select * from users where name <> ?'
    const rows = await noted(async (session) => {
      const one = () => session.prepare(reading).bind('x')
      await one().all()
      await one().raw()
      await one().first()
      await session.batch([one(), session.prepare(`update users set name = 'D' where id = 'a'`)])
    })
    expect(rows.map(({ read }) => read)).toEqual([3, 3, 3, 3, expect.any(Number)])
    expect(rows.at(-1)!.written).toBeGreaterThan(0)
    expect(rows[0]).toMatchObject({ sql: reading, values: ['x'] })
  })

  it('have a small maximum for an endpoint without its own', () => {
    expect(rowBudgetOf({ d1: 3 })).toEqual({ read: 100, written: 80 })
    expect(rowBudgetOf({ read: 600 })).toEqual({ read: 600, written: 80 })
  })
})

describe('a statement of a request', () => {
  const outcome = async (sql: string, ...values: unknown[]) =>
    refuseScans(env.DB, [{ sql, values, read: 0, written: 0 }]).then(
      () => 'accepted',
      (thrown: Error) => /^reads all rows of [\w ]+/.exec(thrown.message)?.[0],
    )

  it.each([
    ['by no index', 'select * from sessions where proven = ?', ['x'], 'reads all rows of sessions'],
    ['the whole index', 'select count(*) from sessions', [], 'reads all rows of sessions'],
    ['by an alias', 'select 1 from "sessions" as "s" where "s"."proven" = ?', ['x'], 'reads all rows of sessions'],
    ['in an update', 'update "accounts" set "scope" = ? where "scope" = ?', ['x', 'y'], 'reads all rows of accounts'],
    [
      'in a subquery',
      'select 1 where exists (select 1 from "sessions" where "proven" = ?)',
      ['x'],
      'reads all rows of sessions',
    ],
    ['by an index', 'select * from "sessions" where "token" = ?', ['x'], 'accepted'],
    ['in the order of an index, with a limit', 'select id from users order by created_at, id limit 5', [], 'accepted'],
    [
      'in the order of an index, with a limit of what a window function numbers',
      'select id from (select id, row_number() over (order by created_at, id) as n from users order by n limit 5)',
      [],
      'reads all rows of users',
    ],
    ['of a small table', 'select * from jwks', [], 'accepted'],
    ['of values', 'select value from json_each(?)', ['[]'], 'accepted'],
  ])('%s', async (_how, sql, values, expected) => {
    expect(await outcome(sql, ...values)).toBe(expected)
  })

  it('is checked for the cron trigger and the queue', async () => {
    const { scope, settle } = new TestApp().openScope()
    await scope.db.run(sql`delete from avatars where name = 'x' or length(bytes) = 0`)
    await expect(settle()).rejects.toThrow('reads all rows of avatars')
  })

  it('is judged by the names of tables, of which each name of the lists is one', async () => {
    const tables = await tablesOf(env.DB)
    expect(scansOf(['SCAN other'], 'select 1 from jobs other where other.kind = 1', tables)).toEqual(['jobs'])
    const named = 'select 1 from (select * from users order by id limit 9) as users'
    expect(scansOf(['CO-ROUTINE users', 'SCAN users USING INDEX by_id', 'SCAN users'], named, tables)).toEqual([])
    expect(scansOf(['CO-ROUTINE users', 'SCAN users', 'SCAN users'], named, tables)).toEqual(['users'])
    expect(scansOf(['SCAN (subquery-1)', 'SCAN CONSTANT ROW', 'SCAN own'], 'with own as (select 1)', tables)).toEqual(
      [],
    )
  })
})
