import { describe, expect, it } from 'vitest'
import { TestApp } from '../../../testing/harness.ts'
import {
  activeOf,
  anotherDevice,
  colleague,
  company,
  fill,
  invite,
  join,
  someone,
} from '../../../testing/organizations.ts'
import { count, deleteRows, rowOf } from '../../../testing/rows.ts'
import { sessionsInOrganizations, updateUsers } from '../../../testing/states.ts'

const unlimited = { rateLimit: { enabled: false } }

async function cast() {
  const app = new TestApp(unlimited)
  const acme = await company(app, 'acme')
  const admin = await colleague(app, acme, 'Ada', 'admin')
  const member = await colleague(app, acme, 'Max')
  await app.clearMailbox()
  return { app, acme, admin, member, owner: { ...acme.owner, member: acme.ownerMember } }
}

const messages = async (app: TestApp) => (await app.mailbox()).map(({ to, subject }) => [to, subject])

describe('GET /organization/get-active-member', () => {
  it('200: the caller with their summary', async () => {
    const { member, acme } = await cast()
    const { body, io } = await member.device.get('/organization/get-active-member')
    expect(body).toEqual({
      organizationId: acme.id,
      userId: member.id,
      role: 'member',
      createdAt: expect.any(String),
      id: member.member,
      user: { id: member.id, name: 'Max', email: member.email, image: null },
    })
    expect(io.d1).toEqual([1, 1])
  })

  it('400 NO_ACTIVE_ORGANIZATION, 400 MEMBER_NOT_FOUND, 401', async () => {
    const { app, member } = await cast()
    const none = await (await someone(app, 'New')).device.get('/organization/get-active-member')
    expect(none).toMatchObject({ status: 400, body: { code: 'NO_ACTIVE_ORGANIZATION' } })
    await deleteRows('members', { id: member.member })
    const gone = await member.device.get('/organization/get-active-member')
    expect(gone).toMatchObject({ status: 400, body: { code: 'MEMBER_NOT_FOUND' } })
    expect(await activeOf(member.device)).toBeNull()
    expect((await app.device().get('/organization/get-active-member')).status).toBe(401)
  })
})

describe('POST /organization/remove-member', () => {
  it('200 by address or id: removed, deactivated in all their sessions, and a mail', async () => {
    const { app, admin, member, acme } = await cast()
    const phone = await anotherDevice(app, member.id)
    await phone.post('/organization/set-active', { organizationId: acme.id })
    const { status, body, io } = await admin.device.post('/organization/remove-member', {
      memberIdOrEmail: member.email.toUpperCase(),
    })
    expect(status).toBe(200)
    expect(body.member).toMatchObject({ id: member.member, role: 'member', user: { email: member.email } })
    expect(io.d1).toEqual([3, 3])
    expect({ device: await activeOf(member.device), phone: await activeOf(phone) }).toEqual({
      device: null,
      phone: null,
    })
    expect(await sessionsInOrganizations({ userId: member.id })).toHaveLength(0)
    expect(await messages(app)).toEqual([[member.email, 'You are no longer a member of ACME']])
    const again = await admin.device.post('/organization/remove-member', { memberIdOrEmail: member.member })
    expect(again).toMatchObject({ status: 400, body: { code: 'MEMBER_NOT_FOUND' } })
  })

  it('200: a pending invitation does not let the member return', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const bob = await someone(app, 'Bob')
    const unused = await invite(acme, bob.email)
    const other = await invite(await company(app, 'beta'), bob.email)
    const memberIdOrEmail = await join(acme, bob, 'member', { resend: true })
    expect((await acme.owner.device.post('/organization/remove-member', { memberIdOrEmail })).status).toBe(200)
    const accept = (invitationId: string) => bob.device.post('/organization/accept-invitation', { invitationId })
    expect((await accept(unused)).body).toMatchObject({ code: 'INVITATION_NOT_FOUND', reason: 'accepted' })
    expect((await accept(other)).status).toBe(200)
    expect((await accept(await invite(acme, bob.email))).status).toBe(200)
  })

  it('a placeholder address gets no mail: neither the changed or removed member nor the inviter', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const bob = await colleague(app, acme, 'Bob')
    const max = await someone(app, 'Max')
    const invitationId = await invite(acme, max.email)
    for (const { id } of [bob, acme.owner]) await updateUsers({ emailIsPlaceholder: true }, { id })
    await app.clearMailbox()
    await max.device.post('/organization/accept-invitation', { invitationId })
    const { device } = acme.owner
    await device.post('/organization/update-member-role', { memberId: bob.member, role: 'admin' })
    expect((await device.post('/organization/remove-member', { memberIdOrEmail: bob.member })).status).toBe(200)
    expect({ members: await count('members'), mails: await app.mailbox() }).toEqual({ members: 2, mails: [] })
  })

  it('an organization that is active elsewhere remains active', async () => {
    const { app, owner, member } = await cast()
    const beta = await company(app, 'beta', member)
    await owner.device.post('/organization/remove-member', { memberIdOrEmail: member.member })
    expect(await activeOf(member.device)).toBe(beta.id)
  })

  it('403 for members, and for an admin about an owner', async () => {
    const { admin, member, owner, app, acme } = await cast()
    const second = await colleague(app, acme, 'Otto', 'owner')
    for (const [by, about] of [
      [member, admin.email],
      [member, member.email],
      [admin, owner.email],
      [admin, second.member],
    ] as const) {
      const { status, body } = await by.device.post('/organization/remove-member', { memberIdOrEmail: about })
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER' })
    }
    expect(await count('members')).toBe(4)
    expect((await owner.device.post('/organization/remove-member', { memberIdOrEmail: second.member })).status).toBe(
      200,
    )
  })

  it('400 for the only owner, for an unknown organization, without an organization; 401', async () => {
    const { app, owner } = await cast()
    const remove = (memberIdOrEmail: string) => owner.device.post('/organization/remove-member', { memberIdOrEmail })
    expect((await remove(owner.email)).body).toEqual({
      code: 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER',
      message: 'You cannot leave the organization as the only owner',
    })
    expect((await remove('ghost@example.com')).body.code).toBe('MEMBER_NOT_FOUND')
    expect((await remove('')).body.code).toBe('VALIDATION_ERROR')
    const { device } = await someone(app, 'New')
    const none = await device.post('/organization/remove-member', { memberIdOrEmail: 'x' })
    expect(none).toMatchObject({ status: 400, body: { code: 'NO_ACTIVE_ORGANIZATION' } })
    expect((await app.device().post('/organization/remove-member', { memberIdOrEmail: 'x' })).status).toBe(401)
  })
})

describe('POST /organization/update-member-role', () => {
  it('200: several roles; a mail only when they change', async () => {
    const { app, admin, member, acme } = await cast()
    const set = (role: unknown) =>
      admin.device.post('/organization/update-member-role', { memberId: member.member, role })
    const { status, body, io } = await set([' admin', 'member,admin'])
    expect(status).toBe(200)
    expect(body).toEqual({
      organizationId: acme.id,
      userId: member.id,
      role: 'admin,member',
      createdAt: expect.any(String),
      id: member.member,
    })
    expect(io.d1).toEqual([3, 3])
    await set('admin,member')
    expect(await messages(app)).toEqual([[member.email, 'Your role at ACME has changed']])
    expect((await app.mailbox())[0]!.text).toContain('an admin and a member')
    expect((await set('member')).body.role).toBe('member')
  })

  it('200: an owner makes another owner and may then step back, but the last may not', async () => {
    const { owner, admin } = await cast()
    const set = (memberId: string, role: string) =>
      owner.device.post('/organization/update-member-role', { memberId, role })
    const alone = await set(owner.member, 'admin')
    expect(alone).toMatchObject({ status: 400, body: { code: 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER' } })
    expect((await set(owner.member, 'owner,admin')).body.role).toBe('owner,admin')
    expect((await set(admin.member, 'owner')).status).toBe(200)
    expect((await set(owner.member, 'member')).body.role).toBe('member')
  })

  it('403 for members; for an admin about an owner, or who would make one', async () => {
    const { owner, admin, member } = await cast()
    for (const [by, memberId, role] of [
      [member, admin.member, 'member'],
      [member, member.member, 'admin'],
      [admin, owner.member, 'member'],
      [admin, member.member, 'owner'],
      [admin, admin.member, 'owner'],
    ] as const) {
      const { status, body } = await by.device.post('/organization/update-member-role', { memberId, role })
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER' })
    }
  })

  it.each(['wizard', 'OWNER', '', ',', [], ['admin', 'wizard'], 'constructor'])(
    '400 ROLE_NOT_FOUND for %j',
    async (role) => {
      const { owner, member } = await cast()
      const { status, body } = await owner.device.post('/organization/update-member-role', {
        memberId: member.member,
        role,
      })
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'ROLE_NOT_FOUND' })
      expect(await count('members', { id: member.member, role: 'member' })).toBe(1)
    },
  )

  it('400 for an unknown member, an address in place of an id, no organization', async () => {
    const { app, owner, member } = await cast()
    for (const memberId of ['nope', member.email]) {
      const { body } = await owner.device.post('/organization/update-member-role', { memberId, role: 'admin' })
      expect(body.code).toBe('MEMBER_NOT_FOUND')
    }
    const { device } = await someone(app, 'New')
    const none = await device.post('/organization/update-member-role', { memberId: member.member, role: 'admin' })
    expect(none).toMatchObject({ status: 400, body: { code: 'NO_ACTIVE_ORGANIZATION' } })
  })
})

describe('POST /organization/leave', () => {
  it('200: the organization is no longer active, on no device', async () => {
    const { app, member, acme } = await cast()
    const phone = await anotherDevice(app, member.id)
    await phone.post('/organization/set-active', { organizationId: acme.id })
    const { status, body, io } = await member.device.post('/organization/leave', { organizationId: acme.id })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: member.member, user: { email: member.email } })
    expect(io.d1).toEqual([3, 3])
    expect({ device: await activeOf(member.device), phone: await activeOf(phone) }).toEqual({
      device: null,
      phone: null,
    })
    const again = await member.device.post('/organization/leave', { organizationId: acme.id })
    expect(again).toMatchObject({ status: 400, body: { code: 'MEMBER_NOT_FOUND' } })
  })

  it('400 for the only owner, with any further roles', async () => {
    const { owner, acme } = await cast()
    await owner.device.post('/organization/update-member-role', { memberId: owner.member, role: 'admin,owner' })
    const { status, body } = await owner.device.post('/organization/leave', { organizationId: acme.id })
    expect({ status, code: body.code }).toEqual({
      status: 400,
      code: 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER',
    })
  })

  it('20 owners in parallel: one remains', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const owners = [acme.owner]
    for (let n = 1; n < 20; n++) {
      const person = await someone(app, `o${n}`)
      await join(acme, person, 'owner')
      owners.push(person)
    }
    const answers = await Promise.all(
      owners.map(({ device }) => device.post('/organization/leave', { organizationId: acme.id })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19)
    expect(answers.find(({ status }) => status !== 200)?.body.code).toBe(
      'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER',
    )
    expect(await count('members', { role: 'owner' })).toBe(1)
  })

  it('two owners in parallel by different actions (leave, removed, demoted): one remains', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const second = await colleague(app, acme, 'Otto', 'owner')
    await Promise.all([
      acme.owner.device.post('/organization/leave', { organizationId: acme.id }),
      second.device.post('/organization/update-member-role', { memberId: second.member, role: 'member' }),
      second.device.post('/organization/remove-member', { memberIdOrEmail: acme.ownerMember }),
      acme.owner.device.post('/organization/remove-member', { memberIdOrEmail: second.member }),
    ])
    expect(await count('members', { role: 'owner' })).toBe(1)
  })
})

describe('add-member', () => {
  it('404 over HTTP, also for owners', async () => {
    const { owner, acme, app } = await cast()
    const { id } = await someone(app, 'New')
    const body = { userId: id, role: 'member', organizationId: acme.id }
    expect((await owner.device.post('/organization/add-member', body)).status).toBe(404)
    expect(await count('members')).toBe(3)
  })

  it('by servers: adds within the limit, once, with known roles and teams of the organization', async () => {
    const { acme, app } = await cast()
    const beta = await company(new TestApp({ organization: { teams: { enabled: true } } }), 'beta')
    const api = (organization: object = {}) => new TestApp({ organization }).serverApi()
    const { id: userId } = await someone(app, 'New')
    const input = { userId, role: ['admin', ' member'], organizationId: acme.id }
    const foreignTeam = (await rowOf('teams', { organizationId: beta.id }))!.id
    const code = async (changes: object, options?: object) => {
      const answer = await api(options).addMember({ ...input, ...changes })
      return answer.ok ? 'ok' : answer.code
    }
    expect(await code({ role: 'OWNER' })).toBe('ROLE_NOT_FOUND')
    expect(await code({ organizationId: 'nope' })).toBe('ORGANIZATION_NOT_FOUND')
    expect(await code({ organizationId: '' })).toBe('NO_ACTIVE_ORGANIZATION')
    expect(await code({ userId: 'nope' })).toBe('USER_NOT_FOUND')
    expect(await code({ teamId: foreignTeam })).toBe('TEAMS_ARE_NOT_ENABLED')
    expect(await code({ teamId: foreignTeam }, { teams: { enabled: true } })).toBe('TEAM_NOT_FOUND')
    expect(await code({}, { membershipLimit: 3 })).toBe('ORGANIZATION_MEMBERSHIP_LIMIT_REACHED')
    expect(await api().addMember(input)).toMatchObject({ ok: true, result: { userId, role: 'admin,member' } })
    expect(await code({})).toBe('USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION')
  })

  it('20 in parallel for the last place: one gets it', async () => {
    const { acme, app } = await cast()
    await fill(acme, { members: 96 })
    const people = await Promise.all(Array.from({ length: 20 }, (_, n) => someone(app, `p${n}`)))
    const api = app.serverApi()
    const answers = await Promise.all(
      people.map(({ id }) => api.addMember({ userId: id, role: 'member', organizationId: acme.id })),
    )
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await count('members')).toBe(100)
  })
})
