import { describe, expect, it } from 'vitest'
import { env, TestApp } from '../../../testing/harness.ts'
import {
  activeOf,
  anotherDevice,
  colleague,
  company,
  count,
  fill,
  invite,
  join,
  someone,
} from '../../../testing/organizations.ts'

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
    expect([none.status, none.body.code]).toEqual([400, 'NO_ACTIVE_ORGANIZATION'])
    await env.DB.prepare('delete from members where id = ?').bind(member.member).run()
    const gone = await member.device.get('/organization/get-active-member')
    expect([gone.status, gone.body.code]).toEqual([400, 'MEMBER_NOT_FOUND'])
    expect(await activeOf(member.device)).toBeNull()
    expect((await app.device().get('/organization/get-active-member')).status).toBe(401)
  })
})

describe('POST /organization/remove-member', () => {
  it('200 by address or id: gone, out of all their sessions, and told by mail', async () => {
    const { app, admin, member, acme } = await cast()
    const phone = await anotherDevice(app, member.id)
    await phone.post('/organization/set-active', { organizationId: acme.id })
    const { status, body, io } = await admin.device.post('/organization/remove-member', {
      memberIdOrEmail: member.email.toUpperCase(),
    })
    expect(status).toBe(200)
    expect(body.member).toMatchObject({ id: member.member, role: 'member', user: { email: member.email } })
    expect(io.d1).toEqual([3, 3])
    expect([await activeOf(member.device), await activeOf(phone)]).toEqual([null, null])
    expect(await count('sessions', `user_id = '${member.id}' and active_organization_id is not null`)).toBe(0)
    expect(await messages(app)).toEqual([[member.email, 'You are no longer a member of ACME']])
    const again = await admin.device.post('/organization/remove-member', { memberIdOrEmail: member.member })
    expect([again.status, again.body.code]).toEqual([400, 'MEMBER_NOT_FOUND'])
  })

  it('200: an invitation that they did not use lets nobody come back', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const bob = await someone(app, 'Bob')
    const unused = await invite(acme, bob.email)
    const other = await invite(await company(app, 'beta'), bob.email)
    const memberIdOrEmail = await join(acme, bob, 'member', { resend: true })
    expect((await acme.owner.device.post('/organization/remove-member', { memberIdOrEmail })).status).toBe(200)
    const accept = (invitationId: string) => bob.device.post('/organization/accept-invitation', { invitationId })
    expect((await accept(unused)).body).toMatchObject({ code: 'INVITATION_NOT_FOUND', reason: 'canceled' })
    expect((await accept(other)).status).toBe(200)
    expect((await accept(await invite(acme, bob.email))).status).toBe(200)
  })

  it('nobody is mailed at a placeholder: not who is changed or removed, nor who has invited', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const bob = await colleague(app, acme, 'Bob')
    const max = await someone(app, 'Max')
    const invitationId = await invite(acme, max.email)
    await env.DB.prepare('update users set email_is_placeholder = 1 where id in (?, ?)')
      .bind(bob.id, acme.owner.id)
      .run()
    await app.clearMailbox()
    await max.device.post('/organization/accept-invitation', { invitationId })
    const { device } = acme.owner
    await device.post('/organization/update-member-role', { memberId: bob.member, role: 'admin' })
    expect((await device.post('/organization/remove-member', { memberIdOrEmail: bob.member })).status).toBe(200)
    expect([await count('members'), await app.mailbox()]).toEqual([2, []])
  })

  it('an organization that is active elsewhere stays so', async () => {
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
      expect([status, body.code]).toEqual([403, 'YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER'])
    }
    expect(await count('members')).toBe(4)
    expect((await owner.device.post('/organization/remove-member', { memberIdOrEmail: second.member })).status).toBe(
      200,
    )
  })

  it('400 for the only owner, for somebody unknown, without an organization; 401', async () => {
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
    expect([none.status, none.body.code]).toEqual([400, 'NO_ACTIVE_ORGANIZATION'])
    expect((await app.device().post('/organization/remove-member', { memberIdOrEmail: 'x' })).status).toBe(401)
  })
})

describe('POST /organization/update-member-role', () => {
  it('200: several roles, told by mail, and only when they change', async () => {
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
    expect([alone.status, alone.body.code]).toEqual([400, 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER'])
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
      expect([status, body.code]).toEqual([403, 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER'])
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
      expect([status, body.code]).toEqual([400, 'ROLE_NOT_FOUND'])
      expect(await count('members', `id = '${member.member}' and role = 'member'`)).toBe(1)
    },
  )

  it('400 for a member who is none, an address in the place of an id, no organization', async () => {
    const { app, owner, member } = await cast()
    for (const memberId of ['nope', member.email]) {
      const { body } = await owner.device.post('/organization/update-member-role', { memberId, role: 'admin' })
      expect(body.code).toBe('MEMBER_NOT_FOUND')
    }
    const { device } = await someone(app, 'New')
    const none = await device.post('/organization/update-member-role', { memberId: member.member, role: 'admin' })
    expect([none.status, none.body.code]).toEqual([400, 'NO_ACTIVE_ORGANIZATION'])
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
    expect([await activeOf(member.device), await activeOf(phone)]).toEqual([null, null])
    const again = await member.device.post('/organization/leave', { organizationId: acme.id })
    expect([again.status, again.body.code]).toEqual([400, 'MEMBER_NOT_FOUND'])
  })

  it('400 for the only owner, whatever else they are', async () => {
    const { owner, acme } = await cast()
    await owner.device.post('/organization/update-member-role', { memberId: owner.member, role: 'admin,owner' })
    const { status, body } = await owner.device.post('/organization/leave', { organizationId: acme.id })
    expect([status, body.code]).toEqual([400, 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER'])
  })

  it('20 owners at once: one stays', async () => {
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
    expect(await count('members', "role = 'owner'")).toBe(1)
  }, 30_000)

  it('two owners at once by different ways (leave, removed, demoted): one stays', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const second = await colleague(app, acme, 'Otto', 'owner')
    await Promise.all([
      acme.owner.device.post('/organization/leave', { organizationId: acme.id }),
      second.device.post('/organization/update-member-role', { memberId: second.member, role: 'member' }),
      second.device.post('/organization/remove-member', { memberIdOrEmail: acme.ownerMember }),
      acme.owner.device.post('/organization/remove-member', { memberIdOrEmail: second.member }),
    ])
    expect(await count('members', "role = 'owner'")).toBe(1)
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
    const foreignTeam = (await env.DB.prepare('select id from teams where organization_id = ?')
      .bind(beta.id)
      .first('id')) as string
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

  it('20 at once into the last place: one finds it', async () => {
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
