import { describe, expect, it } from 'vitest'
import { administrator, withRole } from '../../../testing/admins.ts'
import { env, outcome, TestApp } from '../../../testing/harness.ts'
import { company, someone } from '../../../testing/organizations.ts'
import { bob } from '../../../testing/people.ts'
import { insertRows } from '../../../testing/rows.ts'

const client = <V extends { name: string }>(clientId: string, values: V) => ({
  id: `row-of-${clientId}`,
  clientId,
  clientSecret: `hash-of-${clientId}`,
  redirectURLs: ['https://app.example.com/callback'],
  type: 'web',
  authenticationScheme: 'client_secret_basic',
  registration: { grant_types: [], response_types: [] },
  createdAt: new Date(1),
  updatedAt: new Date(1),
  ...values,
})

async function scene() {
  const app = new TestApp()
  const boss = await administrator(app)
  const at = await company(app, 'acme')
  const carol = await someone(app, 'carol')
  const agent = { purpose: 'Reads', access: {}, callsPerDay: 1, unitsPerDay: 1 }
  const service = { access: {}, limit: { max: 1, window: 1 }, requireDPoP: false }
  await insertRows(
    'oauth_applications',
    client('client-1', { name: 'Notes', userId: carol.id }),
    client('client-2', { name: 'notes of an agent', organizationId: at.id, agent, state: 'active' }),
    client('client-3', { name: 'client-1', service, state: 'paused' }),
    client('unowned', { name: 'Tool', disabled: true }),
  )
  const ask = async (search: string, limit?: string) =>
    (await boss.device.get('/admin/find-clients', { query: { search, ...(limit && { limit }) } })).body.clients
  const find = async (search: string, limit?: string) =>
    (await ask(search, limit)).map(({ clientId }: { clientId: string }) => clientId)
  return { app, boss, at, carol, ask, find }
}

describe('GET /admin/find-clients', () => {
  it('finds the beginning of a client id and of a name in any case; a whole id is first', async () => {
    const { find } = await scene()
    expect(await find('client-')).toEqual(['client-3', 'client-1', 'client-2'])
    expect(await find('client-1')).toEqual(['client-1', 'client-3'])
    expect(await find('client-1', '1')).toEqual(['client-1'])
    expect(await find('NOTES')).toEqual(['client-1', 'client-2'])
    expect(await find('unowned')).toEqual(['unowned'])
    expect(await find('otes')).toEqual([])
    expect(await find("' or 1=1 --")).toEqual([])
  })

  it('names the kind and the owner, and has no secret', async () => {
    const { ask, at, carol } = await scene()
    const clients = await ask('client-')
    expect(clients).toMatchObject([
      { clientId: 'client-3', kind: 'service', ownerName: null, state: 'paused' },
      { clientId: 'client-1', kind: 'client', userId: carol.id, ownerName: 'carol', state: null, disabled: false },
      { clientId: 'client-2', kind: 'agent', organizationId: at.id, ownerName: 'ACME', state: 'active' },
    ])
    expect(await ask('unowned')).toMatchObject([{ kind: 'client', userId: null, ownerName: null, disabled: true }])
    expect(JSON.stringify(clients)).not.toContain('hash-of')
  })

  it('reads as much among 20,000 clients: indexes find them', async () => {
    const { find, carol } = await scene()
    await env.DB.exec(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000) insert into oauth_applications (id, client_id, name, redirect_urls, type, authentication_scheme, user_id, registration, created_at, updated_at) select 'row-' || i, 'many-' || i, 'Many ' || i, '[]', 'web', 'none', '${carol.id}', '{}', 1, 1 from n`,
    )
    // The harness compares the rows that a request reads with the budget of the contract.
    for (const search of ['m', 'many', 'many-7', 'c']) expect((await find(search, '50')).length).toBeGreaterThan(0)
    expect(await find('many-777', '50')).toEqual(['many-777', ...Array.from({ length: 10 }, (_, n) => `many-777${n}`)])
  })

  it('requires the permission', async () => {
    const app = new TestApp({ admin: { roles: { support: { agent: ['list'] }, clients: { client: ['list'] } } } })
    const statusFor = async (role: string) => {
      const { device } = await withRole(app, { ...bob, email: `${role}@example.com` }, role)
      return outcome(await device.get('/admin/find-clients', { query: { search: 'a' } })).status
    }
    expect(await statusFor('support')).toBe(403)
    expect(await statusFor('user')).toBe(403)
    expect(await statusFor('clients')).toBe(200)
    expect((await app.device().get('/admin/find-clients', { query: { search: 'a' } })).status).toBe(401)
  })

  it('400 without a text, or with one that is too long', async () => {
    const { boss } = await scene()
    for (const search of ['', '  ', 'x'.repeat(513)]) {
      expect((await boss.device.get('/admin/find-clients', { query: { search } })).status).toBe(400)
    }
  })
})
