import { describe, expect, it } from 'vitest'
import { type Device, TestApp } from '../../../testing/harness.ts'
import { colleague, company, someone } from '../../../testing/organizations.ts'
import { count, deleteRows, rowsOf } from '../../../testing/rows.ts'
import { changeRole } from '../../../testing/states.ts'

const clerk = { invitation: ['create'] }
const unlimited = { rateLimit: { enabled: false }, organization: { roles: { clerk } } }

const inviterGone = {
  code: 'INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION',
  message: 'Inviter is no longer a member of the organization',
}

/** An admin has invited Max as a member and Una as an admin. */
async function cast() {
  const app = new TestApp(unlimited)
  const acme = await company(app, 'acme')
  const admin = await colleague(app, acme, 'Ada', 'admin')
  const [max, una] = [await someone(app, 'Max'), await someone(app, 'Una')]
  const invite = async (email: string, role: string) =>
    (await admin.device.post('/organization/invite-member', { email, role })).body.id as string
  const [toMax, toUna] = [await invite(max.email, 'member'), await invite(una.email, 'admin')]
  await app.clearMailbox()
  const ofOwner = (path: string, body: object) => acme.owner.device.post(`/organization/${path}`, body)
  return { app, acme, admin, max, una, toMax, toUna, ofOwner }
}

const accept = async (device: Device, invitationId: string) => {
  const { status, body } = await device.post('/organization/accept-invitation', { invitationId })
  return { status, body }
}

const statuses = async () =>
  (await rowsOf('invitations'))
    .filter(({ status }) => status !== 'accepted')
    .map(({ email, status }) => [email, status])
    .sort()

const allCanceled = [
  ['max@example.com', 'canceled'],
  ['una@example.com', 'canceled'],
]

describe('an inviter who', () => {
  it.each([
    ['is removed', 'remove-member', (member: string) => ({ memberIdOrEmail: member })],
    ['is made a member', 'update-member-role', (memberId: string) => ({ memberId, role: 'member' })],
  ])('%s: their invitations end in the same moment', async (_what, path, body) => {
    const { admin, max, una, toMax, toUna, ofOwner } = await cast()
    expect((await ofOwner(path, body(admin.member))).status).toBe(200)
    expect(await statuses()).toEqual(allCanceled)
    expect((await accept(max.device, toMax)).status).toBe(400)
    expect((await accept(una.device, toUna)).status).toBe(400)
    expect(await count('members')).toBe(path === 'remove-member' ? 1 : 2)
  })

  it('leaves: their invitations end, and the recipients see the reason', async () => {
    const { acme, admin, max, toMax } = await cast()
    await admin.device.post('/organization/leave', { organizationId: acme.id })
    expect(await statuses()).toEqual(allCanceled)
    expect(await accept(max.device, toMax)).toEqual({ status: 400, body: inviterGone })
    const read = await max.device.get('/organization/get-invitation', { query: { id: toMax } })
    expect({ status: read.status, body: read.body }).toEqual({ status: 400, body: inviterGone })
  })

  it('can invite to less than before: only what they could no longer offer ends', async () => {
    const { admin, max, una, toMax, toUna, ofOwner } = await cast()
    await ofOwner('update-member-role', { memberId: admin.member, role: 'clerk' })
    expect(await statuses()).toEqual([
      ['max@example.com', 'pending'],
      ['una@example.com', 'canceled'],
    ])
    expect((await accept(una.device, toUna)).body).toMatchObject({ code: 'INVITATION_NOT_FOUND', reason: 'canceled' })
    expect((await accept(max.device, toMax)).status).toBe(200)
  })

  it('is promoted keeps their invitations; those of others remain', async () => {
    const { admin, ofOwner } = await cast()
    await ofOwner('invite-member', { email: 'zoe@example.com', role: 'owner' })
    await ofOwner('update-member-role', { memberId: admin.member, role: 'owner' })
    expect(await count('invitations', { status: 'pending' })).toBe(3)
    await ofOwner('remove-member', { memberIdOrEmail: admin.member })
    expect(await statuses()).toEqual([...allCanceled, ['zoe@example.com', 'pending']])
  })

  it('has lost the role in another way: accepting asks again', async () => {
    const { app, admin, max, una, toMax, toUna } = await cast()
    await changeRole('clerk', { id: admin.member })
    expect(await accept(una.device, toUna)).toEqual({ status: 400, body: inviterGone })
    await deleteRows('members', { id: admin.member })
    expect(await accept(max.device, toMax)).toEqual({ status: 400, body: inviterGone })
    expect({ members: await count('members'), mails: (await app.mailbox()).length }).toEqual({ members: 1, mails: 0 })
  })

  it('loses the role between the question and the write: the statement decides', async () => {
    const { admin, max, toMax } = await cast()
    const racing = new TestApp({
      rateLimit: { enabled: false },
      organization: {
        membershipLimit: async () => {
          await changeRole('member', { id: admin.member })
          return 100
        },
      },
    })
    const device = racing.device()
    for (const [name, value] of max.device.jar) device.jar.set(name, value)
    expect(await accept(device, toMax)).toEqual({ status: 400, body: inviterGone })
    expect(await count('members')).toBe(2)
  })

  it('is removed in the moment of acceptance: it ends in one way', async () => {
    const { app, acme, admin, max, toMax, ofOwner } = await cast()
    const [removed, accepted] = await Promise.all([
      ofOwner('remove-member', { memberIdOrEmail: admin.member }),
      accept(max.device, toMax),
    ])
    expect(removed.status).toBe(200)
    const joined = accepted.status === 200
    expect(await count('invitations', { id: toMax, status: joined ? 'accepted' : 'canceled' })).toBe(1)
    expect(await count('members', { organizationId: acme.id })).toBe(joined ? 2 : 1)
    expect(app).toBeDefined()
  })
})
