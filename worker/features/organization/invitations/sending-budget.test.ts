import { afterEach, describe, expect, it, vi } from 'vitest'
import { hours, minutes, ms } from '../../../kit/time.ts'
import { FaultInjector } from '../../../testing/faults.ts'
import { TestApp } from '../../../testing/harness.ts'
import { anotherDevice, colleague, company, invite, someone } from '../../../testing/organizations.ts'
import { count, updateRows } from '../../../testing/rows.ts'
import { updateUsers, verifyAddresses } from '../../../testing/states.ts'

const unlimited = { rateLimit: { enabled: false } }
const path = '/organization/invite-member'
const guestNumber = (n: number) => ({ email: `n${n}@example.com`, role: 'member' })

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('the budgets of invitations', () => {
  it('20 an hour for a user, also in parallel; then 429 with X-Retry-After and no mail', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const admin = await colleague(app, acme, 'Ada', 'admin')
    await app.clearMailbox()
    const answers = await Promise.all(Array.from({ length: 25 }, (_, n) => admin.device.post(path, guestNumber(n))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    const refused = answers.find(({ status }) => status !== 200)!
    expect({ status: refused.status, body: refused.body }).toMatchObject({
      status: 429,
      body: { code: 'TOO_MANY_REQUESTS', message: 'Too many requests. Please try again later.' },
    })
    expect(Number(refused.headers.get('x-retry-after'))).toBeGreaterThan(3500)
    expect({
      pendingInvitations: await count('invitations', { status: 'pending' }),
      mails: (await app.mailbox()).length,
    }).toEqual({ pendingInvitations: 20, mails: 20 })
    // Another member of the organization has a separate budget.
    expect((await acme.owner.device.post(path, guestNumber(30))).status).toBe(200)
  })

  it('the configured number a day for an organization, over all members', async () => {
    const app = new TestApp({
      ...unlimited,
      organization: { invitationsPerOrganization: { max: 3, window: hours(24) } },
    })
    const acme = await company(app, 'acme')
    const admin = await colleague(app, acme, 'Ada', 'admin')
    for (const [device, status] of [
      [acme.owner.device, 200],
      [admin.device, 200],
      [acme.owner.device, 429],
      [admin.device, 429],
    ] as const) {
      const body = guestNumber(Math.random())
      expect((await device.post(path, { ...body, organizationId: acme.id })).status).toBe(status)
    }
    const beta = await company(app, 'beta', acme.owner)
    expect((await beta.owner.device.post(path, guestNumber(1))).status).toBe(200)
  })

  it('the configured number an hour for one address, over all users: an IPv6 /64 counts as one', async () => {
    const app = new TestApp({ ...unlimited, organization: { invitationsPerAddress: { max: 2, window: hours(1) } } })
    const senders = [await company(app, 'acme'), await company(app, 'beta'), await company(app, 'gamma')]
    const statuses = []
    for (const [n, { owner }] of senders.entries()) {
      const headers = { 'cf-connecting-ip': `2001:db8:1:2::${n + 1}` }
      statuses.push((await owner.device.post(path, guestNumber(n), { headers })).status)
    }
    expect(statuses).toEqual([200, 200, 429])
    const elsewhere = { headers: { 'cf-connecting-ip': '2001:db8:1:3::1' } }
    expect((await senders[2]!.owner.device.post(path, guestNumber(9), elsewhere)).status).toBe(200)
  })

  it('so many a day the whole deployment', async () => {
    const app = new TestApp({ ...unlimited, messages: { mailsToOthersPerDay: 3 } })
    const statuses = []
    for (const slug of ['acme', 'beta', 'gamma', 'delta']) {
      statuses.push((await (await company(app, slug)).owner.device.post(path, guestNumber(1))).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
    expect(await app.mailbox()).toHaveLength(3)
  })

  it('a refused invitation costs nothing', async () => {
    const app = new TestApp({ ...unlimited, organization: { invitationsPerPerson: { max: 2, window: hours(1) } } })
    const acme = await company(app, 'acme')
    await invite(acme, 'max@example.com')
    for (let n = 0; n < 5; n++) {
      const { body } = await acme.owner.device.post(path, { email: 'max@example.com', role: 'member' })
      expect(body.code).toBe('USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION')
    }
    expect((await acme.owner.device.post(path, guestNumber(1))).status).toBe(200)
    expect((await acme.owner.device.post(path, guestNumber(2))).status).toBe(429)
  })

  it('a user without a verified address sends 10 a day, and then learns how to verify it', async () => {
    const app = new TestApp({ ...unlimited, organization: { teams: { enabled: true } } })
    const acme = await company(app, 'acme', await someone(app, 'Olivia', { verified: false }))
    await app.clearMailbox()
    const [{ id: teamId }] = (await acme.owner.device.get('/organization/list-teams')).body
    const send = (n: number, more: object = {}) => acme.owner.device.post(path, { ...guestNumber(n), ...more })
    const answers = await Promise.all(Array.from({ length: 9 }, (_, n) => send(n, n % 2 ? { teamId } : {})))
    expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(200))
    // One that is not sent does not count, and one that is sent again counts.
    expect((await send(1)).body.code).toBe('USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION')
    expect((await send(1, { resend: true })).status).toBe(200)
    for (const more of [{}, { teamId }, { resend: true }]) {
      const { status, body } = await send(20, more)
      expect({ status, body }).toEqual({
        status: 403,
        body: {
          code: 'EMAIL_NOT_VERIFIED',
          message: 'Email not verified',
          verifyWith: 'POST http://localhost:8787/api/auth/send-verification-email',
        },
      })
    }
    expect((await app.mailbox()).length).toBe(10)
    await verifyAddresses()
    expect((await send(20)).status).toBe(200)
  })

  it('strict: only a user with a verified address sends any', async () => {
    const app = new TestApp({ ...unlimited, profile: 'strict' })
    const acme = await company(app, 'acme', await someone(app, 'Olivia', { verified: false }))
    const refused = await acme.owner.device.post(path, guestNumber(1))
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'EMAIL_NOT_VERIFIED', verifyWith: expect.stringContaining('/send-verification-email') },
    })
    expect({ invitations: await count('invitations'), mails: (await app.mailbox()).length }).toEqual({
      invitations: 0,
      mails: 0,
    })
    await verifyAddresses()
    expect((await acme.owner.device.post(path, guestNumber(1))).status).toBe(200)
  })

  it('guests send none', async () => {
    const app = new TestApp({ ...unlimited, organization: { guestOrganizationLimit: 1 } })
    const device = app.device()
    await device.post('/sign-in/anonymous')
    expect((await device.post('/organization/create', { name: 'Spam', slug: 'spam' })).status).toBe(200)
    const { status, body } = await device.post(path, guestNumber(1))
    expect({ status, code: body.code }).toEqual({
      status: 403,
      code: 'YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION',
    })
    expect({ invitations: await count('invitations'), mails: (await app.mailbox()).length }).toEqual({
      invitations: 0,
      mails: 0,
    })
  })
})

describe('the words of others in mails', () => {
  const words = 'You have won!\r\nCollect at https://evil.example/prize or www.evil.example'

  it('are plain: on one line, and no link', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const max = await someone(app, 'Max')
    await updateRows('organizations', { name: words })
    await updateUsers({ name: words })
    const invitationId = await invite(acme, max.email)
    const { body } = await max.device.post('/organization/accept-invitation', { invitationId })
    const { device } = acme.owner
    await device.post('/organization/update-member-role', { memberId: body.member.id, role: 'admin' })
    await device.post('/organization/remove-member', { memberIdOrEmail: body.member.id })
    const mails = await app.mailbox()
    expect(mails).toHaveLength(4)
    for (const { subject, text, links } of mails) {
      expect(subject).not.toMatch(/[\r\n]|:\/\/|evil\.example/)
      expect(text).not.toMatch(/https?:\/\/evil|www\.evil|evil\.example/)
      for (const link of links) expect(new URL(link).origin).toBe('http://localhost:8787')
    }
  })

  it('contain the verified address of the sender', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme', await someone(app, 'Olivia'))
    await invite(acme, 'mia@example.com')
    expect((await app.mailbox())[0]!.text).toContain(`Olivia (${acme.owner.email}) invites you`)
  })
})

describe('a mail that fails', () => {
  it('does not lose an invitation, an acceptance, a change of role or a removal: it is sent again', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const faults = new FaultInjector()
    const app = new TestApp(unlimited, faults.bindings())
    const acme = await company(app, 'acme')
    const max = await someone(app, 'Max')
    faults.outage('KV')
    const invitationId = await invite(acme, max.email)
    const { body } = await max.device.post('/organization/accept-invitation', { invitationId })
    const { device } = acme.owner
    await device.post('/organization/update-member-role', { memberId: body.member.id, role: 'admin' })
    await device.post('/organization/remove-member', { memberIdOrEmail: body.member.id })
    faults.watch()
    expect((await app.mailbox()).length).toBe(0)
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Date.now() + ms(minutes(2)))
    await app.runScheduled()
    expect((await app.mailbox()).map(({ subject }) => subject).sort()).toEqual([
      'Max has joined ACME',
      'You are no longer a member of ACME',
      'Your role at ACME has changed',
      'acme-owner invites you to ACME',
    ])
    expect(await count('jobs', { state: 'pending' })).toBe(0)
  })

  it('is not sent for what did not happen', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const max = await someone(app, 'Max')
    const invitationId = await invite(acme, max.email)
    await app.clearMailbox()
    const devices = await Promise.all(Array.from({ length: 20 }, () => anotherDevice(app, max.id)))
    await Promise.all(devices.map((device) => device.post('/organization/accept-invitation', { invitationId })))
    const { id } = (await acme.owner.device.get('/organization/get-full-organization')).body.members[1]
    const again = await Promise.all(Array.from({ length: 10 }, () => anotherDevice(app, acme.owner.id)))
    await Promise.all(
      again.map((device) =>
        device.post('/organization/remove-member', { memberIdOrEmail: id, organizationId: acme.id }),
      ),
    )
    expect((await app.mailbox()).map(({ subject }) => subject).sort()).toEqual([
      'Max has joined ACME',
      'You are no longer a member of ACME',
    ])
    expect(await count('jobs', { state: 'pending' })).toBe(0)
  })
})
