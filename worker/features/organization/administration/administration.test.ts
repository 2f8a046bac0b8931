import { describe, expect, it } from 'vitest'
import { administrator, auditRows, type Known, plain, withRole } from '../../../testing/admins.ts'
import { FaultInjector } from '../../../testing/faults.ts'
import { type Device, env, TestApp } from '../../../testing/harness.ts'
import { activeOf, type Company, colleague, company, fill, invite, snapshot } from '../../../testing/organizations.ts'
import { alice, bob } from '../../../testing/people.ts'
import { insertRows, rowsOf } from '../../../testing/rows.ts'
import { updateUsers } from '../../../testing/states.ts'
import { serverCall } from '../../../testing/ways.ts'
import { transferOrganization } from './administration.ts'

const newApp = (config: object = {}) => new TestApp({ rateLimit: { enabled: false }, ...config })

const list = async (device: Device, query: Record<string, string> = {}) => {
  const { status, body } = await device.get('/admin/list-organizations', { query })
  expect(status).toBe(200)
  return body as {
    organizations: { slug: string; memberCount: number }[]
    nextCursor: string | null
    moreMatch: boolean
  }
}
const slugsOf = ({ organizations }: { organizations: { slug: string }[] }) => organizations.map(({ slug }) => slug)

/** Adds organizations without members, the n-th one created n seconds after the epoch. */
const addMany = (count: number, name: (n: number) => string) =>
  insertRows(
    'organizations',
    ...Array.from({ length: count }, (_, n) => ({
      id: `many-${n}`,
      name: name(n),
      slug: `many-${n}`,
      createdAt: new Date(n * 1000),
    })),
  )

async function scene(config?: object) {
  const app = newApp(config)
  const boss = await administrator(app)
  const at = await company(app, 'acme')
  const carol = await colleague(app, at, 'Carol')
  return { app, boss, at, carol }
}

const rolesAt = async (at: Company) =>
  Object.fromEntries((await rowsOf('members')).filter((m) => m.organizationId === at.id).map((m) => [m.userId, m.role]))

describe('the list of all organizations', () => {
  it('has pages by cursor, newest first, with the number of members', async () => {
    const { boss, at } = await scene()
    await addMany(5, (n) => `Many ${n}`)
    const first = await list(boss.device, { limit: '3' })
    expect(first.organizations[0]).toEqual({
      id: at.id,
      name: 'ACME',
      slug: 'acme',
      logo: null,
      createdAt: expect.any(String),
      memberCount: 2,
    })
    expect(slugsOf(first)).toEqual(['acme', 'many-4', 'many-3'])
    const second = await list(boss.device, { limit: '3', cursor: first.nextCursor! })
    expect(slugsOf(second)).toEqual(['many-2', 'many-1', 'many-0'])
    expect(second.nextCursor).toBeNull()
    const { body } = await boss.device.get('/admin/list-organizations', { query: { cursor: 'rubbish' } })
    expect(body.code).toBe('INVALID_CURSOR')
  })

  it('finds the beginning of a name in any case, of a slug, and a whole id; it says when others match', async () => {
    const { boss, at } = await scene()
    await addMany(4, (n) => `Ümlaut & Söhne ${n}`)
    const find = async (search: string, limit = '50') => slugsOf(await list(boss.device, { search, limit }))
    expect(await find('acm')).toEqual(['acme'])
    expect(await find('AcM')).toEqual(['acme'])
    expect(await find('cme')).toEqual([])
    expect(await find('many-2')).toEqual(['many-2'])
    expect(await find(at.id)).toEqual(['acme'])
    expect(await find('Ümlaut')).toHaveLength(4)
    expect(await find("' or 1=1 --")).toEqual([])
    expect(await list(boss.device, { search: 'MANY', limit: '3' })).toMatchObject({ nextCursor: null, moreMatch: true })
    expect(await list(boss.device, { search: 'many', limit: '4' })).toMatchObject({ moreMatch: false })
  })

  it('reads a page and a search from an index', async () => {
    const plan = async (sql: string) => {
      const { results } = await env.DB.prepare(`explain query plan ${sql}`).all<{ detail: string }>()
      return results.map(({ detail }) => detail).join('\n')
    }
    expect(
      await plan(
        'select id from organizations where (created_at, id) < (1, 1) order by created_at desc, id desc limit 9',
      ),
    ).toMatch(/organizations_creation/)
    expect(
      await plan(
        `select id from organizations where name collate nocase >= 'a' and name collate nocase < 'b' order by name collate nocase limit 9`,
      ),
    ).toMatch(/SEARCH organizations USING (COVERING )?INDEX organizations_name/)
  })
})

describe('an organization, for administrators', () => {
  it('has its members, owners first, its teams and its pending invitations without their secrets', async () => {
    const { boss, at, carol } = await scene({ organization: { teams: { enabled: true } } })
    const invitation = await invite(at, bob.email, 'admin')
    await insertRows('invitations', {
      id: 'over',
      organizationId: at.id,
      email: 'late@example.com',
      status: 'pending',
      inviterId: at.owner.id,
      createdAt: new Date(0),
      expiresAt: new Date(1),
    })
    // The owner is not the earliest member.
    await env.DB.exec(`update members set created_at = 5 where user_id = '${carol.id}'`)
    const { status, body } = await boss.device.get('/admin/get-organization', { query: { id: at.id } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: at.id, name: 'ACME', slug: 'acme', memberCount: 2, teams: [{ name: 'ACME' }] })
    expect(body.members.map((one: any) => [one.user.email, one.role])).toEqual([
      [at.owner.email, 'owner'],
      [carol.email, 'member'],
    ])
    expect(body.invitations).toEqual([
      {
        email: bob.email,
        role: 'admin',
        teamId: null,
        inviterName: 'acme-owner',
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
      },
    ])
    expect(JSON.stringify(body)).not.toContain(invitation)
    const missing = await boss.device.get('/admin/get-organization', { query: { id: 'unknown' } })
    expect(missing).toMatchObject({ status: 404, body: { code: 'ORGANIZATION_NOT_FOUND' } })
  })

  it('lists at most 1000 members and counts no further', async () => {
    const { boss, at } = await scene()
    await fill(at, { members: 1005 })
    const { body } = await boss.device.get('/admin/get-organization', { query: { id: at.id } })
    expect([body.members.length, body.memberCount]).toEqual([1000, 1000])
  })
})

describe('permissions', () => {
  const calls = (at: Company, memberId: string): [string, object][] => [
    ['/admin/update-organization-member', { organizationId: at.id, memberId, role: 'admin' }],
    ['/admin/remove-organization-member', { organizationId: at.id, memberId }],
    ['/admin/transfer-organization', { organizationId: at.id, memberId, formerRole: 'admin' }],
    ['/admin/delete-organization', { organizationId: at.id }],
  ]
  const reads = (at: Company): [string, Record<string, string>][] => [
    ['/admin/list-organizations', {}],
    ['/admin/get-organization', { id: at.id }],
  ]

  it('users, an owner, and administrators without the permission are refused, and nothing changes', async () => {
    const { app, at, carol } = await scene({ admin: { roles: { reader: { user: ['list'], organization: ['list'] } } } })
    const reader = await withRole(app, alice, 'reader')
    const user = await plain(app, bob)
    const before = await snapshot()
    for (const device of [user.device, at.owner.device, reader.device]) {
      for (const [path, body] of calls(at, carol.member)) {
        expect({ path, status: (await device.post(path, body)).status }).toEqual({ path, status: 403 })
      }
      for (const [path, query] of reads(at)) {
        const expected = device === reader.device ? 200 : 403
        expect({ path, status: (await device.get(path, { query })).status }).toEqual({ path, status: expected })
      }
    }
    expect(await snapshot()).toBe(before)
    expect(await auditRows()).toEqual([])
  })

  it('without organizations or without administration the paths do not exist', async () => {
    const { boss, at } = await scene()
    for (const off of [{ organization: { enabled: false } }, { admin: { enabled: false } }]) {
      const device = newApp(off).device()
      for (const [name, value] of boss.device.jar) device.jar.set(name, value)
      for (const [path, query] of reads(at)) expect((await device.get(path, { query })).status).toBe(404)
    }
  })

  it('an administrator who loses the role before the batch changes nothing', async () => {
    const faults = new FaultInjector()
    const app = new TestApp({ rateLimit: { enabled: false } }, faults.bindings(), false)
    const boss = await administrator(app)
    const at = await company(app, 'acme')
    const carol = await colleague(app, at, 'Carol')
    for (const [path, body] of calls(at, carol.member)) {
      const before = await snapshot()
      faults.watch()
      // The read of the caller, the read of the organization, the batch.
      faults.before(3, () => updateUsers({ role: 'user' }, { id: boss.id }))
      const answer = await boss.device.post(path, body)
      expect([answer.status, answer.body.code]).toEqual([409, 'THE_ORGANIZATION_HAS_CHANGED_IN_THE_MEANTIME'])
      expect(await snapshot()).toBe(before)
      await updateUsers({ role: 'admin' }, { id: boss.id })
    }
  })
})

describe('changes by administrators', () => {
  const audited = async ({ id }: Known) =>
    (await auditRows()).map((row) => {
      expect(row.actor_id).toBe(id)
      return [row.action, row.subject_id, JSON.parse(row.before), JSON.parse(row.after)]
    })

  it('a role: stored, audited, and mailed to the member; the last owner stays one', async () => {
    const { app, boss, at, carol } = await scene()
    const change = (memberId: string, role: string) =>
      boss.device.post('/admin/update-organization-member', { organizationId: at.id, memberId, role })
    await app.clearMailbox()
    expect(await change(carol.member, 'admin')).toMatchObject({ status: 200, body: { role: 'admin' } })
    expect((await app.mailbox()).map(({ to, subject }) => [to, subject])).toEqual([
      [carol.email, 'Your role at ACME has changed'],
    ])
    expect(await audited(boss)).toEqual([
      ['update-organization-member', carol.id, { role: 'member' }, { role: 'admin', organization: 'ACME' }],
    ])
    expect((await change(at.ownerMember, 'member')).body.code).toBe('THE_LAST_OWNER_MUST_REMAIN')
    expect((await change(carol.member, 'emperor')).body.code).toBe('ROLE_NOT_FOUND')
    expect((await change('unknown', 'admin')).body.code).toBe('MEMBER_NOT_FOUND')
    expect(await auditRows()).toHaveLength(1)
    expect((await change(carol.member, 'owner')).status).toBe(200)
    expect((await change(at.ownerMember, 'member')).status).toBe(200)
    expect(await rolesAt(at)).toEqual({ [at.owner.id]: 'member', [carol.id]: 'owner' })
  })

  it('a member of another organization is not found', async () => {
    const { app, boss, carol } = await scene()
    const other = await company(app, 'beta')
    const at = { organizationId: other.id, memberId: carol.member }
    for (const [path, more] of [
      ['/admin/update-organization-member', { role: 'admin' }],
      ['/admin/remove-organization-member', {}],
      ['/admin/transfer-organization', { formerRole: 'admin' }],
      ['/admin/transfer-organization', { memberId: other.ownerMember, from: carol.member, formerRole: 'admin' }],
    ] as const) {
      const { status, body } = await boss.device.post(path, { ...at, ...more })
      expect([status, body.code]).toEqual([400, 'memberId' in more ? 'MEMBER_IS_ALREADY_AN_OWNER' : 'MEMBER_NOT_FOUND'])
    }
  })

  it('a removal: the organization closes in the sessions of the member, who gets a mail; not of the last owner', async () => {
    const { app, boss, at, carol } = await scene()
    const remove = (memberId: string) =>
      boss.device.post('/admin/remove-organization-member', { organizationId: at.id, memberId })
    expect((await remove(at.ownerMember)).body.code).toBe('THE_LAST_OWNER_MUST_REMAIN')
    await app.clearMailbox()
    expect((await remove(carol.member)).status).toBe(200)
    expect((await app.mailbox()).map(({ to }) => to)).toEqual([carol.email])
    expect(await activeOf(carol.device)).toBeNull()
    expect(await rolesAt(at)).toEqual({ [at.owner.id]: 'owner' })
    expect(await audited(boss)).toEqual([
      ['remove-organization-member', carol.id, { role: 'member' }, { organization: 'ACME' }],
    ])
  })

  it('a transfer: one owner instead of the other, in one batch, audited for both', async () => {
    const { app, boss, at, carol } = await scene()
    const transfer = (more: object) =>
      boss.device.post('/admin/transfer-organization', { organizationId: at.id, formerRole: 'admin', ...more })
    expect((await transfer({ memberId: at.ownerMember })).body.code).toBe('MEMBER_IS_ALREADY_AN_OWNER')
    await app.clearMailbox()
    expect(await transfer({ memberId: carol.member })).toMatchObject({ status: 200, body: { role: 'owner' } })
    expect(await rolesAt(at)).toEqual({ [at.owner.id]: 'admin', [carol.id]: 'owner' })
    expect((await app.mailbox()).map(({ to }) => to).sort()).toEqual([at.owner.email, carol.email].sort())
    expect(await audited(boss)).toEqual([
      ['transfer-organization', carol.id, { role: 'member' }, { role: 'owner', organization: 'ACME' }],
      ['transfer-organization', at.owner.id, { role: 'owner' }, { role: 'admin', organization: 'ACME' }],
    ])
  })

  it('a transfer among several owners names the former one; without any owner the member becomes the only one', async () => {
    const { app, boss, at, carol } = await scene()
    const dave = await colleague(app, at, 'Dave', 'owner')
    const transfer = (more: object) =>
      boss.device.post('/admin/transfer-organization', {
        organizationId: at.id,
        memberId: carol.member,
        formerRole: 'member',
        ...more,
      })
    expect((await transfer({})).body.code).toBe('FORMER_OWNER_IS_REQUIRED')
    expect((await transfer({ from: carol.member })).body.code).toBe('MEMBER_NOT_FOUND')
    expect((await transfer({ from: dave.member })).status).toBe(200)
    expect(await rolesAt(at)).toEqual({ [at.owner.id]: 'owner', [carol.id]: 'owner', [dave.id]: 'member' })
    await env.DB.exec("update members set role = 'member'")
    expect((await transfer({})).status).toBe(200)
    expect(await rolesAt(at)).toEqual({ [at.owner.id]: 'member', [carol.id]: 'owner', [dave.id]: 'member' })
  })

  it('a deletion: everything of the organization, also where its owners may not', async () => {
    const { boss, at } = await scene({ organization: { disableOrganizationDeletion: true } })
    await invite(at, bob.email)
    const remove = () => boss.device.post('/admin/delete-organization', { organizationId: at.id })
    expect((await remove()).status).toBe(200)
    for (const table of ['organizations', 'members', 'invitations'] as const) expect(await rowsOf(table)).toEqual([])
    expect((await rowsOf('sessions')).filter((one) => one.activeOrganizationId !== null)).toEqual([])
    expect(await audited(boss)).toEqual([['delete-organization', at.id, { name: 'ACME', slug: 'acme' }, {}]])
    expect((await remove()).body.code).toBe('ORGANIZATION_NOT_FOUND')
  })

  it('an administrator who is the member: no mail, and their session closes the organization', async () => {
    const { app, at } = await scene()
    const member = await colleague(app, at, 'Erin')
    await updateUsers({ role: 'admin' }, { id: member.id })
    await app.clearMailbox()
    const erin = member.device
    expect(
      (await erin.post('/admin/remove-organization-member', { organizationId: at.id, memberId: member.member })).status,
    ).toBe(200)
    expect(await app.mailbox()).toEqual([])
    expect(await activeOf(erin)).toBeNull()
  })

  it.each(['update-organization-member', 'remove-organization-member', 'transfer-organization', 'delete-organization'])(
    '%s: without its line in the audit log nothing changes',
    async (action) => {
      const { boss, at, carol } = await scene()
      const before = await snapshot()
      await env.DB.exec("create trigger no_audit before insert on audit_records begin select raise(abort, 'full'); end")
      const choice = { organizationId: at.id, memberId: carol.member }
      const body = {
        ...choice,
        ...(action.startsWith('update') ? { role: 'admin' } : {}),
        ...(action.startsWith('transfer') ? { formerRole: 'admin' } : {}),
      }
      const { status } = await boss.device.post(
        `/admin/${action}`,
        action.startsWith('delete') ? { organizationId: at.id } : body,
      )
      await env.DB.exec('drop trigger no_audit')
      expect(status).toBeGreaterThanOrEqual(500)
      expect(await snapshot()).toBe(before)
    },
  )
})

describe('for servers', () => {
  it('the same operations, audited without an actor', async () => {
    const { app, at, carol } = await scene()
    await serverCall(app, (scope) =>
      transferOrganization(scope, null, { organizationId: at.id, memberId: carol.member, formerRole: 'member' }),
    )
    expect(await rolesAt(at)).toEqual({ [at.owner.id]: 'member', [carol.id]: 'owner' })
    expect((await auditRows()).map(({ actor_id }) => actor_id)).toEqual([null, null])
  })
})
