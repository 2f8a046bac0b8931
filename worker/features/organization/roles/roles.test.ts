import { describe, expect, it } from 'vitest'
import { TestApp } from '../../../testing/harness.ts'
import { colleague, company, count, invite, join, someone } from '../../../testing/organizations.ts'

const unlimited = { rateLimit: { enabled: false } }

describe('POST /organization/has-permission', () => {
  it.each([
    ['owner', { permissions: { organization: ['update', 'delete'] } }, true],
    ['admin', { permissions: { organization: ['delete'] } }, false],
    ['admin', { permissions: { organization: ['update'], team: ['create'] } }, true],
    ['member', { permissions: { organization: ['update'] } }, false],
    ['member,admin', { permissions: { member: ['delete'] } }, true],
    ['admin', { permission: { member: ['create'] } }, true],
    ['owner', { permissions: { spaceship: ['fly'] } }, false],
    ['owner', { permissions: {} }, false],
  ])('200 for %s %j: %s', async (role, body, success) => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const { device } = await colleague(app, acme, 'Max', role)
    const answer = await device.post('/organization/has-permission', body)
    expect([answer.status, answer.body]).toEqual([200, { error: null, success }])
    expect(answer.io.d1).toEqual([1, 1])
  })

  it('400 with neither field or no organization, 403 for others, 401', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const { device } = await someone(app, 'Max')
    const permissions = { organization: ['update'] }
    const ask = async (from: typeof device, body: object) => {
      const answer = await from.post('/organization/has-permission', body)
      return [answer.status, answer.body.code]
    }
    expect(await ask(acme.owner.device, {})).toEqual([400, 'VALIDATION_ERROR'])
    expect(await ask(acme.owner.device, { permissions: { organization: 'update' } })).toEqual([400, 'VALIDATION_ERROR'])
    expect(await ask(device, { permissions })).toEqual([400, 'NO_ACTIVE_ORGANIZATION'])
    expect(await ask(device, { permissions, organizationId: acme.id })).toEqual([
      403,
      'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION',
    ])
    expect(await ask(app.device(), { permissions })).toEqual([401, 'UNAUTHORIZED'])
  })

  it('knows the configured roles and resources, and tells the screens', async () => {
    const app = new TestApp({
      ...unlimited,
      organization: { roles: { clerk: { invoice: ['create'], invitation: ['create'] } } },
    })
    const acme = await company(app, 'acme')
    const clerk = await colleague(app, acme, 'Cleo', 'clerk')
    const ask = async (permissions: object) =>
      (await clerk.device.post('/organization/has-permission', { permissions })).body.success
    expect(await ask({ invoice: ['create'] })).toBe(true)
    expect(await ask({ invoice: ['create'], invitation: ['cancel'] })).toBe(false)
    const invited = await clerk.device.post('/organization/invite-member', { email: 'q@example.com', role: 'clerk' })
    expect(invited.status).toBe(200)
    const { body } = await app.device().get('/config')
    expect(body.organization.roles.clerk).toEqual({ invoice: ['create'], invitation: ['create'] })
    expect(body.organization.creatorRole).toBe('owner')
    expect(body.features).toMatchObject({ organization: true, teams: false })
  })
})

describe('nobody becomes an owner by the spelling of a role', () => {
  const spellings: unknown[] = [
    ...[
      'owner',
      ' owner',
      'owner ',
      '\towner',
      'admin,owner',
      'admin, owner',
      'owner,admin',
      ',owner,',
      'OWNER',
      'Owner',
    ],
    ...[
      ['admin', 'owner'],
      ['admin,owner'],
      [' owner'],
      ['OWNER'],
      ['member', 'admin, owner'],
      [['owner']],
      { owner: true },
    ],
  ]

  it.each(spellings.map((role) => [JSON.stringify(role), role]))('%s from an admin', async (_text, role) => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const admin = await colleague(app, acme, 'Ada', 'admin')
    const max = await colleague(app, acme, 'Max')
    const post = async (path: string, body: object) => (await admin.device.post(`/organization/${path}`, body)).status
    expect([400, 403]).toContain(await post('invite-member', { email: 'q@example.com', role }))
    expect([400, 403]).toContain(await post('update-member-role', { memberId: max.member, role }))
    expect([400, 403]).toContain(await post('update-member-role', { memberId: admin.member, role }))
    expect(await post('add-member', { userId: max.id, role, organizationId: acme.id })).toBe(404)
    // Accepting takes the role of the invitation, whatever the body says.
    const guest = await someone(app, 'Gus')
    const invitationId = await invite(acme, guest.email, 'member')
    await guest.device.post('/organization/accept-invitation', { invitationId, role })
    expect(await count('members', "instr(lower(role), 'owner') > 0")).toBe(1)
    expect(await count('invitations', "instr(lower(role), 'owner') > 0")).toBe(0)
  })

  it('an owner’s spelling is put right before it is stored', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const max = await someone(app, 'Max')
    await join(acme, max, [' owner ', 'admin,owner'])
    expect(await count('members', "role = 'owner,admin'")).toBe(1)
  })
})
