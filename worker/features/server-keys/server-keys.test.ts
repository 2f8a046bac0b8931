import { describe, expect, it } from 'vitest'
import { serverPermissionNames } from '../../kit/server-permissions.ts'
import { administrator, auditRows, plain, withRole } from '../../testing/admins.ts'
import { outcome, TestApp } from '../../testing/harness.ts'
import { alice, bob } from '../../testing/people.ts'
import { count, rowOf, rowsOf } from '../../testing/rows.ts'
import { callerWith } from '../../testing/server-keys.ts'
import { makeSessionsStale } from '../../testing/states.ts'

const newApp = (config = {}) => new TestApp({ rateLimit: { enabled: false }, ...config })
const billing = { name: 'billing', permissions: ['users:read', 'billing:read'] }

describe('POST /admin/create-server-key', () => {
  it('200: shows the key once, stores its hash, and records who created it', async () => {
    const app = newApp()
    const boss = await administrator(app)
    const { status, body } = await boss.device.post('/admin/create-server-key', {
      ...billing,
      expiresIn: 86_400,
      addresses: ['203.0.113.0/24', '2001:db8::1'],
    })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        name: 'billing',
        permissions: ['users:read', 'billing:read'],
        addresses: ['203.0.113.0/24', '2001:db8::1'],
        key: expect.stringMatching(/^gh_sk_[a-zA-Z]{48}$/),
        lastUsedAt: null,
        createdBy: { id: boss.id, name: 'Root' },
      },
    })
    expect(body.start).toBe(body.key.slice(0, 10))
    expect(new Date(body.expiresAt).getTime() - new Date(body.createdAt).getTime()).toBe(86_400_000)
    const stored = await rowsOf('server_keys')
    expect(stored).toHaveLength(1)
    expect(JSON.stringify(stored)).not.toContain(body.key)
    expect(await auditRows()).toMatchObject([
      { action: 'create-server-key', actor_id: boss.id, subject_id: body.id, ip_address: boss.device.ip },
    ])
    expect(await rowsOf('security_events', { type: 'server-key-created' })).toMatchObject([
      { userId: boss.id, details: { id: body.id, name: 'billing' } },
    ])
    expect((await app.notices()).map(({ subject }) => subject)).toEqual(['Gatehouse: a server key was created'])
    const listed = (await boss.device.get('/admin/server-keys')).body.keys
    expect(listed).toMatchObject([{ id: body.id, name: 'billing', start: body.start }])
    expect(JSON.stringify(listed)).not.toMatch(/keyHash|gh_sk_[a-zA-Z]{48}/)
  })

  it.each<[string, object]>([
    ['no name', { permissions: ['users:read'] }],
    ['an empty name', { ...billing, name: ' ' }],
    ['a name with a control character', { ...billing, name: 'a\nb' }],
    ['no permission', { ...billing, permissions: [] }],
    ['an unknown permission', { ...billing, permissions: ['users:everything'] }],
    ['an inherited name as a permission', { ...billing, permissions: ['toString'] }],
    ['an expiry in the past', { ...billing, expiresIn: -1 }],
    ['an invalid address', { ...billing, addresses: ['localhost'] }],
    ['a range that is too long', { ...billing, addresses: ['203.0.113.0/33'] }],
    ['an address in a short form', { ...billing, addresses: ['127.1'] }],
    ['too many addresses', { ...billing, addresses: Array.from({ length: 51 }, (_, n) => `203.0.113.${n}`) }],
  ])('400 for %s', async (_what, body) => {
    const { device } = await administrator(newApp())
    expect(outcome(await device.post('/admin/create-server-key', body))).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
    })
    expect(await count('server_keys')).toBe(0)
  })

  it('403 for a user, and for an administrator without the permission or a recent authentication', async () => {
    const app = newApp({ admin: { roles: { support: { user: ['list'], serverKey: ['list'] } } } })
    const person = await plain(app, alice)
    const support = await withRole(app, bob, 'support')
    for (const { device } of [person, support]) {
      expect(outcome(await device.post('/admin/create-server-key', billing))).toEqual({
        status: 403,
        code: 'YOU_ARE_NOT_ALLOWED_TO_MANAGE_SERVER_KEYS',
      })
    }
    expect((await support.device.get('/admin/server-keys')).status).toBe(200)
    const boss = await administrator(app)
    await makeSessionsStale()
    expect(outcome(await boss.device.post('/admin/create-server-key', billing))).toEqual({
      status: 403,
      code: 'SESSION_IS_NOT_FRESH',
    })
  })

  it('403 for every permission that the administrator does not have: a key does not grant more', async () => {
    const app = newApp({ admin: { roles: { clerk: { user: ['list'], serverKey: ['list', 'create'] } } } })
    const { device } = await withRole(app, bob, 'clerk')
    const granted: string[] = []
    for (const permission of serverPermissionNames) {
      const { status, body } = await device.post('/admin/create-server-key', { name: 'x', permissions: [permission] })
      if (status === 200) granted.push(permission)
      else expect(body.code).toBe('YOU_CANNOT_GRANT_MORE_PERMISSIONS_THAN_YOU_HAVE')
    }
    expect(granted).toEqual(['users:read', 'api-keys:read', 'api-keys:verify', 'billing:read', 'tokens:verify'])
    const { status } = await device.post('/admin/create-server-key', {
      name: 'x',
      permissions: ['users:read', 'users:roles'],
    })
    expect(status).toBe(403)
  })

  it('403 above the maximum number of keys', async () => {
    const { device } = await administrator(newApp({ serverKeys: { maxKeys: 2 } }))
    for (const status of [200, 200, 403]) {
      const answer = await device.post('/admin/create-server-key', billing)
      expect(answer.status).toBe(status)
    }
    expect(await count('server_keys')).toBe(2)
  })
})

describe('POST /admin/revoke-server-key', () => {
  it('200: the key stops working with its next request, and 404 for an unknown key', async () => {
    const app = newApp()
    const { device, id } = await administrator(app)
    const { body } = await device.post('/admin/create-server-key', billing)
    const server = callerWith(app, body.id, body.key)
    expect((await server.call('getUser', { userId: id })).status).toBe(200)
    expect((await device.post('/admin/revoke-server-key', { id: body.id })).body).toEqual({ success: true })
    expect(outcome(await server.call('getUser', { userId: id }))).toEqual({ status: 401, code: 'INVALID_SERVER_KEY' })
    expect(outcome(await device.post('/admin/revoke-server-key', { id: body.id }))).toEqual({
      status: 404,
      code: 'SERVER_KEY_NOT_FOUND',
    })
    expect((await auditRows()).map(({ action }) => action)).toEqual(['create-server-key', 'revoke-server-key'])
  })

  it('a deleted administrator leaves the key, which belongs to the deployment', async () => {
    const app = newApp()
    const boss = await administrator(app)
    const other = await administrator(app, bob)
    const { body } = await boss.device.post('/admin/create-server-key', billing)
    await other.device.post('/admin/remove-user', { userId: boss.id })
    expect((await callerWith(app, body.id, body.key).call('getUser', { userId: other.id })).status).toBe(200)
    expect((await rowOf('server_keys'))!.createdBy).toBeNull()
  })
})

it('serverKeys.enabled: false: neither keys nor operations over HTTP', async () => {
  const app = newApp({ serverKeys: { enabled: false } })
  const { device, id } = await administrator(app)
  expect((await device.post('/admin/create-server-key', billing)).status).toBe(404)
  expect((await device.post('/api/server/get-user', { userId: id })).status).toBe(404)
  expect(await app.serverApi().getUser({ userId: id })).toMatchObject({ ok: true })
})
