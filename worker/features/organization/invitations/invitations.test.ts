import { afterEach, describe, expect, it, vi } from 'vitest'
import { newId } from '../../../kit/random.ts'
import { hours, ms } from '../../../kit/time.ts'
import { outcome, TestApp } from '../../../testing/harness.ts'
import { activeOf, anotherDevice, colleague, company, fill, invite, someone } from '../../../testing/organizations.ts'
import { count, empty, insertRows, rowOf, rowsOf } from '../../../testing/rows.ts'
import { changeRole, deleteUsers } from '../../../testing/states.ts'

const unlimited = { rateLimit: { enabled: false } }

afterEach(() => {
  vi.useRealTimers()
})

const later = (duration: number) => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.now() + ms(duration))
}

async function cast(changes: object = {}) {
  const app = new TestApp({ ...unlimited, ...changes })
  const acme = await company(app, 'acme')
  const max = await someone(app, 'Max')
  const post = (path: string, body: object) => acme.owner.device.post(`/organization/${path}`, body)
  return { app, acme, max, post, owner: acme.owner }
}

describe('POST /organization/invite-member', () => {
  it('200: pending for 48 hours, mailed with a link to the hosted page', async () => {
    const { app, acme, owner, post } = await cast()
    const { status, body, io } = await post('invite-member', { email: 'Max@Example.com', role: 'member' })
    expect(status).toBe(200)
    expect(body).toEqual({
      organizationId: acme.id,
      email: 'max@example.com',
      role: 'member',
      status: 'pending',
      expiresAt: expect.any(String),
      inviterId: owner.id,
      id: expect.stringMatching(/^\w{32}$/),
    })
    expect(Math.round((Date.parse(body.expiresAt) - Date.now()) / ms(hours(1)))).toBe(48)
    // The limit of the endpoint is off here.
    expect(io).toMatchObject({ d1: [3, 3], durable: [4, 6] })
    expect(await app.linkTo('max@example.com')).toBe(`http://localhost:8787/accept-invitation?id=${body.id}`)
    expect((await app.mailbox())[0]!.subject).toBe('acme-owner invites you to ACME')
  })

  it('200: a list of roles is stored with commas', async () => {
    const { post } = await cast()
    expect((await post('invite-member', { email: 'a@example.com', role: ['admin', 'member'] })).body.role).toBe(
      'admin,member',
    )
  })

  it('400: invited twice only with resend, which sends the pending one again', async () => {
    const { app, acme, post } = await cast()
    const id = await invite(acme, 'max@example.com')
    const before = (await rowsOf('invitations'))[0]!
    const again = await post('invite-member', { email: 'MAX@example.com', role: 'member' })
    expect(again).toMatchObject({ status: 400, body: { code: 'USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION' } })
    await app.clearMailbox()
    later(hours(1))
    const resent = { email: ' Max@example.com ', role: 'admin', resend: true }
    expect((await post('invite-member', resent)).body).toMatchObject({ id, role: 'admin', status: 'pending' })
    const [after, ...others] = await rowsOf('invitations')
    expect(others).toEqual([])
    expect(after!.expiresAt.getTime()).toBeGreaterThan(before.expiresAt.getTime())
    expect((await app.mailbox()).map(({ to }) => to)).toEqual(['max@example.com'])
    await Promise.all([post('invite-member', resent), post('invite-member', resent)])
    expect(await count('invitations')).toBe(1)
  })

  it('of two parallel first invitations with resend one is written', async () => {
    const { post } = await cast()
    const body = { email: 'max@example.com', role: 'member', resend: true }
    const answers = await Promise.all([post('invite-member', body), post('invite-member', body)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, expect.any(Number)])
    expect(await count('invitations', { status: 'pending' })).toBe(1)
  })

  it.each([
    ['400 TEAM_NOT_FOUND for a team', 400, 'TEAM_NOT_FOUND', () => empty('teams')],
    ['403 for roles', 403, 'YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION', () => changeRole('member')],
  ])('%s that went between the question and the write', async (_what, status, code, change) => {
    const invitationLimit = async () => {
      await change()
      return 100
    }
    const { acme, post } = await cast({ organization: { teams: { enabled: true }, invitationLimit } })
    const [{ id: teamId }] = (await acme.owner.device.get('/organization/list-teams')).body
    const answer = await post('invite-member', { email: 'max@example.com', role: 'member', teamId })
    expect({ status: answer.status, code: answer.body.code, invitations: await count('invitations') }).toEqual({
      status,
      code,
      invitations: 0,
    })
  })

  it('200 with cancelPendingInvitationsOnReInvite: the earlier one is canceled, and leaves its place', async () => {
    const { app, acme, post } = await cast({
      organization: { cancelPendingInvitationsOnReInvite: true, invitationLimit: 2 },
    })
    const first = await invite(acme, 'p1@example.com')
    await invite(acme, 'p2@example.com')
    await app.clearMailbox()
    const again = await post('invite-member', { email: 'p1@example.com', role: 'member', resend: true })
    expect(again.status).toBe(200)
    const full = await post('invite-member', { email: 'p3@example.com', role: 'member' })
    expect(full).toMatchObject({ status: 403, body: { code: 'INVITATION_LIMIT_REACHED' } })
    const { body } = await acme.owner.device.get('/organization/list-invitations')
    expect(body).toMatchObject([
      { email: 'p1@example.com', status: 'canceled' },
      { email: 'p2@example.com', status: 'pending' },
      { email: 'p1@example.com', status: 'pending' },
    ])
    expect(body[0].id).toBe(first)
    expect((await app.mailbox()).map(({ to }) => to)).toEqual(['p1@example.com'])
  })

  it('an expired invitation neither blocks another one nor takes a place', async () => {
    const { acme, post } = await cast({ organization: { invitationLimit: 1 } })
    await invite(acme, 'max@example.com')
    later(hours(48))
    expect((await post('invite-member', { email: 'max@example.com', role: 'member' })).status).toBe(200)
  })

  it('400 for a member', async () => {
    const { owner, post } = await cast()
    const { status, body } = await post('invite-member', { email: owner.email.toUpperCase(), role: 'member' })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION' })
  })

  it('403 for members; and about the owner role for all but owners', async () => {
    const { app, acme, post } = await cast()
    const member = await colleague(app, acme, 'Mia')
    const admin = await colleague(app, acme, 'Ada', 'admin')
    const refused = await member.device.post('/organization/invite-member', { email: 'q@example.com', role: 'member' })
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION' },
    })
    const owner = await admin.device.post('/organization/invite-member', { email: 'q@example.com', role: 'owner' })
    expect({ status: owner.status, body: owner.body }).toEqual({
      status: 403,
      body: {
        code: 'YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE',
        message: 'you are not allowed to invite user with this role',
      },
    })
    expect((await post('invite-member', { email: 'q@example.com', role: 'owner' })).body.role).toBe('owner')
  })

  it.each([
    ['an unknown role', { role: 'wizard' }, 'ROLE_NOT_FOUND'],
    ['a role in capitals', { role: 'OWNER' }, 'ROLE_NOT_FOUND'],
    ['no role', { role: undefined }, 'VALIDATION_ERROR'],
    ['no address', { email: 'nope' }, 'VALIDATION_ERROR'],
    ['a team where teams are off', { teamId: 'x' }, 'TEAMS_ARE_NOT_ENABLED'],
  ])('400 for %s, and nothing is written or sent', async (_what, changes, code) => {
    const { app, post } = await cast()
    const { status, body } = await post('invite-member', { email: 'q@example.com', role: 'member', ...changes })
    expect({ status, code: body.code }).toEqual({ status: 400, code })
    expect({ invitations: await count('invitations'), mails: (await app.mailbox()).length }).toEqual({
      invitations: 0,
      mails: 0,
    })
  })

  it('400 ORGANIZATION_NOT_FOUND without an active one; 401', async () => {
    const { app, max } = await cast()
    const input = { email: 'q@example.com', role: 'member' }
    const none = await max.device.post('/organization/invite-member', input)
    expect(none).toMatchObject({ status: 400, body: { code: 'ORGANIZATION_NOT_FOUND' } })
    expect((await app.device().post('/organization/invite-member', input)).status).toBe(401)
  })

  it.each([
    ['the default of 100', undefined],
    ['a function', ({ member }: { member: { role: string } }) => (member.role === 'owner' ? 100 : 0)],
  ])('20 at once with one place left under %s: one finds it', async (_what, invitationLimit) => {
    const { acme, post } = await cast({ organization: { ...(invitationLimit ? { invitationLimit } : {}) } })
    await fill(acme, { invitations: 99 })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => post('invite-member', { email: `n${n}@example.com`, role: 'member' })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'INVITATION_LIMIT_REACHED')).toHaveLength(19)
    expect(await count('invitations')).toBe(100)
  })

  it('20 in parallel for one address: one invitation', async () => {
    const { post } = await cast()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post('invite-member', { email: 'max@example.com', role: 'member' })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await count('invitations')).toBe(1)
  })
})

describe('GET /organization/get-invitation', () => {
  it('200 for its recipient, with the names', async () => {
    const { acme, max, owner } = await cast()
    const id = await invite(acme, max.email)
    const { status, body, io } = await max.device.get('/organization/get-invitation', { query: { id } })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual([
      ...['organizationId', 'email', 'role', 'status', 'expiresAt', 'inviterId', 'id'],
      ...['organizationName', 'organizationSlug', 'inviterEmail'],
    ])
    expect(body).toMatchObject({ id, organizationName: 'ACME', organizationSlug: 'acme', inviterEmail: owner.email })
    expect(io.d1).toEqual([1, 1])
  })

  it('401 NOT_AUTHENTICATED, 403 for others, 400 for a missing one', async () => {
    const { app, acme, max, owner } = await cast()
    const id = await invite(acme, max.email)
    const read = async (device: typeof max.device, query: Record<string, string>) => {
      const { status, body } = await device.get('/organization/get-invitation', { query })
      return { status, code: body.code, message: body.message }
    }
    expect(await read(app.device(), { id })).toEqual({
      status: 401,
      code: 'NOT_AUTHENTICATED',
      message: 'Not authenticated',
    })
    expect(await read(owner.device, { id })).toEqual({
      status: 403,
      code: 'YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION',
      message: 'You are not the recipient of the invitation',
    })
    expect(await read(max.device, { id: 'nope' })).toEqual({
      status: 400,
      code: 'INVITATION_NOT_FOUND',
      message: 'Invitation not found',
    })
    expect((await read(max.device, {})).code).toBe('VALIDATION_ERROR')
  })

  it('400 INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION', async () => {
    const { app, acme, max } = await cast()
    const admin = await colleague(app, acme, 'Ada', 'admin')
    const { body: invitation } = await admin.device.post('/organization/invite-member', {
      email: max.email,
      role: 'member',
    })
    await admin.device.post('/organization/leave', { organizationId: acme.id })
    const { status, body } = await max.device.get('/organization/get-invitation', { query: { id: invitation.id } })
    expect({ status, code: body.code }).toEqual({
      status: 400,
      code: 'INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION',
    })
  })

  it('only the recipient sees its final state', async () => {
    const { app, acme, max, post } = await cast()
    const canceled = await invite(acme, max.email)
    await post('cancel-invitation', { invitationId: canceled })
    const expired = await invite(acme, max.email)
    later(hours(49))
    const [mine, owners] = [await anotherDevice(app, max.id), await anotherDevice(app, acme.owner.id)]
    for (const [id, status] of [
      [canceled, 'canceled'],
      [expired, 'expired'],
    ] as const) {
      const read = await mine.get('/organization/get-invitation', { query: { id } })
      expect({ status: read.status, body: read.body }).toEqual({
        status: 400,
        body: { code: 'INVITATION_NOT_FOUND', message: 'Invitation not found', reason: status },
      })
      const untold = await owners.get('/organization/get-invitation', { query: { id } })
      expect(untold.body).toEqual({ code: 'INVITATION_NOT_FOUND', message: 'Invitation not found' })
    }
  })
})

describe('POST /organization/accept-invitation', () => {
  it('200: a member with the role, an active organization, and a mail to the inviter', async () => {
    const { app, acme, max, owner } = await cast()
    const invitationId = await invite(acme, 'MAX@example.com', 'admin')
    await app.clearMailbox()
    const { status, body, io } = await max.device.post('/organization/accept-invitation', { invitationId })
    expect(status).toBe(200)
    expect(body.invitation).toMatchObject({ id: invitationId, status: 'accepted', email: max.email })
    expect(body.member).toEqual({
      organizationId: acme.id,
      userId: max.id,
      role: 'admin',
      createdAt: expect.any(String),
      id: expect.any(String),
    })
    expect(io.d1).toEqual([3, 3])
    expect(await activeOf(max.device)).toBe(acme.id)
    expect(await app.mailbox()).toMatchObject([{ to: owner.email, subject: 'Max has joined ACME' }])
    const again = await max.device.post('/organization/accept-invitation', { invitationId })
    expect({ status: again.status, body: again.body }).toEqual({
      status: 400,
      body: { code: 'INVITATION_NOT_FOUND', message: 'Invitation not found', reason: 'accepted' },
    })
  })

  it('403 for others, 400 for an unknown, expired, rejected or canceled one; no member is added', async () => {
    const { app, acme, max, post, owner } = await cast()
    const accept = async (invitationId: string, device = max.device) =>
      outcome(await device.post('/organization/accept-invitation', { invitationId }))
    const open = await invite(acme, max.email)
    expect(await accept(open, owner.device)).toEqual({
      status: 403,
      code: 'YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION',
    })
    expect(await accept('nope')).toEqual({ status: 400, code: 'INVITATION_NOT_FOUND' })
    const rejected = await invite(acme, max.email, 'member', { resend: true })
    await max.device.post('/organization/reject-invitation', { invitationId: rejected })
    expect(await accept(rejected)).toEqual({ status: 400, code: 'INVITATION_NOT_FOUND' })
    const canceled = await invite(acme, max.email, 'member', { resend: true })
    await post('cancel-invitation', { invitationId: canceled })
    expect(await accept(canceled)).toEqual({ status: 400, code: 'INVITATION_NOT_FOUND' })
    later(hours(48))
    expect(await accept(open, await anotherDevice(app, max.id))).toEqual({ status: 400, code: 'INVITATION_NOT_FOUND' })
    expect(await count('members')).toBe(1)
  })

  it('joining closes the other invitations to the address in the organization', async () => {
    const { app, acme, max } = await cast()
    const first = await invite(acme, max.email)
    const elsewhere = await invite(await company(app, 'other'), max.email)
    const second = newId()
    await insertRows('invitations', { ...(await rowOf('invitations', { id: first }))!, id: second, role: 'admin' })
    expect((await max.device.post('/organization/accept-invitation', { invitationId: first })).status).toBe(200)
    expect(await rowOf('invitations', { id: second })).toMatchObject({ status: 'canceled' })
    expect(await rowOf('invitations', { id: elsewhere })).toMatchObject({ status: 'pending' })
    const { status, body } = await max.device.post('/organization/accept-invitation', { invitationId: second })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVITATION_NOT_FOUND' })
    expect(await count('members', { role: 'admin' })).toBe(0)
  })

  it('a server that adds a member closes the invitations to the address', async () => {
    const { app, acme, max } = await cast()
    const id = await invite(acme, max.email)
    await app.serverApi().addMember({ organizationId: acme.id, userId: max.id, role: 'member' })
    expect(await rowOf('invitations', { id })).toMatchObject({ status: 'canceled' })
  })

  it('400 ROLE_NOT_FOUND for a role that the configuration no longer knows', async () => {
    const { app, acme, max } = await cast({ organization: { roles: { clerk: {} } } })
    const invitationId = await invite(acme, max.email, 'clerk')
    const device = await anotherDevice(new TestApp(unlimited), max.id)
    const { body } = await device.post('/organization/accept-invitation', { invitationId })
    expect(body.code).toBe('ROLE_NOT_FOUND')
    expect((await max.device.post('/organization/accept-invitation', { invitationId })).body.member.role).toBe('clerk')
    expect(app).toBeDefined()
  })

  it('an unverified address is enough by default, but not in the strict profile', async () => {
    const { acme } = await cast()
    const app = new TestApp({ ...unlimited, profile: 'strict' })
    const una = await someone(app, 'Una', { verified: false })
    const invitationId = await invite(acme, una.email)
    const { status, body } = await una.device.post('/organization/accept-invitation', { invitationId })
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'EMAIL_NOT_VERIFIED' })
    const device = await anotherDevice(new TestApp(unlimited), una.id)
    expect((await device.post('/organization/accept-invitation', { invitationId })).status).toBe(200)
  })

  it.each([
    ['the default of 100', undefined],
    ['a function', () => 100],
  ])(
    '20 at once into the last place under %s: one gets it',
    async (_what, membershipLimit) => {
      const { app, acme } = await cast({ organization: { ...(membershipLimit ? { membershipLimit } : {}) } })
      await fill(acme, { members: 98 })
      const people = await Promise.all(Array.from({ length: 20 }, (_, n) => someone(app, `p${n}`)))
      const ids: string[] = []
      for (const { email } of people) ids.push(await invite(acme, email))
      const answers = await Promise.all(
        people.map(({ device }, n) => device.post('/organization/accept-invitation', { invitationId: ids[n] })),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 403)).toHaveLength(19)
      expect(answers.find(({ status }) => status === 403)?.body.code).toBe('ORGANIZATION_MEMBERSHIP_LIMIT_REACHED')
      expect({
        members: await count('members'),
        acceptedInvitations: await count('invitations', { status: 'accepted' }),
      }).toEqual({ members: 100, acceptedInvitations: 1 })
      expect(await count('sessions', { activeOrganizationId: acme.id })).toBe(2)
    },
    30_000,
  )

  it('20 in parallel with the same invitation: one member', async () => {
    const { app, acme, max } = await cast()
    const invitationId = await invite(acme, max.email)
    const devices = await Promise.all(Array.from({ length: 20 }, () => anotherDevice(app, max.id)))
    const answers = await Promise.all(
      devices.map((device) => device.post('/organization/accept-invitation', { invitationId })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19)
    // Some find it used, others fail in the statement that writes.
    for (const { status, body } of answers) {
      if (status === 400) expect(body.code).toMatch(/^(INVITATION_NOT_FOUND|FAILED_TO_RETRIEVE_INVITATION)$/)
    }
    expect(await count('members')).toBe(2)
  })

  it('accepted, rejected and canceled in parallel: one succeeds', async () => {
    const { app, acme, max, post } = await cast()
    const invitationId = await invite(acme, max.email)
    const other = await anotherDevice(app, max.id)
    const answers = await Promise.all([
      max.device.post('/organization/accept-invitation', { invitationId }),
      other.post('/organization/reject-invitation', { invitationId }),
      post('cancel-invitation', { invitationId }),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const accepted = answers[0]!.status === 200
    expect(await count('members')).toBe(accepted ? 2 : 1)
  })
})

describe('POST /organization/reject-invitation', () => {
  it('200: rejected; 400 for a second time', async () => {
    const { acme, max, owner } = await cast()
    const invitationId = await invite(acme, max.email)
    const other = await owner.device.post('/organization/reject-invitation', { invitationId })
    expect(other).toMatchObject({ status: 403, body: { code: 'YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION' } })
    const { body } = await max.device.post('/organization/reject-invitation', { invitationId })
    expect(body).toMatchObject({ invitation: { id: invitationId, status: 'rejected' }, member: null })
    const again = await max.device.post('/organization/reject-invitation', { invitationId })
    expect(again).toMatchObject({ status: 400, body: { message: 'Invitation not found' } })
  })
})

describe('POST /organization/cancel-invitation', () => {
  it('200 with the permission; 403 for members; 400 for others, as for an unknown one', async () => {
    const { app, acme, max, post } = await cast()
    const invitationId = await invite(acme, 'q@example.com')
    const member = await colleague(app, acme, 'Mia')
    const cancel = async (device: typeof max.device, id = invitationId) =>
      outcome(await device.post('/organization/cancel-invitation', { invitationId: id }))
    expect(await cancel(member.device)).toEqual({ status: 403, code: 'YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION' })
    expect(await cancel(max.device)).toEqual({ status: 400, code: 'INVITATION_NOT_FOUND' })
    expect(await cancel(max.device, 'nope')).toEqual({ status: 400, code: 'INVITATION_NOT_FOUND' })
    expect((await post('cancel-invitation', { invitationId })).body).toMatchObject({ status: 'canceled' })
    expect(await cancel(acme.owner.device)).toEqual({ status: 400, code: 'INVITATION_NOT_FOUND' })
  })
})

describe('GET /organization/list-invitations', () => {
  it('200 for members, also by id; 403 for others; 400 without an organization; 401', async () => {
    const { app, acme, max } = await cast()
    await invite(acme, max.email)
    const member = await colleague(app, acme, 'Mia')
    const list = await member.device.get('/organization/list-invitations', { query: { organizationId: acme.id } })
    expect(list.body).toMatchObject([
      { email: max.email, status: 'pending' },
      { email: member.email, status: 'accepted' },
    ])
    expect(list.io.d1).toEqual([1, 1])
    const none = await max.device.get('/organization/list-invitations')
    expect({ status: none.status, body: none.body }).toEqual({
      status: 400,
      body: { code: 'ORGANIZATION_ID_IS_REQUIRED', message: 'Organization ID is required' },
    })
    const other = await max.device.get('/organization/list-invitations', { query: { organizationId: acme.id } })
    expect(other).toMatchObject({ status: 403, body: { message: 'You are not a member of this organization' } })
    expect((await app.device().get('/organization/list-invitations')).status).toBe(401)
  })
})

it('an inviter whose account is deleted takes their invitations along', async () => {
  const { app, acme, max } = await cast()
  const admin = await colleague(app, acme, 'Ada', 'admin')
  await admin.device.post('/organization/invite-member', { email: max.email, role: 'member' })
  await deleteUsers({ id: admin.id })
  expect(await count('invitations', { status: 'pending' })).toBe(0)
})
