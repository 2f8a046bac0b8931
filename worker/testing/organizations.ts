import { signValue } from '../kit/cookies.ts'
import { newId, randomString } from '../kit/random.ts'
import { days, ms } from '../kit/time.ts'
import { type Device, env, type TestApp } from './harness.ts'

/** For tests: people who are signed in without the cost of a password, organizations, and members by the hundred. */

export interface Someone {
  id: string
  email: string
  device: Device
}

/** Writes a verified user and a session of theirs. */
export async function someone(app: TestApp, name: string, changes: { verified?: boolean } = {}): Promise<Someone> {
  const id = newId()
  const email = `${name.toLowerCase()}@example.com`
  await env.DB.prepare(
    'insert into users (id, name, email, email_verified, created_at, updated_at) values (?, ?, ?, ?, ?, ?)',
  )
    .bind(id, name, email, changes.verified === false ? 0 : 1, Date.now(), Date.now())
    .run()
  return { id, email, device: await anotherDevice(app, id) }
}

/** A session of somebody on one more device. */
export async function anotherDevice(app: TestApp, userId: string): Promise<Device> {
  const token = randomString(32)
  const now = Date.now()
  await env.DB.prepare(
    'insert into sessions (id, user_id, token, expires_at, created_at, updated_at) values (?, ?, ?, ?, ?, ?)',
  )
    .bind(newId(), userId, token, now + ms(days(7)), now, now)
    .run()
  const device = app.device()
  device.jar.set('gatehouse.session_token', encodeURIComponent(signValue([env.GATEHOUSE_SECRET!], token)))
  return device
}

export interface Company {
  id: string
  slug: string
  owner: Someone
  /** The owner's member id. */
  ownerMember: string
}

/** An organization with its owner, in whose session it is the active one. */
export async function company(app: TestApp, slug: string, owner?: Someone): Promise<Company> {
  const founder = owner ?? (await someone(app, `${slug}-owner`))
  const { status, body } = await founder.device.post('/organization/create', { name: slug.toUpperCase(), slug })
  if (status !== 200) throw new Error(`create answered ${status} ${JSON.stringify(body)}`)
  return { id: body.id, slug, owner: founder, ownerMember: body.members[0].id }
}

/** Invites somebody and lets them accept. @returns their member id */
export async function join(at: Company, person: Someone, role: string | string[] = 'member', more: object = {}) {
  const invited = await invite(at, person.email, role, more)
  const { status, body } = await person.device.post('/organization/accept-invitation', { invitationId: invited })
  if (status !== 200) throw new Error(`accept answered ${status} ${JSON.stringify(body)}`)
  return body.member.id as string
}

/** @returns the invitation's id */
export async function invite(at: Company, email: string, role: string | string[] = 'member', more: object = {}) {
  const body = { email, role, organizationId: at.id, ...more }
  const answer = await at.owner.device.post('/organization/invite-member', body)
  if (answer.status !== 200) throw new Error(`invite answered ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body.id as string
}

/** Somebody new who has joined. */
export async function colleague(app: TestApp, at: Company, name: string, role: string | string[] = 'member') {
  const person = await someone(app, name)
  return { ...person, member: await join(at, person, role) }
}

/** Fills an organization up with members and pending invitations, past all endpoints. */
export async function fill(at: Company, counts: { members?: number; invitations?: number }): Promise<void> {
  const now = Date.now()
  const statements: D1PreparedStatement[] = []
  for (let n = 0; n < (counts.members ?? 0); n++) {
    const id = newId()
    statements.push(
      env.DB.prepare('insert into users (id, name, email, created_at, updated_at) values (?, ?, ?, ?, ?)').bind(
        id,
        `Person ${n}`,
        `${id}@example.com`,
        now,
        now,
      ),
      env.DB.prepare(
        "insert into members (id, organization_id, user_id, role, created_at) values (?, ?, ?, 'member', ?)",
      ).bind(newId(), at.id, id, now + n),
    )
  }
  for (let n = 0; n < (counts.invitations ?? 0); n++) {
    statements.push(
      env.DB.prepare(
        `insert into invitations (id, organization_id, email, role, status, expires_at, inviter_id, created_at)
         values (?, ?, ?, 'member', 'pending', ?, ?, ?)`,
      ).bind(newId(), at.id, `guest${n}@example.com`, now + ms(days(2)), at.owner.id, now + n),
    )
  }
  await env.DB.batch(statements)
}

/** Everything that is stored about organizations, to see that nothing has changed. */
export async function snapshot(): Promise<string> {
  const tables = ['organizations', 'members', 'invitations', 'teams']
  const rows = await env.DB.batch(tables.map((table) => env.DB.prepare(`select * from ${table} order by id`)))
  const sessions = await env.DB.prepare('select id, active_organization_id from sessions order by id').all()
  return JSON.stringify([...rows.map(({ results }) => results), sessions.results], null, 1)
}

export const count = async (table: string, where = 'true'): Promise<number> =>
  (await env.DB.prepare(`select count(*) as n from ${table} where ${where}`).first<{ n: number }>())!.n

/** The active organization as get-session tells it, from the cookie cache if there is one. */
export const activeOf = async (device: Device): Promise<string | null> =>
  (await device.get('/get-session')).body.session.activeOrganizationId
