import { createAuthClient } from 'better-auth/client'
import { organizationClient } from 'better-auth/client/plugins'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { publishedClientFetch } from '../../testing/published-client.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

/** The published client with its organization plugin, unmodified. */
const device = (server: TestServer, browser = publishedClientFetch(server.url)) =>
  createAuthClient({
    baseURL: server.url,
    fetchOptions: { customFetchImpl: browser },
    plugins: [organizationClient({ teams: { enabled: true } })],
  })

type Client = ReturnType<typeof device>

/** A user with a verified address, which an inviter needs. */
async function verifiedUser(server: TestServer, name: string): Promise<{ client: Client; email: string }> {
  const browser = publishedClientFetch(server.url)
  const client = device(server, browser)
  const email = `${name.toLowerCase()}@example.com`
  const { error } = await client.signUp.email({ name, email, password: 'password1234' })
  if (error) throw new Error(JSON.stringify(error))
  const link = async () => (await server.mailbox()).find(({ to }) => to === email)?.links[0]
  await vi.waitFor(async () => expect(await link()).toBeTruthy(), { timeout: 30_000 })
  // In the browser that signed up. In another browser the proof of the address ends its sessions.
  await browser((await link())!, { redirect: 'manual' })
  return { client, email }
}

/** The data of a response that must be a success. */
async function ok<T>(answer: Promise<{ data: T; error: unknown }>): Promise<NonNullable<T>> {
  const { data, error } = await answer
  expect(error).toBeNull()
  return data as NonNullable<T>
}

describe.each([
  ['on', true],
  ['off', false],
])('the published client drives organizations with teams %s', (_switch, enabled) => {
  let server: TestServer
  const cast = {} as Record<'olivia' | 'max' | 'una', Awaited<ReturnType<typeof verifiedUser>>>
  const ids = {} as Record<'acme' | 'beta' | 'invitation' | 'member' | 'team', string>
  const olivia = () => cast.olivia.client.organization
  const max = () => cast.max.client.organization

  beforeAll(async () => {
    server = await startServer({ config: { organization: { teams: { enabled } } } })
    cast.olivia = await verifiedUser(server, 'Olivia')
    cast.max = await verifiedUser(server, 'Max')
    cast.una = await verifiedUser(server, 'Una')
  })
  afterAll(() => server?.close())

  it('checks a slug, creates, and lists', async () => {
    expect(await ok(olivia().checkSlug({ slug: 'acme' }))).toEqual({ status: true })
    const acme = await ok(olivia().create({ name: 'Acme', slug: 'acme', metadata: { plan: 'pro' } }))
    ids.acme = acme.id
    expect(acme).toMatchObject({ metadata: { plan: 'pro' }, createdAt: expect.any(Date) })
    expect('teamId' in acme.members[0]!).toBe(enabled)
    const taken = await olivia().checkSlug({ slug: 'acme' })
    expect(taken.error).toMatchObject({ status: 400, code: 'SLUG_IS_TAKEN' })
    const beta = await ok(olivia().create({ name: 'Beta', slug: 'beta', keepCurrentActiveOrganization: true }))
    ids.beta = beta.id
    expect(await ok(olivia().list())).toMatchObject([{ slug: 'acme' }, { slug: 'beta' }])
  })

  it('sets the active organization by id, slug and null', async () => {
    expect(await ok(olivia().setActive({ organizationSlug: 'beta' }))).toMatchObject({ id: ids.beta })
    expect((await olivia().setActive({ organizationId: null })).error).toBeNull()
    expect((await cast.olivia.client.getSession()).data?.session).toMatchObject({ activeOrganizationId: null })
    expect(await ok(olivia().setActive({ organizationId: ids.acme }))).toMatchObject({ slug: 'acme' })
    expect((await cast.olivia.client.getSession()).data?.session).toMatchObject({ activeOrganizationId: ids.acme })
  })

  it('updates and reads in full', async () => {
    const updated = await ok(olivia().update({ data: { name: 'Acme Inc', metadata: { plan: 'max' } } }))
    expect(updated).toMatchObject({ name: 'Acme Inc', metadata: { plan: 'max' } })
    const full = await ok(olivia().getFullOrganization({ query: { organizationSlug: 'acme' } }))
    expect(full).toMatchObject({ name: 'Acme Inc', members: [{ role: 'owner', user: { name: 'Olivia' } }] })
    expect(full.teams?.length ?? null).toBe(enabled ? 1 : null)
  })

  it('invites, lists, resends and cancels', async () => {
    const invite = { email: cast.max.email, role: 'member' as const }
    const first = await ok(olivia().inviteMember(invite))
    const { error } = await olivia().inviteMember(invite)
    expect(error).toMatchObject({ status: 400, code: 'USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION' })
    expect(await ok(olivia().inviteMember({ ...invite, resend: true }))).toMatchObject({ id: first.id })
    expect(await ok(olivia().cancelInvitation({ invitationId: first.id }))).toMatchObject({ status: 'canceled' })
    const second = await ok(olivia().inviteMember(invite))
    const list = await ok(olivia().listInvitations())
    expect(list).toMatchObject([
      { id: first.id, status: 'canceled' },
      { id: second.id, status: 'pending' },
    ])
    ids.invitation = second.id
    expect(list[0]!.expiresAt).toBeInstanceOf(Date)
  })

  it('shows an invitation to its recipient, who accepts; another rejects', async () => {
    const invitation = await ok(max().getInvitation({ query: { id: ids.invitation } }))
    expect(invitation).toMatchObject({ organizationName: 'Acme Inc', inviterEmail: cast.olivia.email })
    const accepted = await ok(max().acceptInvitation({ invitationId: ids.invitation }))
    expect(accepted).toMatchObject({ invitation: { status: 'accepted' }, member: { role: 'member' } })
    ids.member = accepted.member.id
    const { id } = await ok(olivia().inviteMember({ email: cast.una.email, role: ['admin', 'member'] }))
    const rejected = await ok(cast.una.client.organization.rejectInvitation({ invitationId: id }))
    expect(rejected).toMatchObject({ invitation: { status: 'rejected', role: 'admin,member' }, member: null })
  })

  it('reads permissions, changes roles, reads the active member', async () => {
    const permissions = { invitation: ['create' as const] }
    expect(await ok(max().hasPermission({ permissions }))).toEqual({ error: null, success: false })
    expect(await ok(olivia().updateMemberRole({ memberId: ids.member, role: 'admin' }))).toMatchObject({
      role: 'admin',
    })
    expect(await ok(max().hasPermission({ permission: permissions }))).toEqual({ error: null, success: true })
    expect(max().checkRolePermission({ role: 'admin', permissions })).toBe(true)
    expect(await ok(max().getActiveMember())).toMatchObject({ id: ids.member, user: { email: cast.max.email } })
  })

  it(enabled ? 'creates, renames, lists and removes teams' : 'finds no team paths', async () => {
    if (!enabled) {
      expect((await olivia().createTeam({ name: 'Dev' })).error?.status).toBe(404)
      expect((await olivia().listTeams()).error?.status).toBe(404)
      expect((await olivia().updateTeam({ teamId: 'x', data: { name: 'y' } })).error?.status).toBe(404)
      expect((await olivia().removeTeam({ teamId: 'x' })).error?.status).toBe(404)
      return
    }
    const team = await ok(olivia().createTeam({ name: 'Dev' }))
    ids.team = team.id
    expect(await ok(olivia().updateTeam({ teamId: team.id, data: { name: 'Design' } }))).toMatchObject({
      name: 'Design',
    })
    expect(await ok(olivia().listTeams())).toMatchObject([{ name: 'Acme' }, { name: 'Design' }])
    const { id } = await ok(olivia().inviteMember({ email: cast.una.email, role: 'member', teamId: team.id }))
    const accepted = await ok(cast.una.client.organization.acceptInvitation({ invitationId: id }))
    expect(accepted.member).toMatchObject({ teamId: team.id })
    expect(await ok(olivia().removeTeam({ teamId: team.id }))).toEqual({ message: 'Team removed successfully.' })
    await ok(olivia().removeMember({ memberIdOrEmail: cast.una.email }))
  })

  it('removes, leaves and deletes', async () => {
    const { id } = await ok(olivia().inviteMember({ email: cast.una.email, role: 'member' }))
    await ok(cast.una.client.organization.acceptInvitation({ invitationId: id }))
    const removed = await ok(max().removeMember({ memberIdOrEmail: cast.una.email }))
    expect(removed).toMatchObject({ member: { user: { email: cast.una.email } } })
    expect((await cast.una.client.getSession()).data?.session).toMatchObject({ activeOrganizationId: null })
    expect(await ok(max().leave({ organizationId: ids.acme }))).toMatchObject({ id: ids.member })
    const alone = await olivia().leave({ organizationId: ids.acme })
    expect(alone.error).toMatchObject({ status: 400, code: 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER' })
    expect(await ok(olivia().delete({ organizationId: ids.acme }))).toMatchObject({ id: ids.acme })
    expect((await ok(olivia().list())).map(({ id }) => id)).toEqual([ids.beta])
    expect((await max().getFullOrganization()).data).toBeNull()
  })
})
