import { describe, expect, it } from 'vitest'
import { outcome, TestApp } from '../../../testing/harness.ts'
import { colleague, company, invite, someone } from '../../../testing/organizations.ts'
import { count } from '../../../testing/rows.ts'
import { changeRole } from '../../../testing/states.ts'

const configured = (teams: object = {}) => ({
  rateLimit: { enabled: false },
  organization: { teams: { enabled: true, ...teams } },
})

async function cast(teams: object = {}) {
  const app = new TestApp(configured(teams))
  const acme = await company(app, 'acme')
  const { device } = acme.owner
  const post = (path: string, body: object) => device.post(`/organization/${path}`, body)
  const list = async () => (await device.get('/organization/list-teams')).body as { id: string; name: string }[]
  return { app, acme, post, list }
}

it('404 for every path where teams are off', async () => {
  const app = new TestApp()
  const { device } = (await company(app, 'acme')).owner
  for (const path of ['create-team', 'remove-team', 'update-team']) {
    expect((await device.post(`/organization/${path}`, { name: 'x', teamId: 'x', data: {} })).status).toBe(404)
  }
  expect((await device.get('/organization/list-teams')).status).toBe(404)
})

describe('POST /organization/create-team', () => {
  it('200', async () => {
    const { acme, post, list } = await cast()
    const { status, body, io } = await post('create-team', { name: 'Dev' })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['name', 'organizationId', 'createdAt', 'updatedAt', 'id'])
    expect(body).toMatchObject({ name: 'Dev', organizationId: acme.id, updatedAt: expect.any(String) })
    expect(io.d1).toEqual([3, 3])
    expect((await list()).map(({ name }) => name)).toEqual(['ACME', 'Dev'])
  })

  it('400 TEAM_ALREADY_EXISTS; 20 in parallel with one name: one', async () => {
    const { post } = await cast()
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('create-team', { name: ' Dev ' })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'TEAM_ALREADY_EXISTS')).toHaveLength(19)
  })

  it('403 for a member who loses their roles between the check and the write', async () => {
    const { acme, post, list } = await cast({
      maximumTeams: async () => {
        await changeRole('member', { organizationId: acme.id })
        return 9
      },
    })
    const { status, body } = await post('create-team', { name: 'Dev' })
    expect({ status, body }).toEqual({
      status: 403,
      body: {
        code: 'YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM',
        message: 'You are not allowed to create a new team',
      },
    })
    expect((await list()).map(({ name }) => name)).toEqual(['ACME'])
  })

  it('another organization may have a team of the same name', async () => {
    const { app, post } = await cast()
    await post('create-team', { name: 'Dev' })
    const beta = await company(app, 'beta')
    expect((await beta.owner.device.post('/organization/create-team', { name: 'Dev' })).status).toBe(200)
  })

  it.each([
    ['a number', 2],
    ['a function', ({ session }: { session: { user: { email: string } } }) => (session.user.email ? 2 : 0)],
  ])('403 beyond maximumTeams that is %s; 20 at once: one finds the last place', async (_what, maximumTeams) => {
    const { post } = await cast({ maximumTeams })
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => post('create-team', { name: `T${n}` })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = answers.find(({ status }) => status !== 200)!
    expect(refused).toMatchObject({ status: 403, body: { code: 'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS' } })
    expect(await count('teams')).toBe(2)
  })

  it('400 without a name or an organization, 403 for members, 401', async () => {
    const { app, acme, post } = await cast()
    expect((await post('create-team', {})).body.code).toBe('VALIDATION_ERROR')
    expect((await post('create-team', { name: '  ' })).body.code).toBe('VALIDATION_ERROR')
    const none = await (await someone(app, 'New')).device.post('/organization/create-team', { name: 'X' })
    expect(none).toMatchObject({ status: 400, body: { code: 'NO_ACTIVE_ORGANIZATION' } })
    const member = await colleague(app, acme, 'Max')
    const refused = await member.device.post('/organization/create-team', { name: 'X' })
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION' },
    })
    expect((await app.device().post('/organization/create-team', { name: 'X' })).status).toBe(401)
  })
})

describe('POST /organization/update-team', () => {
  it('200: renamed; nothing given changes nothing', async () => {
    const { post, list } = await cast()
    const { id } = (await post('create-team', { name: 'Dev' })).body
    const { status, body, io } = await post('update-team', { teamId: id, data: { name: 'Dev2' } })
    expect({ status, name: body.name }).toEqual({ status: 200, name: 'Dev2' })
    expect(io.d1).toEqual([3, 3])
    expect((await post('update-team', { teamId: id, data: {} })).body).toEqual(body)
    expect((await list()).map(({ name }) => name)).toEqual(['ACME', 'Dev2'])
  })

  it('400 for an unknown team, an empty or taken name; 403 for members', async () => {
    const { app, acme, post, list } = await cast()
    const { id } = (await post('create-team', { name: 'Dev' })).body
    expect((await post('update-team', { teamId: 'nope', data: { name: 'x' } })).body.code).toBe('TEAM_NOT_FOUND')
    expect((await post('update-team', { teamId: id, data: { name: '' } })).body.code).toBe('VALIDATION_ERROR')
    expect((await post('update-team', { teamId: id, data: { name: 'ACME' } })).body.code).toBe('TEAM_ALREADY_EXISTS')
    const member = await colleague(app, acme, 'Max')
    const refused = await member.device.post('/organization/update-team', { teamId: id, data: { name: 'Z' } })
    expect(refused).toMatchObject({ status: 403, body: { code: 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM' } })
    expect((await list()).map(({ name }) => name)).toEqual(['ACME', 'Dev'])
  })

  it('a team never moves to another organization', async () => {
    const { app, post, acme } = await cast()
    const beta = await company(app, 'beta', acme.owner)
    const { id } = (await post('create-team', { name: 'Dev', organizationId: acme.id })).body
    const moved = await post('update-team', { teamId: id, data: { name: 'Dev', organizationId: beta.id } })
    expect(moved.body.code).toBe('TEAM_NOT_FOUND')
    expect(await count('teams', { id, organizationId: acme.id })).toBe(1)
  })
})

describe('POST /organization/remove-team', () => {
  it('200: those in it are in none, and an invitation to it is one without a team', async () => {
    const { app, acme, post } = await cast()
    const teamId = (await post('create-team', { name: 'Dev' })).body.id
    const max = await someone(app, 'Max')
    const accepted = await invite(acme, max.email, 'member', { teamId })
    const { body } = await max.device.post('/organization/accept-invitation', { invitationId: accepted })
    expect(body).toMatchObject({ invitation: { teamId }, member: { teamId } })
    const open = await invite(acme, 'una@example.com', 'member', { teamId })
    const removed = await post('remove-team', { teamId })
    expect({ status: removed.status, body: removed.body }).toEqual({
      status: 200,
      body: { message: 'Team removed successfully.' },
    })
    expect(removed.io.d1).toEqual([3, 3])
    expect(await count('members', { teamId: null })).toBe(1)
    const una = await someone(app, 'Una')
    const joined = await una.device.post('/organization/accept-invitation', { invitationId: open })
    expect(joined.body).toMatchObject({ invitation: { teamId: null }, member: { teamId: null } })
  })

  it('403 for the caller’s own team, 400 for the last one, 403 for members, 400 for none', async () => {
    const { app, acme, post, list } = await cast()
    const [own] = await list()
    const admin = await colleague(app, acme, 'Ada', 'admin')
    const member = await colleague(app, acme, 'Max')
    const last = { teamId: own!.id }
    expect(outcome(await post('remove-team', last))).toEqual({
      status: 403,
      code: 'YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM',
    })
    expect(outcome(await admin.device.post('/organization/remove-team', last))).toEqual({
      status: 400,
      code: 'UNABLE_TO_REMOVE_LAST_TEAM',
    })
    expect(outcome(await member.device.post('/organization/remove-team', last))).toEqual({
      status: 403,
      code: 'YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION',
    })
    expect(outcome(await post('remove-team', { teamId: 'nope' }))).toEqual({ status: 400, code: 'TEAM_NOT_FOUND' })
    const none = (await someone(app, 'New')).device.post('/organization/remove-team', { teamId: 'x' })
    expect(outcome(await none)).toEqual({ status: 400, code: 'NO_ACTIVE_ORGANIZATION' })
    expect((await app.device().post('/organization/remove-team', last)).status).toBe(401)
    expect(await count('teams')).toBe(1)
  })

  it.each([
    [1, false],
    [0, true],
  ])('two removed at once: %i left where allowRemovingAllTeams is %s', async (left, allowRemovingAllTeams) => {
    const { app, acme, post, list } = await cast({ allowRemovingAllTeams })
    await post('create-team', { name: 'Dev' })
    const admin = await colleague(app, acme, 'Ada', 'admin')
    const teams = await list()
    await Promise.all(teams.map(({ id }) => admin.device.post('/organization/remove-team', { teamId: id })))
    expect(await count('teams')).toBe(left)
  })
})

describe('GET /organization/list-teams', () => {
  it('200 by id; 403 for others', async () => {
    const { app, acme } = await cast()
    const beta = await company(app, 'beta')
    const query = { organizationId: acme.id }
    expect((await acme.owner.device.get('/organization/list-teams', { query })).body).toHaveLength(1)
    const { status, body } = await beta.owner.device.get('/organization/list-teams', { query })
    expect({ status, message: body.message }).toEqual({
      status: 403,
      message: 'You are not a member of this organization',
    })
  })
})
