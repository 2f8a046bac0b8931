import { describe, expect, it } from 'vitest'
import { type Device, TestApp } from '../../../testing/harness.ts'
import { colleague, company } from '../../../testing/organizations.ts'
import { count } from '../../../testing/rows.ts'

async function cast(teams: object = {}) {
  const app = new TestApp({ rateLimit: { enabled: false }, organization: { teams: { enabled: true, ...teams } } })
  const acme = await company(app, 'acme')
  const { device } = acme.owner
  const max = await colleague(app, acme, 'Max')
  const create = async (name: string): Promise<string> =>
    (await device.post('/organization/create-team', { name })).body.id
  const post = (path: string, body: object, as: Device = device) => as.post(`/organization/${path}`, body)
  const get = (path: string, query: Record<string, string> = {}, as: Device = device) =>
    as.get(`/organization/${path}`, { query })
  const membersOf = async (teamId: string, as?: Device): Promise<string[]> =>
    (await get('list-team-members', { teamId }, as)).body.map(({ userId }: { userId: string }) => userId)
  const firstTeamOf = async (userId: string) =>
    (await get('get-full-organization')).body.members.find((one: { userId: string }) => one.userId === userId).teamId
  const teamsOf = async (as: Device, query: Record<string, string> = {}): Promise<string[]> =>
    (await get('list-user-teams', query, as)).body.map(({ id }: { id: string }) => id)
  return { app, acme, device, max, create, post, get, membersOf, firstTeamOf, teamsOf }
}

it('404 for every path where teams are off', async () => {
  const app = new TestApp()
  const { device } = (await company(app, 'acme')).owner
  for (const path of ['add-team-member', 'remove-team-member', 'set-active-team']) {
    expect((await device.post(`/organization/${path}`, { teamId: 'x', userId: 'x' })).status).toBe(404)
  }
  for (const path of ['list-team-members', 'list-user-teams']) {
    expect((await device.get(`/organization/${path}`)).status).toBe(404)
  }
  expect((await device.get('/get-session')).body.session).not.toHaveProperty('activeTeamId')
})

describe('POST /organization/add-team-member', () => {
  it('200: the first team is the one of older clients, further teams follow; a repetition changes nothing', async () => {
    const { max, create, post, membersOf, firstTeamOf, teamsOf } = await cast()
    const [design, sales] = [await create('Design'), await create('Sales')]
    const first = await post('add-team-member', { teamId: design, userId: max.id })
    expect(first).toMatchObject({ status: 200, io: { d1: [3, 3] } })
    expect(first.body).toEqual({
      id: expect.any(String),
      teamId: design,
      userId: max.id,
      createdAt: expect.any(String),
    })
    const second = await post('add-team-member', { teamId: sales, userId: max.id })
    expect(second.body).toMatchObject({ teamId: sales, userId: max.id })
    expect((await post('add-team-member', { teamId: sales, userId: max.id })).body).toEqual(second.body)
    expect((await post('add-team-member', { teamId: design, userId: max.id })).body).toEqual(first.body)
    expect(await firstTeamOf(max.id)).toBe(design)
    expect(await membersOf(design)).toEqual([max.id])
    expect(await membersOf(sales)).toEqual([max.id])
    expect(await teamsOf(max.device)).toEqual([design, sales])
  })

  it('20 at once for one user: one row a team', async () => {
    const { max, create, post, membersOf } = await cast()
    const teams = [await create('Design'), await create('Sales')]
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => post('add-team-member', { teamId: teams[n % 2]!, userId: max.id })),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(await membersOf(teams[0]!)).toEqual([max.id])
    expect(await membersOf(teams[1]!)).toEqual([max.id])
    expect(await count('team_members')).toBe(1)
  })

  it('403 beyond maximumMembersPerTeam; 20 at once: one gets the last place', async () => {
    const { app, acme, create, post, membersOf } = await cast({ maximumMembersPerTeam: 1 })
    const people = await Promise.all(['Ann', 'Ben', 'Cem', 'Dua', 'Eva'].map((name) => colleague(app, acme, name)))
    const teamId = await create('Design')
    const answers = await Promise.all(people.map(({ id }) => post('add-team-member', { teamId, userId: id })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 403,
      body: { code: 'TEAM_MEMBER_LIMIT_REACHED' },
    })
    expect(await membersOf(teamId)).toHaveLength(1)
  })

  it('refuses members, outsiders, users of other organizations, unknown teams and visitors', async () => {
    const { app, max, create, post } = await cast()
    const teamId = await create('Design')
    const beta = await company(app, 'beta')
    const refused = async (body: object, as?: Device) => {
      const { status, body: answer } = await post('add-team-member', body, as)
      return { status, code: answer.code }
    }
    expect(await refused({ teamId, userId: max.id }, max.device)).toEqual({
      status: 403,
      code: 'YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER',
    })
    expect(await refused({ teamId, userId: max.id }, beta.owner.device)).toEqual({
      status: 400,
      code: 'TEAM_NOT_FOUND',
    })
    expect(await refused({ teamId, userId: beta.owner.id })).toEqual({
      status: 400,
      code: 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION',
    })
    expect(await refused({ teamId: 'unknown', userId: max.id })).toEqual({ status: 400, code: 'TEAM_NOT_FOUND' })
    expect(await refused({ teamId, userId: max.id }, app.device())).toMatchObject({ status: 401 })
    expect(await count('team_members')).toBe(0)
  })
})

describe('POST /organization/remove-team-member', () => {
  it('200: the next team becomes the first one; it clears the active team of the user', async () => {
    const { max, create, post, get, membersOf, firstTeamOf } = await cast()
    const [design, sales] = [await create('Design'), await create('Sales')]
    for (const teamId of [design, sales]) await post('add-team-member', { teamId, userId: max.id })
    await max.device.post('/organization/set-active-team', { teamId: design })
    const removed = await post('remove-team-member', { teamId: design, userId: max.id })
    expect(removed).toMatchObject({
      status: 200,
      body: { message: 'Team member removed successfully.' },
      io: { d1: [3, 3] },
    })
    expect(await firstTeamOf(max.id)).toBe(sales)
    expect(await membersOf(design)).toEqual([])
    expect(await membersOf(sales)).toEqual([max.id])
    expect(await count('team_members')).toBe(0)
    const { session } = (await max.device.get('/get-session', { query: { disableCookieCache: 'true' } })).body
    expect(session).not.toHaveProperty('activeTeamId')
    const again = await post('remove-team-member', { teamId: design, userId: max.id })
    expect(again).toMatchObject({ status: 400, body: { code: 'USER_IS_NOT_A_MEMBER_OF_THE_TEAM' } })
    expect((await get('list-team-members', { teamId: sales })).status).toBe(200)
  })

  it('403 for members', async () => {
    const { max, create, post } = await cast()
    const teamId = await create('Design')
    await post('add-team-member', { teamId, userId: max.id })
    expect(await post('remove-team-member', { teamId, userId: max.id }, max.device)).toMatchObject({
      status: 403,
      body: { code: 'YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER' },
    })
  })

  it('a deleted team leaves its members in their other teams', async () => {
    const { max, create, post, firstTeamOf, membersOf } = await cast()
    const [design, sales] = [await create('Design'), await create('Sales')]
    for (const teamId of [design, sales]) await post('add-team-member', { teamId, userId: max.id })
    expect((await post('remove-team', { teamId: design })).status).toBe(200)
    expect(await firstTeamOf(max.id)).toBe(sales)
    expect(await membersOf(sales)).toEqual([max.id])
    expect(await count('team_members')).toBe(0)
  })
})

describe('POST /organization/set-active-team', () => {
  it('200 for a team of the user in the active organization; null, and another organization, deactivate it', async () => {
    const { app, acme, max, create, post } = await cast()
    const teamId = await create('Design')
    await post('add-team-member', { teamId, userId: max.id })
    const activate = (body: object) => post('set-active-team', body, max.device)
    const active = async () => (await max.device.get('/get-session')).body.session.activeTeamId
    expect(await activate({ teamId })).toMatchObject({ status: 200, body: { id: teamId, name: 'Design' } })
    expect(await active()).toBe(teamId)
    expect((await activate({})).body).toMatchObject({ id: teamId })
    expect(await activate({ teamId: null })).toMatchObject({ status: 200, body: null })
    expect(await active()).toBeUndefined()
    await activate({ teamId })
    await company(app, 'beta', max)
    expect(await active()).toBeUndefined()
    await max.device.post('/organization/set-active', { organizationId: acme.id })
    expect(await active()).toBeUndefined()
  })

  it('refuses a team that the user is not in, and one of another organization', async () => {
    const { app, max, create, post } = await cast()
    const teamId = await create('Design')
    expect(await post('set-active-team', { teamId }, max.device)).toMatchObject({
      status: 403,
      body: { code: 'USER_IS_NOT_A_MEMBER_OF_THE_TEAM' },
    })
    const beta = await company(app, 'beta')
    expect(await post('set-active-team', { teamId }, beta.owner.device)).toMatchObject({
      status: 400,
      body: { code: 'TEAM_NOT_FOUND' },
    })
  })
})

describe('the lists', () => {
  it('a team shows its members to those in it and to those who manage members', async () => {
    const { app, acme, max, create, post, get, membersOf } = await cast()
    const teamId = await create('Design')
    await post('add-team-member', { teamId, userId: max.id })
    const ann = await colleague(app, acme, 'Ann')
    const beta = await company(app, 'beta')
    expect(await membersOf(teamId, max.device)).toEqual([max.id])
    expect(await get('list-team-members', { teamId }, ann.device)).toMatchObject({
      status: 400,
      body: { code: 'USER_IS_NOT_A_MEMBER_OF_THE_TEAM' },
    })
    expect(await get('list-team-members', { teamId }, beta.owner.device)).toMatchObject({
      status: 400,
      body: { code: 'TEAM_NOT_FOUND' },
    })
    expect(await get('list-team-members', {}, max.device)).toMatchObject({
      status: 400,
      body: { code: 'YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM' },
    })
    await post('set-active-team', { teamId }, max.device)
    expect((await get('list-team-members', {}, max.device)).body).toMatchObject([{ userId: max.id, teamId }])
  })

  it('the teams of another user are shown to those who manage members of the same organization', async () => {
    const { app, acme, max, create, post, get, teamsOf, device } = await cast()
    const teamId = await create('Design')
    await post('add-team-member', { teamId, userId: max.id })
    const beta = await company(app, 'beta', max)
    const ofBeta = (await get('list-teams', { organizationId: beta.id }, max.device)).body[0].id
    expect((await teamsOf(max.device)).toSorted()).toEqual([teamId, ofBeta].toSorted())
    expect(await teamsOf(max.device, { organizationId: acme.id })).toEqual([teamId])
    expect(await teamsOf(device, { userId: max.id })).toEqual([teamId])
    const ann = await colleague(app, acme, 'Ann')
    expect(await get('list-user-teams', { userId: max.id }, ann.device)).toMatchObject({
      status: 403,
      body: { code: 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER' },
    })
    expect(await get('list-user-teams', { organizationId: beta.id })).toMatchObject({
      status: 403,
      body: { code: 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION' },
    })
    expect(await get('list-user-teams', { userId: 'unknown' })).toMatchObject({
      status: 400,
      body: { code: 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION' },
    })
  })
})
