import { expect, it } from 'vitest'
import { env } from '../testing/harness.ts'
import { DatabaseSize, isFullError } from './database-size.ts'

it('the size of D1 leaves out the pages that deleted rows have freed', async () => {
  const size = async () => (await env.DB.prepare('select 1').run()).meta.size_after
  const before = await size()
  await env.DB.prepare(
    `insert into rate_limits (key, count, window_start, last_request)
     with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
     select hex(randomblob(200)), 1, 1, 1 from n`,
  ).run()
  const filled = await size()
  expect(filled).toBeGreaterThan(before + 500_000)
  await env.DB.prepare('delete from rate_limits').run()
  expect(await size()).toBeLessThan(filled - 500_000)
})

it.each([
  ['D1_ERROR: database or disk is full: SQLITE_FULL', true],
  ['D1_ERROR: Exceeded maximum DB size', true],
  ['D1_ERROR: UNIQUE constraint failed: users.email: SQLITE_CONSTRAINT', false],
  ['D1 DB is overloaded. Requests queued for too long.', false],
  ['Network connection lost.', false],
])('%s is an error of a full database: %s', (text, expected) => {
  expect(isFullError(new Error(text))).toBe(expected)
})

it('nothing is full before the first result, and everything is while D1 refuses writes', () => {
  const size = new DatabaseSize()
  expect(size.fullness(100)).toBe(0)
  size.note(undefined)
  size.note({})
  size.note({ size_after: 84 })
  expect(size.fullness(100)).toBe(0.84)
  size.noteFull()
  expect(size.fullness(100)).toBe(1)
})
