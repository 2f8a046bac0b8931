import { drizzle } from 'drizzle-orm/d1'
import { describe, expect, it } from 'vitest'
import { env, TestApp } from '../../../testing/harness.ts'
import { anotherDevice, colleague, company, fill, join, someone } from '../../../testing/organizations.ts'
import { insertRows, rowOf } from '../../../testing/rows.ts'
import { addUser, updateUsers } from '../../../testing/states.ts'
import { agentPage, keyPage, memberPage } from './access-review.store.ts'

const options = {
  rateLimit: { enabled: false },
  organization: { teams: { enabled: true } },
  identityProvider: { enabled: true },
}
const path = '/organization/access-review'
const [past, earlier] = [new Date(1000), new Date(500)]

async function scene() {
  const app = new TestApp(options)
  const at = await company(app, 'acme', await someone(app, 'Olivia'))
  const read = async (query: Record<string, string> = {}, device = at.owner.device, of = path) =>
    (await device.get(of, { query: { organizationId: at.id, ...query } })) as any
  return { app, at, read }
}

/** A user whom a row alone makes a member. */
async function memberBy(organizationId: string, name: string, grant: object) {
  const { id: userId } = await addUser({ name, email: `${name}@example.com` })
  await insertRows('members', { id: `m-${name}`, organizationId, userId, role: 'member', createdAt: past, ...grant })
  return userId
}

const lines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('GET /organization/access-review', () => {
  it('200: who has which roles and teams, since when and by which grant', async () => {
    const { app, at, read } = await scene()
    const other = await company(app, 'other', await someone(app, 'Oscar'))
    const { device } = at.owner
    const team = async (name: string) =>
      (await device.post('/organization/create-team', { organizationId: at.id, name })).body.id as string
    const [west, east] = [await team('West'), await team('East')]
    const carol = await someone(app, 'Carol')
    const member = await join(at, carol, ['admin', 'member'], { teamId: west })
    await insertRows('team_members', { id: 'x', teamId: east, memberId: member, createdAt: past })
    const sam = await someone(app, 'Sam')
    await app.serverApi().addMember({ userId: sam.id, role: 'member', organizationId: at.id })
    const connection = { type: 'oidc', name: 'Entra', state: 'active', config: {}, mapping: {}, ownCertificates: [] }
    const times = { createdAt: past, updatedAt: past }
    await insertRows(
      'connections',
      { id: 'c1', organizationId: at.id, ...connection, ...times } as never,
      { id: 'c2', organizationId: other.id, ...connection, name: 'Secret', ...times } as never,
    )
    await memberBy(at.id, 'sso', { origin: 'connection', originId: 'c1' })
    await memberBy(at.id, 'moved', { origin: 'directory', originId: 'c2' })
    await memberBy(at.id, 'joined', { origin: 'domain', originId: 'acme.example' })
    const old = await memberBy(at.id, 'old', { createdAt: earlier })
    await memberBy(at.id, 'guest', { origin: 'invitation', originId: 'deleted' })
    await updateUsers({ banned: true, twoFactorEnabled: true }, { id: old })
    await insertRows('break_glass_members', { memberId: at.ownerMember, createdAt: past })
    const change = { organizationId: at.id, memberId: member, role: 'admin' }
    expect((await device.post('/organization/update-member-role', change)).status).toBe(200)

    const { status, body, io } = await read()
    expect({ status, d1: io.d1[0], nextCursor: body.nextCursor }).toEqual({ status: 200, d1: 1, nextCursor: null })
    expect(body.members[0]).toEqual({
      ...{ id: 'm-old', userId: old, name: 'old', email: 'old@example.com', roles: ['member'], teams: [] },
      ...{ since: earlier.toISOString(), rolesChangedAt: null, grant: null, lastActiveAt: null },
      ...{ secondFactor: true, breakGlass: false, banned: true },
    })
    const by = Object.fromEntries(body.members.map((one: any) => [one.name, one]))
    expect(Object.fromEntries(body.members.map((one: any) => [one.name, one.grant]))).toEqual({
      old: null,
      sso: { origin: 'connection', id: 'c1', name: 'Entra' },
      moved: { origin: 'directory', id: 'c2', name: null },
      joined: { origin: 'domain', id: 'acme.example', name: 'acme.example' },
      guest: { origin: 'invitation', id: 'deleted', name: null },
      Olivia: { origin: 'creation', id: null, name: null },
      Carol: { origin: 'invitation', id: at.owner.id, name: 'Olivia' },
      Sam: { origin: 'server', id: null, name: null },
    })
    expect(by.Olivia).toMatchObject({ roles: ['owner'], breakGlass: true, rolesChangedAt: null })
    expect(by.Carol).toMatchObject({ roles: ['admin'], teams: ['East', 'West'], breakGlass: false, banned: false })
    expect(by.Carol.rolesChangedAt > by.Carol.since).toBe(true)
    // The newest of several sessions, without that of an impersonation.
    await anotherDevice(app, sam.id)
    const row = await rowOf('sessions', { userId: carol.id })
    await insertRows('sessions', {
      ...row!,
      id: 'i',
      token: 'i',
      updatedAt: new Date(9e12),
      impersonatedBy: at.owner.id,
    })
    expect((await read()).body.members.find(({ name }: any) => name === 'Carol').lastActiveAt).toBe(
      row!.updatedAt.toISOString(),
    )
  })

  it('403 for members without the permission, and for owners of other organizations; 400 for a wrong cursor', async () => {
    const { app, at, read } = await scene()
    const carol = await colleague(app, at, 'Carol')
    const other = await company(app, 'other', await someone(app, 'Oscar'))
    for (const of of [path, `${path}-credentials`]) {
      expect((await read({}, carol.device, of)).body.code).toBe(
        'YOU_ARE_NOT_ALLOWED_TO_READ_THE_AUDIT_LOG_OF_THIS_ORGANIZATION',
      )
      expect((await read({}, other.owner.device, of)).status).toBe(403)
      expect((await read({ cursor: 'x' }, at.owner.device, of)).body.code).toBe('INVALID_CURSOR')
    }
    for (const { device } of [carol, other.owner]) {
      expect((await device.post('/organization/export-access-review', { organizationId: at.id })).status).toBe(403)
    }
    const own = await other.owner.device.get(path, { query: { organizationId: other.id } })
    expect(own.body.members.map(({ name }: any) => name)).toEqual(['Oscar'])
  })

  it('reads 5,000 members page by page, from an index', async () => {
    const { at, read } = await scene()
    await fill(at, { members: 5000 })
    const walked: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body, io } = (await read({ limit: '200', ...(cursor ? { cursor } : {}) })) as any
      expect(body.members.length).toBeLessThanOrEqual(200)
      expect(io.d1[0]).toBe(1)
      walked.push(...body.members.map(({ id }: any) => id))
      cursor = body.nextCursor
    }
    expect(new Set(walked).size).toBe(5001)
    const file = await at.owner.device.post('/organization/export-access-review', {
      organizationId: at.id,
      format: 'ndjson',
    })
    expect(lines(file.body).map(({ id }) => id)).toEqual(walked)
    const page = { organizationId: at.id, limit: 50, after: { createdAt: 1, id: 'a' } }
    const db = drizzle(env.DB) as never
    for (const query of [memberPage(db, page), keyPage(db, page), agentPage(db, page)]) {
      const { sql, params } = query.toSQL()
      const plan = await env.DB.prepare(`explain query plan ${sql}`)
        .bind(...params)
        .all<{ detail: string }>()
      const details = plan.results.map(({ detail }) => detail)
      expect(details.filter((detail) => /^SCAN (?!\(|CONSTANT)/.test(detail) && !/subquery/i.test(detail))).toEqual([])
      expect(details.join('\n')).toMatch(/members_joining|api_keys_organization|oauth_applications_organization/)
    }
  })
})

describe('GET /organization/access-review-credentials', () => {
  it('200: the API keys and agents of the organization, with access, state and last use', async () => {
    const { app, at, read } = await scene()
    const { device } = at.owner
    const key = (more: object) => device.post('/api-key/create', { organizationId: at.id, ...more })
    const { body: first } = await key({ name: 'CI' })
    expect((await device.post('/api-key/create', { name: 'personal' })).status).toBe(200)
    const agent = (id: string, organizationId: string, more: object = {}) => ({
      ...{ id, clientId: id, organizationId, name: id, redirectURLs: [], type: 'web', authenticationScheme: 'none' },
      ...{ registration: { grant_types: [], response_types: [] }, createdAt: past, updatedAt: past },
      agent: { purpose: 'p', access: { 'https://api.example.com': ['read'] }, callsPerDay: 1, unitsPerDay: 1 },
      ...more,
    })
    const other = await company(app, 'other', await someone(app, 'Oscar'))
    await insertRows(
      'oauth_applications',
      agent('bot', at.id, { state: 'active' }),
      agent('late', at.id, { state: 'active', expiresAt: past }),
      agent('ended', at.id, { state: 'revoked' }),
      agent('theirs', other.id, { state: 'active' }),
    )
    const line = { clientId: 'bot', userId: at.owner.id }
    await insertRows('agent_activity', { id: '1', ...line, event: 'use', createdAt: past })
    await insertRows('agent_activity', { id: '2', ...line, event: 'paused', createdAt: new Date(2000) })
    const { body, io } = await read({}, device, `${path}-credentials`)
    expect(io.d1[0]).toBe(1)
    expect(body.credentials).toMatchObject([
      { type: 'agent', id: 'bot', state: 'active', lastUsedAt: past.toISOString() },
      { type: 'agent', id: 'ended', state: 'revoked', lastUsedAt: null },
      { type: 'agent', id: 'late', state: 'expired', access: { 'https://api.example.com': ['read'] } },
      { type: 'api-key', id: first.id, name: 'CI', start: first.start, state: 'active', lastUsedAt: null },
    ])
    expect(JSON.stringify(body)).not.toContain(first.key)
    const walked: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: any = (await read({ limit: '1', ...(cursor ? { cursor } : {}) }, device, `${path}-credentials`)).body
      walked.push(...page.credentials.map(({ id }: any) => id))
      cursor = page.nextCursor
    }
    expect(walked).toEqual(['bot', 'ended', 'late', first.id])

    const load = (format: string) =>
      device.post('/organization/export-access-review', { organizationId: at.id, format })
    const [head, ...rows] = (await load('csv')).body.trimEnd().split('\r\n')
    expect(head).toMatch(/^type,id,name,email,user_id,roles,teams,access,state,since,roles_changed,granted_by,/)
    expect(rows.map((row: string) => row.split(',')[0])).toEqual(['member', 'agent', 'agent', 'agent', 'api-key'])
    const [member, ...credentials] = lines((await load('ndjson')).body)
    expect(member).toMatchObject({ type: 'member', name: 'Olivia', grant: { origin: 'creation' } })
    expect(credentials).toEqual(body.credentials)
    const log = await device.get('/organization/audit', { query: { organizationId: at.id, limit: '2' } })
    expect(log.body.entries).toMatchObject([
      { action: 'organization.export-access-review', subjectId: at.id, after: { format: 'ndjson' } },
      { action: 'organization.export-access-review', actorId: at.owner.id, after: { format: 'csv' } },
    ])
  })
})
