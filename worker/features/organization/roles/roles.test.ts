import { describe, expect, it } from 'vitest'
import { outcome, TestApp } from '../../../testing/harness.ts'
import { colleague, company, invite, join, someone } from '../../../testing/organizations.ts'
import { count, rowsOf } from '../../../testing/rows.ts'

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
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { error: null, success } })
    expect(answer.io.d1).toEqual([1, 1])
  })

  it('400 with neither field or no organization, 403 for others, 401', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const { device } = await someone(app, 'Max')
    const permissions = { organization: ['update'] }
    const ask = async (from: typeof device, body: object) =>
      outcome(await from.post('/organization/has-permission', body))
    expect(await ask(acme.owner.device, {})).toEqual({ status: 400, code: 'VALIDATION_ERROR' })
    expect(await ask(acme.owner.device, { permissions: { organization: 'update' } })).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
    })
    expect(await ask(device, { permissions })).toEqual({ status: 400, code: 'NO_ACTIVE_ORGANIZATION' })
    expect(await ask(device, { permissions, organizationId: acme.id })).toEqual({
      status: 403,
      code: 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION',
    })
    expect(await ask(app.device(), { permissions })).toEqual({ status: 401, code: 'UNAUTHORIZED' })
  })

  it('uses the configured roles and resources, and publishes them to the screens', async () => {
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

describe('the spelling of a role makes no owner', () => {
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
    // An acceptance uses the role of the invitation and ignores the role in the body.
    const guest = await someone(app, 'Gus')
    const invitationId = await invite(acme, guest.email, 'member')
    await guest.device.post('/organization/accept-invitation', { invitationId, role })
    const owners = (rows: { role: string | null }[]) => rows.filter((row) => /owner/i.test(row.role ?? ''))
    expect(owners(await rowsOf('members'))).toHaveLength(1)
    expect(owners(await rowsOf('invitations'))).toHaveLength(0)
  })

  it('an owner’s spelling is put right before it is stored', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const max = await someone(app, 'Max')
    await join(acme, max, [' owner ', 'admin,owner'])
    expect(await count('members', { role: 'owner,admin' })).toBe(1)
  })
})
