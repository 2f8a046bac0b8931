import { afterEach, describe, expect, it, vi } from 'vitest'
import { TestApp } from '../../../testing/harness.ts'
import { company, someone } from '../../../testing/organizations.ts'
import { OrganizationIdp } from '../../../testing/outside/organization-idp.ts'
import { count, insertRows } from '../../../testing/rows.ts'

afterEach(() => vi.restoreAllMocks())

const on = { rateLimit: { enabled: false }, enterprise: { enabled: true } }

/** Members of rows, up to a number. */
async function fill(organizationId: string, members: number): Promise<void> {
  const createdAt = new Date()
  for (let at = await count('members', { organizationId }); at < members; at++) {
    const id = `u-${organizationId}-${at}`
    const times = { createdAt, updatedAt: createdAt }
    await insertRows('users', {
      id,
      name: id,
      email: `${id.toLowerCase()}@filled.example`,
      emailVerified: true,
      ...times,
    })
    await insertRows('members', { id: `m-${id}`, organizationId, userId: id, role: 'member', createdAt })
  }
}

const invite = async (app: TestApp, at: Awaited<ReturnType<typeof company>>, name: string) => {
  const guest = await someone(app, name)
  const { body } = await at.owner.device.post('/organization/invite-member', { email: guest.email, role: 'member' })
  return (await guest.device.post('/organization/accept-invitation', { invitationId: body.id })).status
}

describe('the limit of members of an organization with a directory', () => {
  it('is that of the directory, for every way of joining', async () => {
    const idp = new OrganizationIdp().install()
    const app = new TestApp({ ...on, organization: { membershipLimit: 3 }, directory: { maxUsers: 8 } })
    const acme = await company(app, 'acme')
    const { device } = acme.owner
    const connectionId = await idp.connect(acme, 'example.com')
    await fill(acme.id, 3)
    const single = async (sub: string) => {
      idp.person = { sub, email: `${sub}@example.com` }
      return idp.signIn(app.device(), 'any@example.com')
    }
    // Without a directory.
    expect(await single('early')).toBe('/err?error=sso_organization_is_full')
    expect(await invite(app, acme, 'Early')).toBe(403)
    const { token } = (await device.post('/sso/create-directory-token', { connectionId })).body
    const scim = async (userName: string) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/scim+json',
        cookie: '',
        origin: '',
      }
      return app.device().post(`/scim/v2/${connectionId}/Users`, JSON.stringify({ userName }), { headers })
    }
    expect((await scim('dir@example.com')).status).toBe(201)
    expect(await count('members', { organizationId: acme.id })).toBe(4)
    expect(await single('single')).toBe('/dash')
    expect(await invite(app, acme, 'Guest')).toBe(200)
    const rules = { allowedMethods: null, requiresSecondFactor: false, joinsAutomatically: true, breakGlass: [] }
    expect((await device.post('/sso/update-policy', rules)).status).toBe(200)
    app.clearMailbox()
    const joining = app.device()
    await joining.post('/sign-in/magic-link', { email: 'auto@example.com', callbackURL: '/dash' })
    await joining.get(await app.linkTo('auto@example.com'))
    expect(await count('members', { organizationId: acme.id })).toBe(7)
    const added = await someone(app, 'Added')
    await app.serverApi().addMember({ organizationId: acme.id, userId: added.id, role: 'member' })
    // Its own limit holds.
    expect(await single('late')).toBe('/err?error=sso_organization_is_full')
    expect(await invite(app, acme, 'Late')).toBe(403)
    expect((await scim('late@example.com')).status).toBe(403)
    expect(await count('members', { organizationId: acme.id })).toBe(8)
    // Another organization of the same deployment has none.
    const other = await company(app, 'other')
    await fill(other.id, 3)
    expect(await invite(app, other, 'Other')).toBe(403)
  })

  it('member 101 of a directory with the default options', async () => {
    const idp = new OrganizationIdp().install()
    const app = new TestApp(on)
    const acme = await company(app, 'acme')
    const connectionId = await idp.connect(acme, 'example.com')
    const { token } = (await acme.owner.device.post('/sso/create-directory-token', { connectionId })).body
    await fill(acme.id, 100)
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/scim+json',
      cookie: '',
      origin: '',
    }
    const body = JSON.stringify({ userName: 'dir@example.com' })
    expect((await app.device().post(`/scim/v2/${connectionId}/Users`, body, { headers })).status).toBe(201)
    expect(await count('members', { organizationId: acme.id })).toBe(101)
  })

  it('a function of the configuration decides alone', async () => {
    const idp = new OrganizationIdp().install()
    const app = new TestApp({ ...on, organization: { membershipLimit: () => 1 } })
    const acme = await company(app, 'acme')
    const connectionId = await idp.connect(acme, 'example.com')
    await acme.owner.device.post('/sso/create-directory-token', { connectionId })
    expect(await idp.signIn(app.device(), 'ada@example.com')).toBe('/err?error=sso_organization_is_full')
  })
})
