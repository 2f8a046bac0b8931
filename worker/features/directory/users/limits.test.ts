import { afterEach, describe, expect, it, vi } from 'vitest'
import { env, TestApp } from '../../../testing/harness.ts'
import { anotherDevice, company } from '../../../testing/organizations.ts'
import { count, insertRows, rowOf, rowsOf } from '../../../testing/rows.ts'
import { patchOf, scimClient, scimDirectory } from '../../../testing/scim.ts'
import { addUser } from '../../../testing/states.ts'

afterEach(() => vi.restoreAllMocks())

const on = { rateLimit: { enabled: false }, enterprise: { enabled: true } }
const status = async (answer: Promise<{ status: number }>) => (await answer).status
const remove = (id: string) => ({ method: 'DELETE', path: `/Users/${id}` })

describe('the limits of a directory', () => {
  it('without a verified domain: ten users and ten groups of the organization, in all its connections', async () => {
    const app = new TestApp(on)
    const { scim, at } = await scimDirectory(app, 'acme', null)
    const { device } = at.owner
    const config = { type: 'oidc', issuer: 'https://idp.example.org', clientId: 'c' }
    const second = (await device.post('/sso/create-connection', { name: 'B', config, clientSecret: 'x' })).body.id
    const { token } = (await device.post('/sso/create-directory-token', { connectionId: second })).body
    const other = scimClient(app, second, token)
    for (let n = 0; n < 9; n++) expect(await status(scim('POST', '/Users', { userName: `u${n}` }))).toBe(201)
    expect(await status(other('POST', '/Users', { userName: 'u9' }))).toBe(201)
    expect(await scim('POST', '/Users', { userName: 'u10' })).toMatchObject({ status: 403, body: { status: '403' } })
    expect(await status(other('POST', '/Users', { userName: 'u10' }))).toBe(403)
    for (let n = 0; n < 10; n++) expect(await status(scim('POST', '/Groups', { displayName: `g${n}` }))).toBe(201)
    expect(await status(other('POST', '/Groups', { displayName: 'g10' }))).toBe(403)
    const operation = { method: 'POST', path: '/Users', bulkId: 'x', data: { userName: 'u10' } }
    expect((await scim('POST', '/Bulk', { Operations: [operation] })).body.Operations[0].status).toBe('403')
    const [{ id }] = (await scim('GET', '/Users')).body.Resources
    expect(await status(scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'title', value: 'T' })))).toBe(200)
    const now = new Date()
    const verified = { verifiedAt: now, checkedAt: now, createdAt: now, missingSince: null, connectionId: null }
    await insertRows('organization_domains', {
      id: 'd',
      organizationId: at.id,
      domain: 'a.example',
      token: 'x',
      ...verified,
    })
    expect(await status(scim('POST', '/Users', { userName: 'u10' }))).toBe(201)
  })

  it('4 KB of a user, in a request of each kind; a larger one of an earlier version does not grow', async () => {
    const { scim } = await scimDirectory(new TestApp(on), 'acme', 'example.com')
    const large = { userName: 'x', title: 'é'.repeat(1200), nickName: 'n'.repeat(1800) }
    expect(await status(scim('POST', '/Users', large))).toBe(413)
    const { id } = (await scim('POST', '/Users', { userName: 'x', title: 't'.repeat(3000) })).body
    expect(await status(scim('PUT', `/Users/${id}`, large))).toBe(413)
    const grow = patchOf({ op: 'add', path: 'nickName', value: 'n'.repeat(1800) })
    expect(await status(scim('PATCH', `/Users/${id}`, grow))).toBe(413)
    const operations = [{ method: 'PATCH', path: `/Users/${id}`, data: grow }]
    expect((await scim('POST', '/Bulk', { Operations: operations })).body.Operations[0].status).toBe('413')
  })

  it('bytes of the organization, which follow each write, and of the deployment, with an alarm', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const app = new TestApp({ ...on, directory: { maxBytes: 6000, maxTotalBytes: 9000 } })
    const { scim, at, connectionId } = await scimDirectory(app, 'acme', 'example.com')
    const bytes = async () => {
      const kept = await env.DB.prepare(`select value from table_counts where name = 'directory-bytes'`).first('value')
      expect(kept).toBe(await env.DB.prepare('select coalesce(sum(bytes), 0) as sum from directory_usage').first('sum'))
      return (await rowOf('directory_usage', { connectionId }))?.bytes
    }
    const big = (userName: string) => scim('POST', '/Users', { userName, title: 't'.repeat(1500) })
    const { id } = (await big('a')).body
    expect(await status(big('b'))).toBe(201)
    const before = await bytes()
    expect(before).toBeGreaterThan(5000)
    expect(await big('c')).toMatchObject({ status: 403, body: { detail: expect.stringMatching(/organization/) } })
    expect(await bytes()).toBe(before)
    // An earlier version has counted none.
    await env.DB.prepare('delete from directory_usage').run()
    await scim('PATCH', `/Users/${id}`, patchOf({ op: 'remove', path: 'title' }))
    expect(await bytes()).toBeLessThan(before! - 1500)
    expect(await bytes()).toBeGreaterThan(before! - 2000)
    expect(await status(scim('POST', '/Users', { userName: 'd' }))).toBe(201)
    const grow = patchOf({ op: 'add', path: 'title', value: 't'.repeat(3000) })
    expect(await status(scim('PATCH', `/Users/${id}`, grow))).toBe(403)
    // The deployment.
    const other = await scimDirectory(app, 'other', 'other.example')
    await other.scim('POST', '/Users', { userName: 'a', title: 't'.repeat(1500) })
    const full = await other.scim('POST', '/Users', { userName: 'b', title: 't'.repeat(2000) })
    expect(full).toMatchObject({ status: 403, body: { detail: expect.stringMatching(/deployment/) } })
    expect(error.mock.calls.join()).toContain('directory-full')
    await addUser({ email: 'root@example.com', emailVerified: true, role: 'admin' })
    await app.runScheduled()
    expect(error.mock.calls.join()).toContain('directory-nearly-full')
    await app.runScheduled()
    const mails = (await app.mailbox()).filter(({ subject }) => subject.includes('nearly full'))
    expect(mails).toMatchObject([{ to: 'root@example.com', text: expect.stringMatching(/take \d+ %/) }])
    // Deleted entries and connections free their bytes.
    for (const { id } of (await scim('GET', '/Users')).body.Resources) await scim('DELETE', `/Users/${id}`)
    expect(await bytes()).toBe(0)
    await at.owner.device.post('/sso/delete-connection', { connectionId })
    expect(await count('directory_usage', { connectionId })).toBe(0)
    expect(await bytes()).toBeUndefined()
  })

  it('operations in a minute: each one of a bulk request counts', async () => {
    const limited = { ...on, rateLimit: { enabled: true }, directory: { rateLimit: { max: 10, window: 60 } } }
    const { connectionId, token } = await scimDirectory(new TestApp(on), 'acme', null)
    const scim = scimClient(new TestApp(limited), connectionId, token)
    const bulk = (size: number) =>
      scim('POST', '/Bulk', { Operations: Array.from({ length: size }, (_, n) => remove(String(n))) })
    expect(await status(bulk(6))).toBe(200)
    expect(await status(bulk(5))).toBe(429)
    expect(await status(bulk(1))).toBe(200)
    expect(await status(scim('GET', '/Users'))).toBe(200)
    expect(await status(scim('GET', '/Users'))).toBe(200)
    expect(await status(scim('GET', '/Users'))).toBe(429)
  })

  it('ten parallel changes of one group, and of one user, all succeed', async () => {
    const { scim } = await scimDirectory(new TestApp(on), 'acme', 'example.com')
    const ids: string[] = []
    for (let n = 0; n < 10; n++) ids.push((await scim('POST', '/Users', { userName: `u${n}` })).body.id)
    const group = (await scim('POST', '/Groups', { displayName: 'G' })).body.id
    const add = (value: string) => patchOf({ op: 'add', path: 'members', value: [{ value }] })
    const added = await Promise.all(ids.map((id) => scim('PATCH', `/Groups/${group}`, add(id))))
    expect(added.map(({ status }) => status)).toEqual(ids.map(() => 204))
    expect((await scim('GET', `/Groups/${group}`)).body.members).toHaveLength(10)
    const versions = new Set(added.map(({ headers }) => headers.get('etag')))
    expect(versions.size).toBe(10)
    const changes = ids.map((_, n) => patchOf({ op: 'add', path: 'emails', value: [{ value: `e${n}@x.example` }] }))
    const changed = await Promise.all(changes.map((change) => scim('PATCH', `/Users/${ids[0]}`, change)))
    expect(changed.map(({ status }) => status)).toEqual(ids.map(() => 200))
    expect((await scim('GET', `/Users/${ids[0]}`)).body.emails).toHaveLength(10)
  })
})

describe('an account that a directory has created', () => {
  const person = (email: string) => ({ userName: email, emails: [{ value: email, primary: true }] })

  it('goes with its entry: create and delete leave nothing', async () => {
    const app = new TestApp(on)
    const { scim, at } = await scimDirectory(app, 'acme', 'example.com')
    for (const isActive of [true, false]) {
      const { id } = (await scim('POST', '/Users', person('ada@example.com'))).body
      expect(await count('users', { email: 'ada@example.com' })).toBe(1)
      if (!isActive) await scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'active', value: false }))
      expect(await status(scim('DELETE', `/Users/${id}`))).toBe(204)
      expect(await count('users', { email: 'ada@example.com' })).toBe(0)
      for (const table of ['directory_accounts', 'directory_departures', 'directory_users'] as const) {
        expect(await rowsOf(table)).toEqual([])
      }
    }
    expect(await count('members', { organizationId: at.id })).toBe(1)
  })

  it('remains once its user has entered it, or something else needs it', async () => {
    const app = new TestApp(on)
    const { scim } = await scimDirectory(app, 'acme', 'example.com')
    const other = await company(app, 'other')
    const known = await addUser({ name: 'Known', email: 'known@example.com', emailVerified: true })
    const created: Record<string, string> = {}
    for (const name of ['entered', 'member', 'identity', 'known']) {
      created[name] = (await scim('POST', '/Users', person(`${name}@example.com`))).body.id
    }
    const userOf = async (name: string) => (await rowOf('users', { email: `${name}@example.com` }))!
    const browser = app.device()
    await browser.post('/sign-in/magic-link', { email: 'entered@example.com', callbackURL: '/dash' })
    await browser.get(await app.linkTo('entered@example.com'))
    const times = { createdAt: new Date(), updatedAt: new Date() }
    const { id: member } = await userOf('member')
    await insertRows('members', {
      id: 'm',
      organizationId: other.id,
      userId: member,
      role: 'member',
      createdAt: new Date(),
    })
    const { id: userId } = await userOf('identity')
    await insertRows('accounts', { id: 'a', providerId: 'google', accountId: 'g', userId, ...times })
    for (const name of Object.keys(created)) {
      expect(await status(scim('DELETE', `/Users/${created[name]}`))).toBe(204)
      expect({ name, users: await count('users', { email: `${name}@example.com` }) }).toEqual({ name, users: 1 })
    }
    expect((await userOf('known')).id).toBe(known.id)
  })

  it('a hook that refuses the deletion keeps it, without access', async () => {
    const refuse = () => ({ refuse: { code: 'KEPT', message: 'kept' } })
    const app = new TestApp({ ...on, hooks: { deletingUser: refuse } } as never)
    const { scim } = await scimDirectory(app, 'acme', 'example.com')
    const { id } = (await scim('POST', '/Users', person('ada@example.com'))).body
    expect(await status(scim('DELETE', `/Users/${id}`))).toBe(204)
    const user = (await rowOf('users', { email: 'ada@example.com' }))!
    expect(await count('members', { userId: user.id })).toBe(0)
    expect(await count('directory_users')).toBe(0)
  })

  it('goes after the deletion of the organization; after that of the connection, members remain', async () => {
    const app = new TestApp(on)
    const acme = await scimDirectory(app, 'acme', 'example.com')
    const other = await scimDirectory(app, 'other', 'other.example')
    await acme.scim('POST', '/Users', person('ada@example.com'))
    const { id } = (await acme.scim('POST', '/Users', person('gone@example.com'))).body
    await acme.scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'active', value: false }))
    await other.scim('POST', '/Users', person('bea@other.example'))
    const { device } = acme.at.owner
    expect(await status(device.post('/sso/delete-connection', { connectionId: acme.connectionId }))).toBe(200)
    const owner = await anotherDevice(app, other.at.owner.id)
    expect(await status(owner.post('/organization/delete', { organizationId: other.at.id }))).toBe(200)
    await app.runScheduled()
    const left = (await rowsOf('users')).map(({ email }) => email)
    expect(left).toContain('ada@example.com')
    expect(left).not.toContain('gone@example.com')
    expect(left).not.toContain('bea@other.example')
  })
})
