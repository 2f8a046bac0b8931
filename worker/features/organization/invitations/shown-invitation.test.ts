import { describe, expect, it } from 'vitest'
import { newId } from '../../../kit/random.ts'
import { type Device, TestApp } from '../../../testing/harness.ts'
import { type Company, colleague, company, invite, join, someone } from '../../../testing/organizations.ts'
import { count, updateRows } from '../../../testing/rows.ts'
import { changeRole, verifyAddresses } from '../../../testing/states.ts'

const unlimited = { rateLimit: { enabled: false } }

async function cast(changes: object = {}) {
  const app = new TestApp({ ...unlimited, ...changes })
  const acme = await company(app, 'acme')
  return { app, acme }
}

/** The ids of the invitations to an address, in all responses that contain invitations. */
async function idsSeenBy(device: Device, { id: organizationId }: Company, email: string): Promise<string[]> {
  const answers = [
    (await device.get('/organization/list-invitations', { query: { organizationId } })).body,
    (await device.get('/organization/get-full-organization', { query: { organizationId } })).body.invitations,
    (await device.post('/organization/set-active', { organizationId })).body.invitations,
  ]
  const ids = answers.map((list) => list.find((one: { email: string }) => one.email === email).id as string)
  return [...new Set(ids)]
}

describe('the id of an invitation', () => {
  it('is shown to members who may grant its role; others see a constant replacement', async () => {
    const { app, acme } = await cast({
      organization: { roles: { clerk: { invitation: ['create'] }, biller: { invoice: ['create'] } } },
    })
    const admin = await colleague(app, acme, 'Ada', 'admin')
    const member = await colleague(app, acme, 'Max')
    const clerk = await colleague(app, acme, 'Cleo', 'clerk')
    const toOwn = await invite(acme, 'new-owner@example.com', 'owner')
    const toJoin = await invite(acme, 'new-member@example.com', 'member')
    const toBill = await invite(acme, 'new-biller@example.com', 'biller')
    const cases: [Device, string, string, boolean][] = [
      [acme.owner.device, 'new-owner@example.com', toOwn, true],
      [acme.owner.device, 'new-biller@example.com', toBill, true],
      [admin.device, 'new-owner@example.com', toOwn, false],
      [admin.device, 'new-biller@example.com', toBill, false],
      [admin.device, 'new-member@example.com', toJoin, true],
      [clerk.device, 'new-member@example.com', toJoin, true],
      [clerk.device, 'new-owner@example.com', toOwn, false],
      [member.device, 'new-owner@example.com', toOwn, false],
      [member.device, 'new-member@example.com', toJoin, false],
    ]
    for (const [device, email, id, knows] of cases) {
      const seen = await idsSeenBy(device, acme, email)
      expect(seen, email).toHaveLength(1)
      expect({ email, knows: seen[0] === id }).toEqual({ email, knows })
      expect(seen[0]).toMatch(/^\w{32}$/)
    }
    const [seenByMember] = await idsSeenBy(member.device, acme, 'new-owner@example.com')
    expect(await idsSeenBy(admin.device, acme, 'new-owner@example.com')).toEqual([seenByMember])
  })

  it('is shown to the recipient with a verified address', async () => {
    const { app, acme } = await cast()
    const max = await someone(app, 'Max', { verified: false })
    await join(acme, max)
    const second = newId()
    await updateRows('invitations', { id: second, status: 'pending', role: 'owner' })
    expect(await idsSeenBy(max.device, acme, max.email)).not.toContain(second)
    await verifyAddresses({ id: max.id })
    expect(await idsSeenBy(max.device, acme, max.email)).toEqual([second])
  })

  it('a plain member who claims the address of an invited owner does not become one', async () => {
    const { app, acme } = await cast()
    const mallory = await colleague(app, acme, 'Mallory')
    await invite(acme, 'boss@example.com', 'owner')
    const [id] = await idsSeenBy(mallory.device, acme, 'boss@example.com')
    const claimed = await app.device()
    const body = { name: 'Boss', email: 'boss@example.com', password: 'password1234' }
    expect((await claimed.post('/sign-up/email', body)).status).toBe(200)
    const { status } = await claimed.post('/organization/accept-invitation', { invitationId: id })
    expect({ status, owners: await count('members', { role: 'owner' }) }).toEqual({ status: 400, owners: 1 })
  })

  it('the substitute id of an invitation grants no access', async () => {
    const { app, acme } = await cast()
    const max = await someone(app, 'Max')
    const member = await colleague(app, acme, 'Mia')
    await invite(acme, max.email)
    const [id] = await idsSeenBy(member.device, acme, max.email)
    for (const { device } of [max, acme.owner, member]) {
      for (const path of ['accept-invitation', 'reject-invitation', 'cancel-invitation']) {
        const { status, body } = await device.post(`/organization/${path}`, { invitationId: id })
        expect({ path, status, body }).toEqual({
          path,
          status: 400,
          body: { code: 'INVITATION_NOT_FOUND', message: 'Invitation not found' },
        })
      }
      for (const path of ['get-invitation', 'invitation-preview']) {
        const { status, body } = await device.get(`/organization/${path}`, { query: { id: id! } })
        expect({ path, status, code: body.code }).toEqual({ path, status: 400, code: 'INVITATION_NOT_FOUND' })
      }
    }
    expect(await count('invitations', { status: 'pending' })).toBe(1)
  })
})

describe('GET /organization/invitation-preview', () => {
  it('200 for any caller with the id, signed in or not', async () => {
    const { app, acme } = await cast()
    const id = await invite(acme, 'max@example.com', 'admin')
    for (const device of [app.device(), acme.owner.device]) {
      const { status, body, io } = await device.get('/organization/invitation-preview', { query: { id } })
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          email: 'max@example.com',
          role: 'admin',
          expiresAt: expect.any(String),
          organizationName: 'ACME',
          organizationLogo: null,
          inviterName: 'acme-owner',
          inviterEmail: acme.owner.email,
        },
      })
      expect(io.d1).toEqual([1, 1])
    }
  })

  it('400 for a closed invitation, with one response, and without an id', async () => {
    const { app, acme } = await cast()
    const device = app.device()
    const preview = async (query: Record<string, string>) => {
      const { status, body } = await device.get('/organization/invitation-preview', { query })
      return { status, body }
    }
    const canceled = await invite(acme, 'max@example.com')
    await acme.owner.device.post('/organization/cancel-invitation', { invitationId: canceled })
    const expired = await invite(acme, 'mia@example.com')
    await updateRows('invitations', { expiresAt: new Date(1) }, { id: expired })
    const admin = await colleague(app, acme, 'Ada', 'admin')
    const body = { email: 'una@example.com', role: 'member' }
    const { id: orphan } = (await admin.device.post('/organization/invite-member', body)).body
    // As after a change of the configuration: the stored state is still pending.
    await changeRole('member', { id: admin.member })
    for (const id of ['nope', canceled, expired, orphan]) {
      expect(await preview({ id })).toEqual({
        status: 400,
        body: { code: 'INVITATION_NOT_FOUND', message: 'Invitation not found' },
      })
    }
    expect((await preview({})).body).toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})
