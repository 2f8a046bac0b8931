import { describe, expect, it, vi } from 'vitest'
import { FaultInjector } from '../../../testing/faults.ts'
import { type Device, env, TestApp } from '../../../testing/harness.ts'
import { activeOf, colleague, company, count, invite, someone } from '../../../testing/organizations.ts'

const unlimited = { rateLimit: { enabled: false } }

/** The active organization by the row, whatever the cookies say. */
const stored = async (device: Device) =>
  (await device.get('/get-session', { query: { disableCookieCache: 'true' }, keep: false })).body.session
    .activeOrganizationId as string | null

/** A call that is done, while its answer never arrives. */
const lost = (device: Device, path: string, body: object) => device.post(`/organization/${path}`, body, { keep: false })

describe('a call that is repeated because its answer was lost', () => {
  async function cast() {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const beta = await company(app, 'beta', acme.owner)
    const { device } = acme.owner
    await activeOf(device)
    return { app, acme, beta, device }
  }

  it('set-active: to one, and to none', async () => {
    const { acme, beta, device } = await cast()
    for (const body of [{ organizationId: acme.id }, { organizationSlug: 'beta' }, { organizationId: null }]) {
      const before = await activeOf(device)
      await lost(device, 'set-active', body)
      expect(await activeOf(device)).toBe(before)
      expect((await device.post('/organization/set-active', body)).status).toBe(200)
      expect(await activeOf(device)).toBe(await stored(device))
    }
    expect(await stored(device)).toBeNull()
    expect(beta.id).not.toBe(acme.id)
  })

  it('create, leave, delete and accept: the repetition is refused, and its cookies tell what is stored', async () => {
    const { app, beta, device } = await cast()
    const max = await someone(app, 'Max')
    const invitationId = await invite(beta, max.email, 'owner')
    const steps: [Device, string, object, string][] = [
      [device, 'create', { name: 'C', slug: 'c' }, 'ORGANIZATION_ALREADY_EXISTS'],
      [max.device, 'accept-invitation', { invitationId }, 'INVITATION_NOT_FOUND'],
      [max.device, 'leave', { organizationId: beta.id }, 'MEMBER_NOT_FOUND'],
    ]
    for (const [by, path, body, code] of steps) {
      await activeOf(by)
      await lost(by, path, body)
      // Of who has left this isolate knows at once.
      if (path !== 'leave') expect(await activeOf(by)).not.toBe(await stored(by))
      expect((await by.post(`/organization/${path}`, body)).body.code).toBe(code)
      expect(await activeOf(by)).toBe(await stored(by))
    }
    const organizationId = await stored(device)
    await lost(device, 'delete', { organizationId })
    expect((await device.post('/organization/delete', { organizationId })).body.code).toBe(
      'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION',
    )
    expect([await activeOf(device), await stored(device)]).toEqual([null, null])
  })

  it('set-active, when D1 does it and its answer is lost', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const faults = new FaultInjector()
    const app = new TestApp(unlimited, faults.bindings())
    const acme = await company(app, 'acme')
    await company(app, 'beta', acme.owner)
    const { device } = acme.owner
    faults.arm({ at: 2, when: 'after' })
    const failed = await device.post('/organization/set-active', { organizationId: acme.id })
    faults.watch()
    expect([failed.status, failed.cookies]).toEqual([503, []])
    expect((await device.post('/organization/set-active', { organizationId: acme.id })).status).toBe(200)
    expect([await activeOf(device), await stored(device)]).toEqual([acme.id, acme.id])
    vi.restoreAllMocks()
  })
})

describe('an organization without a member', () => {
  const alone = async (device: Device) =>
    expect((await device.post('/organization/create', { name: 'Own', slug: 'own' })).status).toBe(200)

  it('goes with a guest who signs up, in the batch that deletes the guest', async () => {
    const app = new TestApp(unlimited)
    const device = app.device()
    await device.post('/sign-in/anonymous')
    await alone(device)
    await device.post('/sign-up/email', { name: 'Max', email: 'max@example.com', password: 'password1234' })
    expect([await count('users'), await count('members'), await count('organizations')]).toEqual([1, 0, 0])
  })

  it('goes with whoever deletes their account, whatever their role in it; a shared one stays', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const max = await colleague(app, acme, 'Max')
    await alone(max.device)
    await env.DB.prepare("update members set role = 'member' where user_id = ?").bind(max.id).run()
    expect((await max.device.post('/delete-user', {})).status).toBe(200)
    const left = await env.DB.prepare('select slug from organizations').all<{ slug: string }>()
    expect(left.results).toEqual([{ slug: 'acme' }])
  })

  it('goes with its last member, whose owner has been taken away', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const max = await colleague(app, acme, 'Max')
    await env.DB.prepare('delete from users where id = ?').bind(acme.owner.id).run()
    expect((await max.device.post('/organization/leave', { organizationId: acme.id })).status).toBe(200)
    expect(await count('organizations')).toBe(0)
  })
})

describe('a session that is not the person’s own', () => {
  it('reads, but changes no membership and deletes nothing', async () => {
    const app = new TestApp({ ...unlimited, organization: { teams: { enabled: true } } })
    const acme = await company(app, 'acme')
    const max = await colleague(app, acme, 'Max')
    await env.DB.prepare("update sessions set impersonated_by = 'an-admin' where user_id = ?").bind(acme.owner.id).run()
    const { device } = acme.owner
    for (const [path, body] of [
      ['delete', { organizationId: acme.id }],
      ['invite-member', { email: 'new@example.com', role: 'member' }],
      ['accept-invitation', { invitationId: 'x' }],
      ['reject-invitation', { invitationId: 'x' }],
      ['cancel-invitation', { invitationId: 'x' }],
      ['remove-member', { memberIdOrEmail: max.member }],
      ['update-member-role', { memberId: max.member, role: 'admin' }],
      ['leave', { organizationId: acme.id }],
      ['remove-team', { teamId: 'x' }],
    ] as const) {
      const answer = await device.post(`/organization/${path}`, body)
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'OWN_SESSION_REQUIRED'])
    }
    for (const path of ['list', 'get-full-organization', 'get-active-member', 'list-invitations', 'list-teams']) {
      expect([path, (await device.get(`/organization/${path}`)).status]).toEqual([path, 200])
    }
  })
})
