import { describe, expect, it, vi } from 'vitest'
import { FaultInjector } from '../../../testing/faults.ts'
import { type Device, TestApp } from '../../../testing/harness.ts'
import { activeOf, colleague, company, invite, type Someone, someone } from '../../../testing/organizations.ts'
import { count, storedRows } from '../../../testing/rows.ts'
import { changeRole, deleteUsers, impersonateAs } from '../../../testing/states.ts'

const unlimited = { rateLimit: { enabled: false } }

/** The active organization in the database, independent of the cookies. */
const stored = async (device: Device) =>
  (await device.get('/get-session', { query: { disableCookieCache: 'true' }, keep: false })).body.session
    .activeOrganizationId as string | null

/** A call that succeeds although its response is lost. */
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

  it('create, leave, delete and accept: the repetition is rejected, and its cookies contain the stored state', async () => {
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
      // This isolate knows immediately that the member has left.
      if (path !== 'leave') expect(await activeOf(by)).not.toBe(await stored(by))
      expect((await by.post(`/organization/${path}`, body)).body.code).toBe(code)
      expect(await activeOf(by)).toBe(await stored(by))
    }
    const organizationId = await stored(device)
    await lost(device, 'delete', { organizationId })
    expect((await device.post('/organization/delete', { organizationId })).body.code).toBe(
      'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION',
    )
    expect({ active: await activeOf(device), stored: await stored(device) }).toEqual({ active: null, stored: null })
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
    expect(failed).toMatchObject({ status: 503, cookies: [] })
    expect((await device.post('/organization/set-active', { organizationId: acme.id })).status).toBe(200)
    expect({ active: await activeOf(device), stored: await stored(device) }).toEqual({
      active: acme.id,
      stored: acme.id,
    })
    vi.restoreAllMocks()
  })
})

describe('an organization without a member', () => {
  const alone = async (device: Device) =>
    expect((await device.post('/organization/create', { name: 'Own', slug: 'own' })).status).toBe(200)

  it('passes to the account of a guest who signs up, in the batch that deletes the guest', async () => {
    const app = new TestApp({ ...unlimited, organization: { guestOrganizationLimit: 1 } })
    const device = app.device()
    await device.post('/sign-in/anonymous')
    await alone(device)
    await device.post('/sign-up/email', { name: 'Max', email: 'max@example.com', password: 'password1234' })
    expect({
      users: await count('users'),
      members: await count('members'),
      organizations: await count('organizations'),
    }).toEqual({ users: 1, members: 0, organizations: 0 })
  })

  it('is deleted with the account of its only member, in any role; a shared one remains', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const max = await colleague(app, acme, 'Max')
    await alone(max.device)
    await changeRole('member', { userId: max.id })
    expect((await max.device.post('/delete-user', {})).status).toBe(200)
    expect(await storedRows('organizations', 'slug')).toEqual([{ slug: 'acme' }])
  })

  it('is deleted with its last member after its owner was removed', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const max = await colleague(app, acme, 'Max')
    await deleteUsers({ id: acme.owner.id })
    expect((await max.device.post('/organization/leave', { organizationId: acme.id })).status).toBe(200)
    expect(await count('organizations')).toBe(0)
  })
})

describe('a session that is not the user’s own', () => {
  it('reads, but changes no membership and deletes nothing', async () => {
    const app = new TestApp({ ...unlimited, organization: { teams: { enabled: true } } })
    const acme = await company(app, 'acme')
    const max = await colleague(app, acme, 'Max')
    await impersonateAs('an-admin', { userId: acme.owner.id })
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
      expect({ path, status: answer.status, code: answer.body.code }).toEqual({
        path,
        status: 403,
        code: 'OWN_SESSION_REQUIRED',
      })
    }
    for (const path of ['list', 'get-full-organization', 'get-active-member', 'list-invitations', 'list-teams']) {
      expect({ path, status: (await device.get(`/organization/${path}`)).status }).toEqual({ path, status: 200 })
    }
  })
})

describe('a new session', () => {
  const password = 'a long enough password'

  async function member(config: object = {}) {
    const app = new TestApp({ ...unlimited, ...config })
    const email = 'mia@example.com'
    const signUp = app.device()
    const created = await signUp.post('/sign-up/email', { name: 'Mia', email, password })
    const mia: Someone = { id: created.body.user.id, email, device: signUp }
    const signIn = async () => {
      const device = app.device()
      expect((await device.post('/sign-in/email', { email, password })).status).toBe(200)
      // The cookies and the row agree.
      expect(await activeOf(device)).toBe(await stored(device))
      return device
    }
    return { app, mia, signIn }
  }

  it('is in no organization while the user has none', async () => {
    const { signIn } = await member()
    expect(await activeOf(await signIn())).toBeNull()
  })

  it('is in the only organization', async () => {
    const { mia, app, signIn } = await member()
    const acme = await company(app, 'acme', mia)
    await mia.device.post('/sign-out', {})
    expect(await activeOf(await signIn())).toBe(acme.id)
  })

  it('of several: in the chosen one, also after all sessions have ended', async () => {
    const { mia, app, signIn } = await member()
    const acme = await company(app, 'acme', mia)
    const beta = await company(app, 'beta', mia)
    expect(await activeOf(await signIn())).toBe(beta.id)
    await mia.device.post('/organization/set-active', { organizationId: acme.id })
    await mia.device.post('/revoke-sessions', {})
    expect(await count('sessions')).toBe(0)
    const device = await signIn()
    expect(await activeOf(device)).toBe(acme.id)
    // A slug of another organization changes nothing.
    await company(app, 'other')
    expect((await device.post('/organization/set-active', { organizationSlug: 'other' })).status).toBe(403)
    await device.post('/sign-out', {})
    const again = await signIn()
    expect(await activeOf(again)).toBe(acme.id)
    await again.post('/organization/set-active', { organizationId: null })
    expect(await activeOf(await signIn())).toBeNull()
  })

  it('of several: in the one whose invitation was accepted last, until the user leaves it or is removed', async () => {
    const { mia, app, signIn } = await member()
    await company(app, 'acme', mia)
    await company(app, 'beta', mia)
    const owner = await company(app, 'gamma')
    const joined = async () => {
      const invitationId = await invite(owner, mia.email)
      const device = await signIn()
      const accepted = await device.post('/organization/accept-invitation', { invitationId })
      expect(accepted.status).toBe(200)
      await device.post('/revoke-sessions', {})
      return accepted.body.member.id as string
    }
    await joined()
    const device = await signIn()
    expect(await activeOf(device)).toBe(owner.id)
    await device.post('/organization/leave', { organizationId: owner.id })
    expect(await activeOf(await signIn())).toBeNull()
    const memberIdOrEmail = await joined()
    await owner.owner.device.post('/organization/remove-member', { memberIdOrEmail, organizationId: owner.id })
    expect(await activeOf(await signIn())).toBeNull()
  })

  it('is not chosen by an administrator who impersonates the user', async () => {
    const { mia, app, signIn } = await member()
    const acme = await company(app, 'acme', mia)
    const beta = await company(app, 'beta', mia)
    await mia.device.post('/organization/set-active', { organizationId: acme.id })
    await impersonateAs('an-admin', { userId: mia.id })
    expect((await mia.device.post('/organization/set-active', { organizationId: beta.id })).status).toBe(200)
    expect(await activeOf(await signIn())).toBe(acme.id)
  })

  it('is in none without the option', async () => {
    const { mia, app, signIn } = await member({ organization: { activateOnSignIn: false } })
    await company(app, 'acme', mia)
    expect(await activeOf(await signIn())).toBeNull()
  })
})
