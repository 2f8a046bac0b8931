import { applyD1Migrations, type D1Migration, reset } from 'cloudflare:test'
import { env as bindings } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { cheapHash } from './testing/cheap-hash.ts'
import { env, TestApp } from './testing/harness.ts'
import { alice } from './testing/people.ts'
import released from './testing/released-migrations.json' with { type: 'json' }

const { TEST_MIGRATIONS: all } = bindings as unknown as { TEST_MIGRATIONS: D1Migration[] }

/** Rows as they were written by a version that had these columns. */
async function fill(): Promise<void> {
  const password = await cheapHash.hash(alice.password)
  const sql = (text: string, ...values: unknown[]) => env.DB.prepare(text).bind(...values)
  await env.DB.batch([
    sql(
      `insert into users (id, name, email, created_at, updated_at, additional_fields, username)
        values ('u1', ?, ?, 1000, 1000, '{"plan":"pro"}', 'alice')`,
      alice.name,
      alice.email,
    ),
    sql(`insert into users (id, name, email, created_at, updated_at) values ('u2', 'Bob', 'bob@example.com', 1, 1)`),
    sql(
      `insert into accounts (id, provider_id, account_id, user_id, password, created_at, updated_at)
        values ('a1', 'credential', 'u1', 'u1', ?, 1000, 1000)`,
      password,
    ),
    sql(
      `insert into sessions (id, user_id, token, expires_at, created_at, updated_at) values ('s1', 'u1', 't1', ?, 1, 1)`,
      Date.now() + 1e9,
    ),
    sql(`insert into organizations (id, name, slug, created_at) values ('o1', 'Acme', 'acme', 1)`),
    sql(`insert into members (id, organization_id, user_id, role, created_at) values ('m1', 'o1', 'u1', 'owner', 1)`),
  ])
}

const tables = ['users', 'accounts', 'sessions', 'organizations', 'members']
const read = async () =>
  Object.fromEntries(
    await Promise.all(
      tables.map(async (name) => {
        const { results } = await env.DB.prepare(`select * from ${name} order by id`).all<Record<string, unknown>>()
        return [name, results] as const
      }),
    ),
  )

const versions = Object.entries(released).map(([version, names]) => [version, Object.keys(names).length] as const)

describe('an upgrade', () => {
  it.each([['the first migration', 1] as const, ...versions])('from %s: what was there stays', async (_, count) => {
    await reset()
    await applyD1Migrations(env.DB, all.slice(0, count))
    await fill()
    const before = await read()
    await applyD1Migrations(env.DB, all)
    const after = await read()
    for (const name of tables) {
      // More columns may have come; none has changed.
      expect(after[name]).toEqual(before[name]!.map((row) => expect.objectContaining(row)))
    }
    const device = new TestApp().device()
    const { status, body } = await device.post('/sign-in/email', { email: alice.email, password: alice.password })
    expect([status, body.user?.id]).toEqual([200, 'u1'])
    expect((await device.get('/organization/list')).body).toMatchObject([{ id: 'o1', slug: 'acme' }])
    expect((await device.get('/list-sessions')).body).toHaveLength(2)
  })
})
