import { describe, expect, it } from 'vitest'
import { administrator, auditRows, type Known, plain } from '../../../testing/admins.ts'
import { type Device, env, TestApp } from '../../../testing/harness.ts'
import { alice } from '../../../testing/people.ts'
import { deleteRows, rowsOf } from '../../../testing/rows.ts'
import { adminContract } from '../admin.contract.ts'

const newApp = () => new TestApp({ rateLimit: { enabled: false } })

const tokenOf = (device: Device) => decodeURIComponent(device.cookie('session_token')!).split('.')[0]!

/** The body of an administrative request, and the preparation that it needs. */
interface Act {
  before?(boss: Known, person: Known): Promise<unknown>
  body(person: Known): object
}

/** Every endpoint with which an administrator changes something. */
const acts: Record<string, Act> = {
  '/admin/set-role': { body: ({ id }) => ({ userId: id, role: 'admin' }) },
  '/admin/create-user': { body: () => ({ email: 'new@example.com', name: 'New', password: 'password-of-new' }) },
  '/admin/update-user': { body: ({ id }) => ({ userId: id, data: { name: 'Renamed', email: 'other@example.com' } }) },
  '/admin/ban-user': { body: ({ id }) => ({ userId: id, banReason: 'spam' }) },
  '/admin/unban-user': {
    before: ({ device }, { id }) => device.post('/admin/ban-user', { userId: id }),
    body: ({ id }) => ({ userId: id }),
  },
  '/admin/impersonate-user': { body: ({ id }) => ({ userId: id }) },
  '/admin/stop-impersonating': {
    before: ({ device }, { id }) => device.post('/admin/impersonate-user', { userId: id }),
    body: () => ({}),
  },
  '/admin/revoke-user-session': { body: ({ device }) => ({ sessionToken: tokenOf(device) }) },
  '/admin/revoke-user-sessions': { body: ({ id }) => ({ userId: id }) },
  '/admin/remove-user': { body: ({ id }) => ({ userId: id }) },
  '/admin/export-users': { body: () => ({ filterField: 'role', filterValue: 'admin' }) },
  '/admin/export-audit': { body: () => ({ action: 'ban-user' }) },
  '/admin/export-security-events': { body: () => ({ type: 'sign-in' }) },
  '/admin/set-user-password': { body: ({ id }) => ({ userId: id, newPassword: 'password-of-admin' }) },
}

async function scene({ before, body }: Act) {
  const app = newApp()
  const boss = await administrator(app)
  const person = await plain(app, alice)
  await before?.(boss, person)
  await deleteRows('audit_records')
  return { boss, person, body: body(person) }
}

/** The rows of all tables that an administrative request can change. */
const everything = async () => {
  const tables = ['users', 'sessions', 'accounts', 'audit_records'] as const
  return Promise.all(tables.map((table) => rowsOf(table)))
}

describe('the audit log', () => {
  it('the tests below cover every endpoint that changes something', () => {
    const changing = Object.values(adminContract).filter(({ changes }) => changes.length > 0)
    expect(changing.map(({ path }) => path).sort()).toEqual(Object.keys(acts).sort())
  })

  it.each(Object.keys(acts))('%s: one line, with who, whom and from where, and no secret', async (path) => {
    const { boss, person, body } = await scene(acts[path]!)
    const secrets = [tokenOf(boss.device), tokenOf(person.device), 'password-of-']
    expect((await boss.device.post(path, body)).status).toBe(200)
    const lines = await auditRows()
    expect(lines).toHaveLength(1)
    // An export is about many users.
    const isOfOne = path !== '/admin/create-user' && !path.startsWith('/admin/export')
    expect(lines[0]).toMatchObject({
      action: path.split('/').at(-1),
      actor_id: boss.id,
      subject_id: isOfOne ? person.id : expect.any(String),
      ip_address: boss.device.ip,
      user_agent: 'harness/1.0',
    })
    const text = JSON.stringify(lines)
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
    expect((await rowsOf('accounts')).filter(({ password }) => text.includes(password!))).toEqual([])
  })

  it.each(Object.keys(acts))('%s: without its line nothing is done', async (path) => {
    const { boss, body } = await scene(acts[path]!)
    const before = await everything()
    await env.DB.exec("create trigger no_audit before insert on audit_records begin select raise(abort, 'full'); end")
    const { status, cookies } = await boss.device.post(path, body)
    await env.DB.exec('drop trigger no_audit')
    expect({
      failed: status >= 500,
      sessionCookies: cookies.filter((line) => line.includes('session_token=')),
    }).toEqual({ failed: true, sessionCookies: [] })
    expect(await everything()).toEqual(before)
  })

  it('200: by action, person, administrator and period, each by id or address, and page by page', async () => {
    const app = newApp()
    const boss = await administrator(app)
    const { id } = await plain(app, alice)
    await boss.device.post('/admin/ban-user', { userId: id })
    await boss.device.post('/admin/unban-user', { userId: id })
    await boss.device.post('/admin/update-user', { userId: boss.id, data: { name: 'Boss' } })
    const ask = async (query: Record<string, string>) => {
      const { status, body } = await boss.device.get('/admin/audit', { query })
      return status === 200 ? body.entries.map(({ action }: { action: string }) => action) : status
    }
    const all = ['update-user', 'unban-user', 'ban-user']
    expect(await ask({ actorId: 'ROOT@example.com' })).toEqual(all)
    expect(await ask({ userId: alice.email })).toEqual(['unban-user', 'ban-user'])
    expect(await ask({ userId: id, action: 'ban-user' })).toEqual(['ban-user'])
    expect(await ask({ action: 'unban-user' })).toEqual(['unban-user'])
    expect(await ask({ action: 'ban-user,update-user' })).toEqual(['update-user', 'ban-user'])
    expect(await ask({ action: 'ban-user,update-user', userId: id })).toEqual(['ban-user'])
    const others = (count: number) => Array.from({ length: count }, (_, n) => `other-${n}`).join()
    expect(await ask({ action: `${others(23)},ban-user,update-user`, limit: '1' })).toEqual(['update-user'])
    expect(await ask({ action: `${others(24)},ban-user,update-user` })).toBe(400)
    expect(await ask({ actorId: 'stranger@example.com' })).toEqual([])
    const soon = new Date(Date.now() + 60_000).toISOString()
    expect(await ask({ since: soon })).toEqual([])
    expect(await ask({ until: soon, since: '2020-01-01T00:00:00+02:00' })).toEqual(all)
    expect(await ask({ since: 'yesterday' })).toBe(400)
    const { body } = await boss.device.get('/admin/audit', { query: { userId: id, limit: '1' } })
    expect(await ask({ userId: id, limit: '1', cursor: body.nextCursor })).toEqual(['ban-user'])
  })
})
