import { describe, expect, it } from 'vitest'
import { administrator, auditRows, plain } from '../../../testing/admins.ts'
import { env, TestApp } from '../../../testing/harness.ts'
import { alice, bob, signUp } from '../../../testing/people.ts'
import { insertRows } from '../../../testing/rows.ts'

const newApp = (environment: object = {}) => new TestApp({ rateLimit: { enabled: false } }, environment)

/** The cells of a file without quotes inside of cells, as objects. */
const read = (text: string): Record<string, string>[] => {
  const [head = '', ...rows] = text.trimEnd().split('\r\n')
  const names = head.split(',')
  return rows.map((row) => Object.fromEntries(row.split(',').map((cell, at) => [names[at]!, cell])))
}

describe('POST /admin/export-users', () => {
  it('200: the users of the filter as a file, with formulas as texts, and a line in the audit log', async () => {
    const app = newApp()
    const boss = await administrator(app)
    await signUp(app, { ...alice, name: '=HYPERLINK("http://evil.example","Click")' })
    const at = new Date(1)
    await insertRows('users', {
      ...{ id: 'b', name: '+Bea', email: 'bea@example.com', createdAt: at, updatedAt: at },
      ...{ banned: true, banReason: '@sum, and more', phoneNumber: '+4917012345' },
    })
    const { status, headers, body } = await boss.device.post('/admin/export-users')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/csv; charset=utf-8/)
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="users-\d{4}-\d\d-\d\d\.csv"$/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toContain(`"'=HYPERLINK(""http://evil.example"",""Click"")"`)
    expect(body).toContain(`"'@sum, and more"`)
    expect(body.split('\r\n')[1]).toMatch(/^b,'\+Bea,bea@example\.com,false,,'\+4917012345,false,user,/)
    const banned = await boss.device.post('/admin/export-users', { filterField: 'banned', filterValue: 'true' })
    expect(read(banned.body).map(({ id }) => id)).toEqual(['b'])
    const found = read((await boss.device.post('/admin/export-users', { search: alice.email })).body)
    expect(found).toHaveLength(1)
    expect(found[0]!.last_sign_in_at).toMatch(/^\d{4}-/)
    const lines = await auditRows()
    expect(lines.map(({ action, actor_id, after }) => ({ action, actor_id, after: JSON.parse(after) }))).toEqual([
      { action: 'export-users', actor_id: boss.id, after: {} },
      { action: 'export-users', actor_id: boss.id, after: { filterField: 'banned', filterValue: 'true' } },
      { action: 'export-users', actor_id: boss.id, after: { search: alice.email } },
    ])
  })

  it('200: many users in pages that are read one after the other', async () => {
    const app = newApp()
    const { device } = await administrator(app)
    await env.DB.prepare(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < 2500)
       insert into users (id, name, email, created_at, updated_at)
       select 'u' || i, 'Nora', 'u' || i || '@example.com', 1000 + i / 7, 1 from n`,
    ).run()
    const { body, io } = await device.post('/admin/export-users', { sortBy: 'createdAt', sortDirection: 'desc' })
    // The caller, the first page and the line of the audit log.
    expect(io.d1).toEqual([3, 3])
    const rows = read(body)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(2501)
    expect(rows).toHaveLength(2501)
    expect(rows[0]!.name).toBe('Root')
    const wide = await device.post('/admin/export-users', { search: 'nora' })
    expect(wide).toMatchObject({ status: 400, body: { code: 'EXPORT_IS_TOO_LARGE' } })
  })

  it('a failure after the first page breaks the transfer off', async () => {
    let reads = 0
    const failing = (connection: D1Database): D1Database =>
      new Proxy(connection, {
        get(target, key) {
          const value = Reflect.get(target, key)
          if (key === 'withSession') return (from: string) => failing(value.call(target, from))
          if (key === 'batch' && reads > 0)
            return (...given: unknown[]) =>
              reads++ > 3 ? Promise.reject(new Error('D1_ERROR: lost')) : value.apply(target, given)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
    const app = newApp({ DB: failing(env.DB) })
    const { device } = await administrator(app)
    await env.DB.prepare(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < 2500)
       insert into users (id, name, email, created_at, updated_at)
       select 'u' || i, 'Nora', 'u' || i || '@example.com', i, 1 from n`,
    ).run()
    reads = 1
    await expect(device.post('/admin/export-users')).rejects.toThrow()
  })

  it('403 and 401 without the permission, and no line', async () => {
    const app = newApp()
    const { device } = await plain(app, alice)
    for (const path of ['/admin/export-users', '/admin/export-audit', '/admin/export-security-events']) {
      expect((await device.post(path)).status).toBe(403)
      expect((await app.device().post(path)).status).toBe(401)
    }
    expect(await auditRows()).toEqual([])
  })
})

it('exports the audit log and the security events with the filters of their lists', async () => {
  const app = newApp()
  const boss = await administrator(app)
  const { id } = await plain(app, alice)
  await signUp(app, bob)
  await boss.device.post('/admin/ban-user', { userId: id, banReason: '=1+1' })
  await boss.device.post('/admin/unban-user', { userId: id })
  const audit = await boss.device.post('/admin/export-audit', { userId: alice.email })
  expect(read(audit.body).map(({ action, subject_name }) => [action, subject_name])).toEqual([
    ['unban-user', alice.name],
    ['ban-user', alice.name],
  ])
  const bans = await boss.device.post('/admin/export-audit', { action: 'ban-user' })
  expect(bans.body).toContain('""banReason"":""=1+1""')
  expect(bans.body.trimEnd().split('\r\n')).toHaveLength(2)
  const events = await boss.device.post('/admin/export-security-events', { type: 'sign-in', userId: bob.email })
  expect(read(events.body)).toMatchObject([{ type: 'sign-in', user_email: bob.email, method: 'sign-up' }])
  const none = await boss.device.post('/admin/export-security-events', { until: '2020-01-01T00:00:00Z' })
  expect(read(none.body)).toEqual([])
})
