import { signValue } from '../kit/cookies.ts'
import { newId, randomString } from '../kit/random.ts'
import { days, ms } from '../kit/time.ts'
import { type Device, env, type TestApp } from './harness.ts'
import { insertRows, rowsOf } from './rows.ts'
import { addUser, newUser } from './states.ts'

/** For tests: users who are signed in without the cost of a password, organizations, and hundreds of members. */

export interface Someone {
  id: string
  email: string
  device: Device
}

/** Writes a verified user and a session of the user. */
export async function someone(app: TestApp, name: string, changes: { verified?: boolean } = {}): Promise<Someone> {
  const email = `${name.toLowerCase()}@example.com`
  const { id } = await addUser({ name, email, emailVerified: changes.verified !== false })
  return { id, email, device: await anotherDevice(app, id) }
}

/** Creates a session of a user on an additional device. */
export async function anotherDevice(app: TestApp, userId: string): Promise<Device> {
  const token = randomString(32)
  const now = new Date()
  const expiresAt = new Date(now.getTime() + ms(days(7)))
  await insertRows('sessions', {
    id: newId(),
    userId,
    token,
    expiresAt,
    createdAt: now,
    updatedAt: now,
    authenticatedAt: now,
  })
  const device = app.device()
  device.jar.set(
    'gatehouse.session_token',
    encodeURIComponent(signValue([env.GATEHOUSE_SECRET!], 'session_token', token)),
  )
  return device
}

export interface Company {
  id: string
  slug: string
  owner: Someone
  /** The owner's member id. */
  ownerMember: string
}

/** An organization with its owner, in whose session it is active. */
export async function company(app: TestApp, slug: string, owner?: Someone): Promise<Company> {
  const founder = owner ?? (await someone(app, `${slug}-owner`))
  const { status, body } = await founder.device.post('/organization/create', { name: slug.toUpperCase(), slug })
  if (status !== 200) throw new Error(`create answered ${status} ${JSON.stringify(body)}`)
  return { id: body.id, slug, owner: founder, ownerMember: body.members[0].id }
}

/** Invites a user, who accepts. @returns the member id of the user */
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

/** Creates a user who has joined the organization. */
export async function colleague(app: TestApp, at: Company, name: string, role: string | string[] = 'member') {
  const person = await someone(app, name)
  return { ...person, member: await join(at, person, role) }
}

/** Adds members and pending invitations to an organization directly in the database. */
export async function fill(at: Company, counts: { members?: number; invitations?: number }): Promise<void> {
  const now = Date.now()
  const later = (n: number) => new Date(now + n)
  const people = Array.from({ length: counts.members ?? 0 }, (_, n) => newUser({ name: `Person ${n}` }))
  await insertRows('users', ...people)
  const members = people.map(({ id }, n) => ({ id: newId(), organizationId: at.id, userId: id, createdAt: later(n) }))
  await insertRows('members', ...members.map((member) => ({ ...member, role: 'member' })))
  const guests = Array.from({ length: counts.invitations ?? 0 }, (_, n) => ({
    email: `guest${n}@example.com`,
    createdAt: later(n),
  }))
  const open = { organizationId: at.id, role: 'member', status: 'pending', inviterId: at.owner.id } as const
  const expiresAt = later(ms(days(2)))
  await insertRows('invitations', ...guests.map((guest) => ({ id: newId(), ...guest, ...open, expiresAt })))
}

/** All stored data of organizations. Tests compare it to show that a request changes nothing. */
export async function snapshot(): Promise<string> {
  const tables = ['organizations', 'members', 'invitations', 'teams'] as const
  const rows = await Promise.all(tables.map((table) => rowsOf(table)))
  const active = (await rowsOf('sessions')).map(({ id, activeOrganizationId }) => [id, activeOrganizationId])
  return JSON.stringify([...rows, active], null, 1)
}

/** The active organization that get-session returns, from the cookie cache if it exists. */
export const activeOf = async (device: Device): Promise<string | null> =>
  (await device.get('/get-session')).body.session.activeOrganizationId
