import { describe, expect, it } from 'vitest'
import { type Device, TestApp } from '../../testing/harness.ts'
import { activeOf, anotherDevice, colleague, company, fill, someone } from '../../testing/organizations.ts'
import { count, deleteRows } from '../../testing/rows.ts'
import { sessionsInOrganizations } from '../../testing/states.ts'

const unlimited = { rateLimit: { enabled: false } }
const withTeams = { ...unlimited, organization: { teams: { enabled: true } } }

describe('POST /organization/create', () => {
  it('200: the creator is its owner, in a team of its name, and it is active', async () => {
    const app = new TestApp(withTeams)
    const { device, id: userId } = await someone(app, 'Olivia')
    const { status, body, io } = await device.post('/organization/create', {
      name: 'Acme',
      slug: 'acme',
      logo: 'https://img.example.com/l.png',
      metadata: { plan: 'pro' },
    })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['name', 'slug', 'logo', 'createdAt', 'metadata', 'id', 'members'])
    expect(body).toMatchObject({ name: 'Acme', slug: 'acme', metadata: { plan: 'pro' } })
    expect(body.members).toEqual([
      {
        organizationId: body.id,
        userId,
        role: 'owner',
        teamId: expect.stringMatching(/^\w{32}$/),
        createdAt: body.createdAt,
        id: expect.stringMatching(/^\w{32}$/),
      },
    ])
    expect(io.d1).toEqual([2, 2])
    expect(await activeOf(device)).toBe(body.id)
    const teams = await device.get('/organization/list-teams')
    expect(teams.body).toMatchObject([{ id: body.members[0].teamId, name: 'Acme', updatedAt: null }])
  })

  it('200 without teams, logo and metadata: the answer leaves teamId and metadata out', async () => {
    const { device } = await someone(new TestApp(unlimited), 'Olivia')
    const { body } = await device.post('/organization/create', { name: 'L', slug: 'l' })
    expect(Object.keys(body)).toEqual(['name', 'slug', 'logo', 'createdAt', 'id', 'members'])
    expect(Object.keys(body.members[0])).toEqual(['organizationId', 'userId', 'role', 'createdAt', 'id'])
    expect(body.logo).toBeNull()
    expect(await count('teams')).toBe(0)
  })

  it('200 with keepCurrentActiveOrganization: the active one remains', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const { device } = acme.owner
    await device.post('/organization/create', { name: 'B', slug: 'b', keepCurrentActiveOrganization: true })
    expect(await activeOf(device)).toBe(acme.id)
  })

  it('200 with a foreign userId: the organization is still the caller’s', async () => {
    const app = new TestApp(unlimited)
    const [olivia, victim] = [await someone(app, 'Olivia'), await someone(app, 'Victim')]
    const { body } = await olivia.device.post('/organization/create', { name: 'X', slug: 'x', userId: victim.id })
    expect(body.members).toMatchObject([{ userId: olivia.id }])
    expect((await victim.device.get('/organization/list')).body).toEqual([])
  })

  it.each([
    ['no slug', { name: 'x' }],
    ['no name', { slug: 'x' }],
    ['an empty name', { name: ' ', slug: 'x' }],
    ['a slug with a space', { name: 'x', slug: 'a b' }],
    ['a slug with a slash', { name: 'x', slug: '../a' }],
    ['a slug that means a folder', { name: 'x', slug: '..' }],
    ['a slug that looks like another', { name: 'x', slug: 'ac\u200bme' }],
    ['metadata that is not an object', { name: 'x', slug: 'x', metadata: 'text' }],
    ['too much metadata', { name: 'x', slug: 'x', metadata: { text: 'x'.repeat(20_000) } }],
    ['wrong types', { name: 5, slug: ['x'] }],
  ])('400 VALIDATION_ERROR for %s, and nothing is written', async (_what, input) => {
    const { device } = await someone(new TestApp(unlimited), 'Olivia')
    const { status, body } = await device.post('/organization/create', input)
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' })
    expect(await count('organizations')).toBe(0)
  })

  it('400 ORGANIZATION_ALREADY_EXISTS for a taken slug, and nothing is written', async () => {
    const app = new TestApp(withTeams)
    const acme = await company(app, 'acme')
    const { status, body } = await acme.owner.device.post('/organization/create', { name: 'Acme2', slug: 'acme' })
    expect({ status, code: body.code, message: body.message }).toEqual({
      status: 400,
      code: 'ORGANIZATION_ALREADY_EXISTS',
      message: 'Organization already exists',
    })
    expect({
      organizations: await count('organizations'),
      members: await count('members'),
      teams: await count('teams'),
    }).toEqual({ organizations: 1, members: 1, teams: 1 })
    expect(await activeOf(acme.owner.device)).toBe(acme.id)
  })

  it('401 for visitors', async () => {
    const { status, body } = await new TestApp().device().post('/organization/create', { name: 'x', slug: 'y' })
    expect({ status, body }).toEqual({ status: 401, body: { code: 'UNAUTHORIZED', message: 'Unauthorized' } })
  })

  it.each([
    ['false', false],
    ['a function', (user: { email: string }) => user.email !== 'olivia@example.com'],
  ])('403 where allowUserToCreateOrganization is %s', async (_what, allowUserToCreateOrganization) => {
    const { device } = await someone(new TestApp({ organization: { allowUserToCreateOrganization } }), 'Olivia')
    const { status, body } = await device.post('/organization/create', { name: 'L', slug: 'l' })
    expect({ status, code: body.code }).toEqual({
      status: 403,
      code: 'YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION',
    })
  })

  it.each([
    ['a number', 2],
    ['a function', () => 2],
  ])('403 beyond an organizationLimit that is %s; 20 at once: one finds the last place', async (_what, limit) => {
    const app = new TestApp({ ...unlimited, organization: { organizationLimit: limit } })
    const acme = await company(app, 'acme')
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        acme.owner.device.post('/organization/create', { name: 'L', slug: `l${n}` }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.find(({ status }) => status === 403)?.body.code).toBe(
      'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS',
    )
    expect({ organizations: await count('organizations'), members: await count('members') }).toEqual({
      organizations: 2,
      members: 2,
    })
  })

  it('20 in parallel with one slug: one wins', async () => {
    const app = new TestApp(withTeams)
    const people = await Promise.all(Array.from({ length: 20 }, (_, n) => someone(app, `p${n}`)))
    const answers = await Promise.all(
      people.map(({ device }) => device.post('/organization/create', { name: 'Acme', slug: 'acme' })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'ORGANIZATION_ALREADY_EXISTS')).toHaveLength(19)
    expect({
      organizations: await count('organizations'),
      members: await count('members'),
      teams: await count('teams'),
    }).toEqual({ organizations: 1, members: 1, teams: 1 })
    expect(await sessionsInOrganizations()).toHaveLength(1)
  })

  it('servers create for another user; another creatorRole and no default team', async () => {
    const { id } = await someone(new TestApp(), 'Olivia')
    const api = new TestApp({
      organization: {
        creatorRole: 'founder',
        roles: { founder: {} },
        teams: { enabled: true, defaultTeam: { enabled: false } },
      },
    }).serverApi()
    const answer = await api.createOrganization({ userId: id, name: 'S', slug: 's' })
    expect(answer).toMatchObject({
      ok: true,
      result: { slug: 's', members: [{ userId: id, role: 'founder', teamId: null }] },
    })
    expect(await api.createOrganization({ userId: 'unknown', name: 'S', slug: 's2' })).toMatchObject({
      ok: false,
      code: 'USER_NOT_FOUND',
    })
  })
})

describe('POST /organization/check-slug', () => {
  it('200 for a free slug, 400 SLUG_IS_TAKEN for a taken one, 401 for visitors', async () => {
    const app = new TestApp(unlimited)
    const { device } = (await company(app, 'acme')).owner
    expect((await device.post('/organization/check-slug', { slug: 'free' })).body).toEqual({ status: true })
    const taken = await device.post('/organization/check-slug', { slug: 'acme' })
    expect({ status: taken.status, body: taken.body }).toEqual({
      status: 400,
      body: { code: 'SLUG_IS_TAKEN', message: 'slug is taken' },
    })
    expect((await app.device().post('/organization/check-slug', { slug: 'free' })).status).toBe(401)
  })
})

describe('POST /organization/update', () => {
  it('200: changes the given values, metadata as an object; null clears; an empty body changes nothing', async () => {
    const { owner, id } = await company(new TestApp(unlimited), 'acme')
    const update = (data: object) => owner.device.post('/organization/update', { data })
    const changed = await update({ name: 'Acme Inc', logo: 'https://l.example.com/', metadata: { plan: 'max' } })
    expect(Object.keys(changed.body)).toEqual(['name', 'slug', 'logo', 'createdAt', 'metadata', 'id'])
    expect(changed.body).toMatchObject({ id, name: 'Acme Inc', slug: 'acme', metadata: { plan: 'max' } })
    expect(changed.io.d1).toEqual([3, 3])
    expect((await update({})).body).toEqual(changed.body)
    expect((await update({ metadata: null, logo: null })).body).toMatchObject({ metadata: null, logo: null })
    expect((await update({ id: 'other', createdAt: 5 })).body).toMatchObject({ id })
  })

  it('400 ORGANIZATION_NOT_FOUND without an active one, ORGANIZATION_ALREADY_EXISTS for a taken slug', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const beta = await company(app, 'beta')
    const { device } = await someone(app, 'Nobody')
    const none = await device.post('/organization/update', { data: { name: 'z' } })
    expect(none).toMatchObject({ status: 400, body: { code: 'ORGANIZATION_NOT_FOUND' } })
    const taken = await acme.owner.device.post('/organization/update', { data: { name: 'New', slug: 'beta' } })
    expect(taken).toMatchObject({ status: 400, body: { code: 'ORGANIZATION_ALREADY_EXISTS' } })
    expect(await count('organizations', { name: 'New' })).toBe(0)
    expect((await beta.owner.device.post('/organization/update', { data: { slug: 'beta' } })).status).toBe(200)
  })

  it('403 for members, 200 for admins', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const member = await colleague(app, acme, 'Max')
    const admin = await colleague(app, acme, 'Ada', 'admin')
    const refused = await member.device.post('/organization/update', { data: { name: 'q' } })
    expect(refused).toMatchObject({ status: 403, body: { code: 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION' } })
    expect((await admin.device.post('/organization/update', { data: { name: 'q' } })).status).toBe(200)
  })
})

describe('POST /organization/delete', () => {
  it('200: all its data is deleted, and no session has it', async () => {
    const app = new TestApp(withTeams)
    const acme = await company(app, 'acme')
    const max = await colleague(app, acme, 'Max')
    await fill(acme, { members: 5, invitations: 5 })
    const { status, body } = await acme.owner.device.post('/organization/delete', { organizationId: acme.id })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: acme.id, slug: 'acme', metadata: null })
    for (const table of ['organizations', 'members', 'invitations', 'teams'] as const)
      expect(await count(table)).toBe(0)
    expect(await sessionsInOrganizations()).toHaveLength(0)
    expect(await activeOf(acme.owner.device)).toBeNull()
    const full = await max.device.get('/organization/get-full-organization', { query: { organizationId: acme.id } })
    expect(full.status).toBe(403)
  })

  it('403 for members and admins, and where deletion is switched off', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const off = new TestApp({ ...unlimited, organization: { disableOrganizationDeletion: true } })
    const owner = { device: await anotherDevice(off, acme.owner.id) }
    for (const { device } of [await colleague(app, acme, 'Ada', 'admin'), await colleague(app, acme, 'Max'), owner]) {
      const { status, body } = await device.post('/organization/delete', { organizationId: acme.id })
      expect({ status, code: body.code }).toEqual({
        status: 403,
        code: 'YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION',
      })
    }
    expect(await count('organizations')).toBe(1)
  })

  it('400 without an id, 401 for visitors', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    expect((await acme.owner.device.post('/organization/delete', {})).body.code).toBe('VALIDATION_ERROR')
    expect((await app.device().post('/organization/delete', { organizationId: acme.id })).status).toBe(401)
  })
})

describe('POST /organization/set-active', () => {
  it('200 by id, by slug and with null; get-session follows immediately', async () => {
    const app = new TestApp(withTeams)
    const acme = await company(app, 'acme')
    const beta = await company(app, 'beta', acme.owner)
    const { device } = acme.owner
    expect(await activeOf(device)).toBe(beta.id)
    const byId = await device.post('/organization/set-active', { organizationId: acme.id })
    expect(Object.keys(byId.body)).toEqual([
      ...['name', 'slug', 'logo', 'createdAt', 'metadata', 'id', 'invitations', 'members', 'teams'],
    ])
    expect(byId.body).toMatchObject({ id: acme.id, members: [{ role: 'owner' }], teams: null })
    expect(byId.io.d1).toEqual([2, 2])
    expect(await activeOf(device)).toBe(acme.id)
    await device.post('/organization/set-active', { organizationSlug: 'beta' })
    expect(await activeOf(device)).toBe(beta.id)
    const none = await device.post('/organization/set-active', { organizationId: null })
    expect(none).toMatchObject({ status: 200, body: null })
    expect(await activeOf(device)).toBeNull()
    expect(await sessionsInOrganizations()).toHaveLength(0)
    expect((await device.post('/organization/set-active', {})).body).toBeNull()
  })

  it('403 for others, known or not, and the session keeps what it has', async () => {
    const app = new TestApp(unlimited)
    const [acme, beta] = [await company(app, 'acme'), await company(app, 'beta')]
    for (const choice of [{ organizationId: beta.id }, { organizationId: 'nope' }, { organizationSlug: 'beta' }]) {
      const { status, body } = await acme.owner.device.post('/organization/set-active', choice)
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION' })
    }
    expect(await activeOf(acme.owner.device)).toBe(acme.id)
    expect((await app.device().post('/organization/set-active', { organizationId: acme.id })).status).toBe(401)
  })
})

describe('GET /organization/get-full-organization', () => {
  it('200: 100 members and 100 invitations in one round trip, the session’s included', async () => {
    const app = new TestApp({ ...withTeams })
    const acme = await company(app, 'acme')
    await fill(acme, { members: 99, invitations: 100 })
    const { status, body, io } = await acme.owner.device.get('/organization/get-full-organization')
    expect(status).toBe(200)
    expect(io).toMatchObject({ d1: [1, 1], kv: [0, 0], durable: [0, 0] })
    expect({ members: body.members.length, invitations: body.invitations.length, teams: body.teams.length }).toEqual({
      members: 100,
      invitations: 100,
      teams: 1,
    })
    expect(Object.keys(body)).toEqual([
      ...['name', 'slug', 'logo', 'createdAt', 'metadata', 'id', 'invitations', 'members', 'teams'],
    ])
    expect(body.members[0]).toEqual({
      organizationId: acme.id,
      userId: acme.owner.id,
      role: 'owner',
      teamId: body.teams[0].id,
      createdAt: body.createdAt,
      id: acme.ownerMember,
      user: { id: acme.owner.id, name: 'acme-owner', email: acme.owner.email, image: null },
    })
    expect(Object.keys(body.invitations[0])).toEqual([
      ...['organizationId', 'email', 'role', 'teamId', 'status', 'expiresAt', 'inviterId', 'id'],
    ])
  })

  it('200 without teams: teams is null; metadata is an object, and not in lists; by slug; null when none is active', async () => {
    const app = new TestApp(unlimited)
    const { device } = await someone(app, 'Olivia')
    expect((await device.get('/organization/get-full-organization')).body).toBeNull()
    const metadata = { plan: 'pro', seats: [1, { of: null }] }
    await device.post('/organization/create', { name: 'Acme', slug: 'acme', metadata })
    const { body } = await device.get('/organization/get-full-organization', { query: { organizationSlug: 'acme' } })
    expect(body).toMatchObject({ slug: 'acme', metadata, teams: null, invitations: [] })
    expect((await device.get('/organization/list')).body).toMatchObject([{ slug: 'acme' }])
    expect((await device.post('/organization/set-active', {})).body.metadata).toEqual(metadata)
    expect((await device.post('/organization/delete', { organizationId: body.id })).body.metadata).toEqual(metadata)
  })

  it.each([
    ['a number', 3],
    ['a function', () => 3],
  ])('200: lists at most membershipLimit members, if it is %s', async (_what, membershipLimit) => {
    const app = new TestApp({ organization: { membershipLimit } })
    const acme = await company(app, 'acme')
    await fill(acme, { members: 5 })
    expect((await acme.owner.device.get('/organization/get-full-organization')).body.members).toHaveLength(3)
  })

  it('403 for a session whose active organization is no longer the user’s; it is deactivated', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const max = await colleague(app, acme, 'Max')
    // As if another isolate had not received the change: the row is deleted, the session remains.
    await deleteRows('members', { id: max.member })
    const { status, body } = await max.device.get('/organization/get-full-organization')
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION' })
    expect(await activeOf(max.device)).toBeNull()
    expect(await sessionsInOrganizations({ userId: max.id })).toHaveLength(0)
    expect((await max.device.get('/organization/get-full-organization')).body).toBeNull()
  })
})

describe('GET /organization/list', () => {
  it('200: the caller’s own', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    await company(app, 'beta', acme.owner)
    await company(app, 'other')
    const { body, io } = await acme.owner.device.get('/organization/list')
    expect(body.map(({ slug }: { slug: string }) => slug)).toEqual(['acme', 'beta'])
    expect(Object.keys(body[0])).toEqual(['name', 'slug', 'logo', 'createdAt', 'id'])
    expect(io.d1).toEqual([1, 1])
  })
})

it('404 for every path where organizations are off; and no field of theirs in the session', async () => {
  const app = new TestApp({ organization: { enabled: false, teams: { enabled: true } } })
  const { device } = await someone(app, 'Olivia')
  for (const path of ['/organization/list', '/organization/list-teams']) {
    expect((await device.get(path)).status).toBe(404)
  }
  expect((await device.get('/get-session')).body.session).not.toHaveProperty('activeOrganizationId')
  expect((await device.get('/config')).body).not.toHaveProperty('organization')
})

describe('the account of an owner is deleted', () => {
  const remove = (device: Device) => device.post('/delete-user', {})

  it('400 while they are the only owner with other members, who remain', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    await colleague(app, acme, 'Max')
    const { status, body } = await remove(acme.owner.device)
    expect({ status, code: body.code }).toEqual({
      status: 400,
      code: 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER',
    })
    expect({ users: await count('users'), members: await count('members') }).toEqual({ users: 2, members: 2 })
  })

  it('200 with another owner; and as the only member, with the organization', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    await company(app, 'beta', acme.owner)
    await colleague(app, acme, 'Otto', 'owner')
    expect((await remove(acme.owner.device)).status).toBe(200)
    expect({
      organizations: await count('organizations'),
      acme: await count('organizations', { slug: 'acme' }),
    }).toEqual({ organizations: 1, acme: 1 })
  })

  it('two owners delete their accounts in parallel: one remains with the others', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const otto = await colleague(app, acme, 'Otto', 'owner')
    await colleague(app, acme, 'Max')
    const answers = await Promise.all([acme.owner, otto].map(({ device }) => remove(device)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(await count('members', { role: 'owner' })).toBe(1)
  })
})
