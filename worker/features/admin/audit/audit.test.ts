import { describe, expect, it } from 'vitest'
import { administrator, auditRows, type Known, plain } from '../../../testing/admins.ts'
import { type Device, env, TestApp } from '../../../testing/harness.ts'
import { alice } from '../../../testing/people.ts'
import { adminContract } from '../admin.contract.ts'

const newApp = () => new TestApp({ rateLimit: { enabled: false } })

const tokenOf = (device: Device) => decodeURIComponent(device.cookie('session_token')!).split('.')[0]!

/** What an act is told, and what is to be done before it. */
interface Act {
  before?(boss: Known, person: Known): Promise<unknown>
  body(person: Known): object
}

/** Every endpoint by which an administrator changes something. */
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
  '/admin/set-user-password': { body: ({ id }) => ({ userId: id, newPassword: 'password-of-admin' }) },
}

async function scene({ before, body }: Act) {
  const app = newApp()
  const boss = await administrator(app)
  const person = await plain(app, alice)
  await before?.(boss, person)
  await env.DB.exec('delete from admin_audit')
  return { boss, person, body: body(person) }
}

/** All that an act could change. */
const everything = async () => {
  const tables = ['users', 'sessions', 'accounts', 'admin_audit']
  const rows = await env.DB.batch(tables.map((table) => env.DB.prepare(`select * from ${table} order by id`)))
  return rows.map(({ results }) => results)
}

describe('the audit log', () => {
  it('knows every act: no endpoint that changes something is missing below', () => {
    const changing = Object.values(adminContract).filter(({ changes }) => changes.length > 0)
    expect(changing.map(({ path }) => path).sort()).toEqual(Object.keys(acts).sort())
  })

  it.each(Object.keys(acts))('%s: one line, with who, whom and from where, and no secret', async (path) => {
    const { boss, person, body } = await scene(acts[path]!)
    const secrets = [tokenOf(boss.device), tokenOf(person.device), 'password-of-']
    expect((await boss.device.post(path, body)).status).toBe(200)
    const lines = await auditRows()
    expect(lines).toHaveLength(1)
    const made = path === '/admin/create-user'
    expect(lines[0]).toMatchObject({
      action: path.split('/').at(-1),
      actor_id: boss.id,
      subject_id: made ? expect.any(String) : person.id,
      ip_address: boss.device.ip,
      user_agent: 'harness/1.0',
    })
    const text = JSON.stringify(lines)
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
    const { results } = await env.DB.prepare('select password from accounts').all<{ password: string }>()
    expect(results.filter(({ password }) => text.includes(password))).toEqual([])
  })

  it.each(Object.keys(acts))('%s: without its line nothing is done', async (path) => {
    const { boss, body } = await scene(acts[path]!)
    const before = await everything()
    await env.DB.exec("create trigger no_audit before insert on admin_audit begin select raise(abort, 'full'); end")
    const { status, cookies } = await boss.device.post(path, body)
    await env.DB.exec('drop trigger no_audit')
    expect([status >= 500, cookies.filter((line) => line.includes('session_token='))]).toEqual([true, []])
    expect(await everything()).toEqual(before)
  })
})
