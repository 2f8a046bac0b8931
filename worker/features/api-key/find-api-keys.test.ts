import { describe, expect, it } from 'vitest'
import { administrator, withRole } from '../../testing/admins.ts'
import { env, outcome, TestApp } from '../../testing/harness.ts'
import { company, someone } from '../../testing/organizations.ts'
import { bob } from '../../testing/people.ts'
import { insertRows } from '../../testing/rows.ts'

const key = (id: string, values: object) => ({
  id,
  keyHash: `hash-of-${id}`,
  enabled: true,
  rateLimitEnabled: false,
  requestCount: 0,
  createdAt: new Date(1),
  updatedAt: new Date(1),
  ...values,
})

async function scene() {
  const app = new TestApp()
  const boss = await administrator(app)
  const at = await company(app, 'acme')
  const carol = await someone(app, 'carol')
  await insertRows(
    'api_keys',
    key('key-1', { name: 'Deploy', start: 'gh_abc', userId: carol.id }),
    key('key-2', { name: 'deploy to staging', start: 'gh_abd', organizationId: at.id }),
    key('key-3', { name: 'key-1', start: 'zz_1', userId: carol.id }),
    key('other', { name: null, start: 'gh_xyz', userId: carol.id }),
  )
  const find = async (search: string, limit?: string) => {
    const { body } = await boss.device.get('/admin/find-api-keys', { query: { search, ...(limit && { limit }) } })
    return body.keys.map(({ id }: { id: string }) => id)
  }
  return { app, boss, at, carol, find }
}

describe('GET /admin/find-api-keys', () => {
  it('finds the beginning of an id, of a name in any case, and of the shown characters; a whole id is first', async () => {
    const { find } = await scene()
    expect(await find('key-')).toEqual(['key-1', 'key-2', 'key-3'])
    expect(await find('key-1')).toEqual(['key-1', 'key-3'])
    expect(await find('key-1', '1')).toEqual(['key-1'])
    expect(await find('  DEPLOY ')).toEqual(['key-1', 'key-2'])
    expect(await find('gh_ab')).toEqual(['key-1', 'key-2'])
    expect(await find('gh_x')).toEqual(['other'])
    expect(await find('eploy')).toEqual([])
    expect(await find("' or 1=1 --")).toEqual([])
    expect(await find('%')).toEqual([])
  })

  it('names the owner, and has no secret', async () => {
    const { boss, at, carol } = await scene()
    const { body } = await boss.device.get('/admin/find-api-keys', { query: { search: 'deploy' } })
    expect(body.keys).toMatchObject([
      { id: 'key-1', start: 'gh_abc', userId: carol.id, organizationId: null, ownerName: 'carol', enabled: true },
      { id: 'key-2', userId: null, organizationId: at.id, ownerName: 'ACME', createdAt: new Date(1).toISOString() },
    ])
    expect(JSON.stringify(body)).not.toContain('hash-of')
  })

  it('reads as much among 20,000 keys: indexes find them', async () => {
    const { find, carol } = await scene()
    await env.DB.exec(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000) insert into api_keys (id, name, start, key_hash, user_id, enabled, rate_limit_enabled, request_count, created_at, updated_at) select 'many-' || i, 'Many ' || i, 'mn_' || i, 'hash-' || i, '${carol.id}', 1, 0, 0, 1, 1 from n`,
    )
    // The harness compares the rows that a request reads with the budget of the contract.
    for (const search of ['m', 'many', 'many-7', 'mn_', 'k'])
      expect((await find(search, '50')).length).toBeGreaterThan(0)
    expect(await find('many-777', '50')).toEqual(['many-777', ...Array.from({ length: 10 }, (_, n) => `many-777${n}`)])
  })

  it('requires the permission', async () => {
    const app = new TestApp({ admin: { roles: { support: { user: ['list'] }, keys: { apiKey: ['list'] } } } })
    const statusFor = async (role: string) => {
      const { device } = await withRole(app, { ...bob, email: `${role}@example.com` }, role)
      return outcome(await device.get('/admin/find-api-keys', { query: { search: 'a' } })).status
    }
    expect(await statusFor('support')).toBe(403)
    expect(await statusFor('user')).toBe(403)
    expect(await statusFor('keys')).toBe(200)
    expect((await app.device().get('/admin/find-api-keys', { query: { search: 'a' } })).status).toBe(401)
  })

  it('400 without a text, or with one that is too long', async () => {
    const { boss } = await scene()
    for (const search of ['', '  ', 'x'.repeat(257)]) {
      expect((await boss.device.get('/admin/find-api-keys', { query: { search } })).status).toBe(400)
    }
  })
})
