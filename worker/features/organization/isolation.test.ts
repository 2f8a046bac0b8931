import { describe, expect, it } from 'vitest'
import { type Device, TestApp } from '../../testing/harness.ts'
import { activeOf, colleague, company, invite, snapshot } from '../../testing/organizations.ts'

/** One organization with an entity of each kind that has an id. */
async function furnished(app: TestApp, slug: string) {
  const at = await company(app, slug)
  const member = await colleague(app, at, `${slug}-member`)
  const { body: team } = await at.owner.device.post('/organization/create-team', { name: 'Dev' })
  const invitation = await invite(at, `${slug}-guest@example.com`, 'member', { teamId: team.id })
  return { ...at, member, team: team.id as string, invitation }
}

type Furnished = Awaited<ReturnType<typeof furnished>>
type Step = [
  what: string,
  call: (device: Device, ids: { organizationId?: string } & Foreign) => Promise<{ status: number; body: any }>,
]

/** Ids of the other organization, or ids that do not exist. */
interface Foreign {
  organization: string
  slug: string
  member: string
  email: string
  team: string
  invitation: string
}

const post = (path: string, body: (ids: Foreign & { organizationId?: string }) => object): Step => [
  path,
  (device, ids) => device.post(`/organization/${path}`, body(ids)),
]
const get = (path: string, query: (ids: Foreign) => Record<string, string>): Step => [
  path,
  (device, ids) => device.get(`/organization/${path}`, { query: query(ids) }),
]

/** The other organization by its own id. */
const byOrganization: Step[] = [
  post('update', (f) => ({ organizationId: f.organization, data: { name: 'Taken over' } })),
  post('delete', (f) => ({ organizationId: f.organization })),
  post('set-active', (f) => ({ organizationId: f.organization })),
  post('set-active', (f) => ({ organizationSlug: f.slug })),
  get('get-full-organization', (f) => ({ organizationId: f.organization })),
  get('get-full-organization', (f) => ({ organizationSlug: f.slug })),
  post('invite-member', (f) => ({ organizationId: f.organization, email: 'q@example.com', role: 'member' })),
  post('invite-member', (f) => ({
    organizationId: f.organization,
    email: 'q@example.com',
    role: 'member',
    teamId: f.team,
  })),
  get('list-invitations', (f) => ({ organizationId: f.organization })),
  post('remove-member', (f) => ({ organizationId: f.organization, memberIdOrEmail: f.member })),
  post('remove-member', (f) => ({ organizationId: f.organization, memberIdOrEmail: f.email })),
  post('update-member-role', (f) => ({ organizationId: f.organization, memberId: f.member, role: 'admin' })),
  post('leave', (f) => ({ organizationId: f.organization })),
  post('has-permission', (f) => ({ organizationId: f.organization, permissions: { member: ['create'] } })),
  post('create-team', (f) => ({ organizationId: f.organization, name: 'Ours' })),
  post('remove-team', (f) => ({ organizationId: f.organization, teamId: f.team })),
  post('update-team', (f) => ({ teamId: f.team, data: { name: 'Ours', organizationId: f.organization } })),
  get('list-teams', (f) => ({ organizationId: f.organization })),
]

/** The caller's own organization, with ids of entities in the other one. */
const byThing: Step[] = [
  post('remove-member', (f) => ({ memberIdOrEmail: f.member })),
  post('remove-member', (f) => ({ memberIdOrEmail: f.email })),
  post('update-member-role', (f) => ({ memberId: f.member, role: 'admin' })),
  post('remove-member', (f) => ({ organizationId: f.organizationId, memberIdOrEmail: f.member })),
  post('update-member-role', (f) => ({ organizationId: f.organizationId, memberId: f.member, role: 'admin' })),
  post('cancel-invitation', (f) => ({ invitationId: f.invitation })),
  post('invite-member', (f) => ({ email: 'q@example.com', role: 'member', teamId: f.team })),
  post('remove-team', (f) => ({ teamId: f.team })),
  post('remove-team', (f) => ({ organizationId: f.organizationId, teamId: f.team })),
  post('update-team', (f) => ({ teamId: f.team, data: { name: 'Ours' } })),
  post('update-team', (f) => ({ teamId: f.team, data: { name: 'Ours', organizationId: f.organizationId } })),
]

const idsOf = (other: Furnished): Foreign => ({
  organization: other.id,
  slug: other.slug,
  member: other.member.member,
  email: other.member.email,
  team: other.team,
  invitation: other.invitation,
})

const ofNothing: Foreign = {
  organization: 'x'.repeat(32),
  slug: 'nowhere',
  member: 'y'.repeat(32),
  email: 'unknown@example.com',
  team: 'z'.repeat(32),
  invitation: 'w'.repeat(32),
}

describe('ids of one organization used by members of another', () => {
  it('read nothing, change nothing, and are answered like ids of nothing', async () => {
    const app = new TestApp({ rateLimit: { enabled: false }, organization: { teams: { enabled: true } } })
    const [ours, theirs] = [await furnished(app, 'ours'), await furnished(app, 'theirs')]
    const before = await snapshot()
    await app.clearMailbox()
    for (const [from, other] of [
      [ours, theirs],
      [theirs, ours],
    ] as const) {
      for (const device of [from.owner.device, from.member.device]) {
        for (const [what, call] of [...byOrganization, ...byThing]) {
          const foreign = await call(device, { ...idsOf(other), organizationId: from.id })
          const nothing = await call(device, { ...ofNothing, organizationId: from.id })
          expect(foreign.status, what).toBeGreaterThanOrEqual(400)
          expect({ what, status: foreign.status, body: foreign.body }).toEqual({
            what,
            status: nothing.status,
            body: nothing.body,
          })
        }
        expect(await activeOf(device)).toBe(from.id)
      }
    }
    expect(await snapshot()).toBe(before)
    expect(await app.mailbox()).toEqual([])
  })

  it('an invitation is answered by its own recipient only', async () => {
    const app = new TestApp({ rateLimit: { enabled: false } })
    const [ours, theirs] = [await company(app, 'ours'), await company(app, 'theirs')]
    const id = await invite(theirs, 'guest@example.com')
    const before = await snapshot()
    const { device } = ours.owner
    for (const answer of [
      await device.get('/organization/get-invitation', { query: { id } }),
      await device.post('/organization/accept-invitation', { invitationId: id }),
      await device.post('/organization/reject-invitation', { invitationId: id }),
    ]) {
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 403,
        body: {
          code: 'YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION',
          message: 'You are not the recipient of the invitation',
        },
      })
    }
    expect(await snapshot()).toBe(before)
  })
})
