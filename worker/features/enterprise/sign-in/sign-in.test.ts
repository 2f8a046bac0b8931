import { afterEach, describe, expect, it, vi } from 'vitest'
import { administrator } from '../../../testing/admins.ts'
import { type Device, TestApp } from '../../../testing/harness.ts'
import { colleague, company, someone } from '../../../testing/organizations.ts'
import { OrganizationIdp } from '../../../testing/outside/organization-idp.ts'
import { count, insertRows, rowOf, rowsOf } from '../../../testing/rows.ts'
import { newPerson } from '../../../testing/set-ups.ts'
import { addUser, updateUsers } from '../../../testing/states.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const options = { rateLimit: { enabled: false }, enterprise: { enabled: true } }

const sessionOf = async (device: Device) =>
  (await device.get('/get-session', { query: { disableCookieCache: 'true' } })).body

const rules = { allowedMethods: null, requiresSecondFactor: false, joinsAutomatically: false, breakGlass: [] }

describe('a sign-in through an OpenID connection', () => {
  it('creates the account, the membership, the role and the teams by the groups, and follows them', async () => {
    const idp = new OrganizationIdp().install()
    const signingIn = vi.fn()
    const app = new TestApp({ ...options, organization: { teams: { enabled: true } }, hooks: { signingIn } })
    const acme = await company(app, 'acme')
    const { device: owner } = acme.owner
    const team = (await owner.post('/organization/create-team', { name: 'Design' })).body.id
    const mapping = { roles: [{ group: 'Admins', role: 'admin' }], teams: [{ group: 'Design', teamId: team }] }
    const id = await idp.connect(acme, 'example.com', { mapping })
    const settings = (await owner.get('/sso/settings')).body
    expect(settings.connections[0].lastTest).toMatchObject({
      error: null,
      attributes: expect.arrayContaining(['sub', 'email']),
    })
    // A test creates no account.
    expect(await count('users', { email: 'ada@example.com' })).toBe(0)
    // The response depends on the domain only, in the same number of round trips.
    const ask = (email: string) => app.device().post('/sso/discover', { email })
    const [known, unknown, other] = [await ask('ada@example.com'), await ask('no@example.com'), await ask('a@b.org')]
    expect(known.body).toEqual({ connection: { id, organization: 'ACME' }, required: false })
    expect(unknown.body).toEqual(known.body)
    expect(other.body).toEqual({ connection: null, required: false })
    expect(new Set([known, unknown, other].map(({ io }) => JSON.stringify(io))).size).toBe(1)

    idp.person = { sub: 'u1', email: 'Ada@Example.com', name: 'Ada', groups: ['Admins', 'Design'] }
    const device = app.device()
    expect(await idp.signIn(device, 'ada@example.com')).toBe('/dash')
    const { user } = await sessionOf(device)
    expect(user).toMatchObject({ email: 'ada@example.com', emailVerified: true, name: 'Ada' })
    expect(await rowOf('sessions', { userId: user.id })).toMatchObject({ method: `sso-${id}`, amr: ['fed'] })
    expect(signingIn.mock.lastCall![0]).toMatchObject({ user: { id: user.id }, method: 'sso' })
    expect(await rowOf('members', { userId: user.id })).toMatchObject({
      organizationId: acme.id,
      role: 'admin',
      teamId: team,
      ...{ origin: 'connection', originId: id, roleChangedAt: null },
    })
    // Without the group the user leaves the team; a role remains without a matching group.
    idp.person = { ...idp.person, groups: [] }
    expect(await idp.signIn(app.device(), 'ada@example.com')).toBe('/dash')
    expect(await rowOf('members', { userId: user.id })).toMatchObject({ role: 'admin', teamId: null })
    expect(await count('users', { email: 'ada@example.com' })).toBe(1)
    // An owner's role is not the directory's.
    await owner.post('/organization/update-member-role', {
      memberId: (await rowOf('members', { userId: user.id }))!.id,
      role: 'owner',
    })
    idp.person = { ...idp.person, groups: ['Admins'] }
    await idp.signIn(app.device(), 'ada@example.com')
    expect(await rowOf('members', { userId: user.id })).toMatchObject({ role: 'owner' })
    // Disabled: its sessions end, and it signs in no more.
    await owner.post('/sso/update-connection', { connectionId: id, state: 'disabled' })
    expect(await sessionOf(device)).toBeNull()
    expect(await idp.signIn(app.device(), 'ada@example.com')).toBe('SINGLE_SIGN_ON_NOT_FOUND')
  })

  it('authenticates the client with its own key, and requires the second factor of the user', async () => {
    const idp = new OrganizationIdp().install()
    const app = new TestApp(options)
    const acme = await company(app, 'acme')
    const { device: owner } = acme.owner
    const config = { ...idp.config, authentication: 'private-key-jwt' }
    const created = await owner.post('/sso/create-connection', { name: 'IdP', config })
    idp.clientKey = created.body.config.publicKey
    const connectionId = created.body.id
    await idp.test(acme, connectionId)
    expect((await owner.post('/sso/update-connection', { connectionId, state: 'active' })).status).toBe(200)
    await idp.verify(acme, 'example.com')
    expect(await idp.signIn(app.device(), 'ada@example.com')).toBe('/dash')
    expect(idp.assertions).toHaveLength(2)
    await updateUsers({ twoFactorEnabled: true }, { email: 'ada@example.com' })
    expect(await idp.signIn(app.device(), 'ada@example.com')).toMatch(/^\/two-factor/)
    // The provider's own failure is in the result of a test, in its words.
    idp.clientKey = null
    await idp.test(acme, connectionId)
    const [connection] = (await owner.get('/sso/settings')).body.connections
    expect(connection.lastTest).toMatchObject({
      error: 'sso_invalid_response',
      detail: expect.stringMatching(/invalid_grant/),
    })
  })

  it('does not accept forged, foreign or repeated answers', async () => {
    const idp = new OrganizationIdp().install()
    const app = new TestApp(options)
    const acme = await company(app, 'acme')
    const id = await idp.connect(acme, 'example.com')
    const refused = (code: string) => `/err?error=${code}`
    const now = Math.floor(Date.now() / 1000)
    for (const forge of [
      { claims: { nonce: 'other' } },
      { claims: { aud: 'other-client' } },
      { claims: { iss: 'https://evil.example.net' } },
      { claims: { exp: now - 60 } },
      { claims: { iat: now - 86_400 } },
      { claims: { sub: undefined } },
      { algorithm: 'HS256' as const },
    ]) {
      idp.forge = forge
      expect({ forge, to: await idp.signIn(app.device(), 'ada@example.com') }).toEqual({
        forge,
        to: refused('sso_invalid_response'),
      })
    }
    idp.forge = {}
    // RFC 9207: the answer of another issuer.
    expect(await idp.signIn(app.device(), 'ada@example.com', { iss: 'https://evil.example.net' })).toBe(
      refused('sso_invalid_response'),
    )
    idp.person = { ...idp.person, email_verified: false }
    expect(await idp.signIn(app.device(), 'ada@example.com')).toBe(refused('sso_no_address'))
    idp.person = { sub: 'u1', email: 'ada@example.com' }
    // A state belongs to its connection and its browser, and works once.
    const beta = await company(app, 'beta')
    const other = await idp.connect(beta, 'beta.example')
    const victim = app.device()
    const begin = async () =>
      idp.authorize((await victim.post('/sign-in/sso', { providerId: id, callbackURL: '/dash' })).body.url)
    const answerAt = async (device: Device, connection: string, query: Record<string, string>) =>
      (await device.get(`/sso/callback/${connection}`, { query })).headers.get('location')
    expect(await answerAt(victim, other, await begin())).toContain('error=please_restart_the_process')
    // A test of another organization leaves no result in this connection.
    const before = await rowOf('connections', { id })
    const test = { organizationId: beta.id, connectionId: other, callbackURL: '/settings' }
    const refusal: Record<string, string> = { error: 'access_denied', error_description: 'Call 555' }
    for (const query of [{}, refusal]) {
      const started = await beta.owner.device.post('/sso/test-connection', test)
      await answerAt(beta.owner.device, id, { ...idp.authorize(started.body.url), ...query })
    }
    expect(await rowOf('connections', { id })).toEqual(before)
    const query = await begin()
    expect(await answerAt(app.device(), id, query)).toContain('error=please_restart_the_process')
    const used = await begin()
    expect(await answerAt(victim, id, used)).toBe('/dash')
    expect(await answerAt(victim, id, used)).toContain('error=please_restart_the_process')
    expect(
      (await app.device().post('/sign-in/sso', { providerId: id, callbackURL: 'https://evil.example' })).status,
    ).toBe(403)
  })

  it('links no account to a user with the maximum number of linked accounts', async () => {
    const idp = new OrganizationIdp().install()
    const app = new TestApp({ ...options, account: { accountLinking: { maximumAccounts: 1 } } })
    await idp.connect(await company(app, 'acme'), 'example.com')
    const { id } = await addUser({ name: 'Ann', email: 'ann@example.com', emailVerified: true })
    const at = new Date()
    const linked = { id: 'a', providerId: 'google', accountId: 'a', userId: id, createdAt: at, updatedAt: at }
    await insertRows('accounts', linked)
    idp.person = { sub: 'ann', email: 'ann@example.com' }
    expect(await idp.signIn(app.device(), 'ann@example.com')).toBe('/err?error=sso_account_not_allowed')
    expect(await rowsOf('accounts', { userId: id })).toHaveLength(1)
  })

  it('signs in addresses of its own domains only, and takes no account of another organization over', async () => {
    const idp = new OrganizationIdp().install()
    const evil = new OrganizationIdp('idp.evil.example')
    const app = new TestApp({ ...options, admin: {} })
    const acme = await company(app, 'acme')
    await idp.connect(acme, 'example.com')
    const mallory = await company(app, 'mallory')
    evil.install()
    const evilId = await evil.connect(mallory, 'evil.example')
    const attack = async (person: Record<string, unknown>) => {
      evil.person = person
      const device = app.device()
      const to = await evil.signIn(device, 'x@evil.example')
      expect(await sessionOf(device)).toBeNull()
      return to
    }
    await someone(app, 'Victim')
    // The domain of another organization, in every spelling.
    for (const email of ['victim@example.com', 'VICTIM@EXAMPLE.COM', 'new@example.com']) {
      expect(await attack({ sub: 'a', email })).toBe('/err?error=sso_address_outside_domains')
    }
    expect(await attack({ sub: 'a', email: 'x@sub.evil.example' })).toBe('/err?error=sso_address_outside_domains')
    expect(await attack({ sub: 'a', email: 'victim@example.com@evil.example' })).toBe('/err?error=sso_no_address')
    // An address of its own domain that belongs to a member of another organization only.
    const employee = await addUser({ name: 'Emp', email: 'emp@evil.example', emailVerified: true })
    await insertRows('members', {
      id: 'm-emp',
      organizationId: acme.id,
      userId: employee.id,
      role: 'member',
      createdAt: new Date(),
    })
    expect(await attack({ sub: 'b', email: 'emp@evil.example' })).toBe('/err?error=sso_account_of_another_organization')
    // An administrator of the deployment.
    const boss = await administrator(app, newPerson())
    await updateUsers({ email: 'boss@evil.example' }, { email: (await sessionOf(boss.device)).user.email })
    expect(await attack({ sub: 'c', email: 'boss@evil.example' })).toBe('/err?error=sso_account_not_allowed')
    // The subject of another connection is another identity.
    expect(await rowsOf('accounts', { providerId: `sso-${evilId}` })).toEqual([])
    // An unproven account loses what its creator has set: the address was never proven.
    const squat = app.device()
    await squat.post('/sign-up/email', { name: 'S', email: 'new@evil.example', password: 'password1234' })
    evil.person = { sub: 'd', email: 'new@evil.example' }
    expect(await evil.signIn(app.device(), 'x@evil.example')).toBe('/dash')
    expect(await sessionOf(squat)).toBeNull()
    expect(
      (await app.device().post('/sign-in/email', { email: 'new@evil.example', password: 'password1234' })).status,
    ).toBe(401)
    // A former member takes the account along with another address.
    const removed = { organizationId: mallory.id, memberIdOrEmail: 'new@evil.example' }
    expect((await mallory.owner.device.post('/organization/remove-member', removed)).status).toBe(200)
    await updateUsers({ email: 'own@private.example' }, { email: 'new@evil.example' })
    expect(await attack({ sub: 'd', email: 'new@evil.example' })).toBe('/err?error=sso_address_outside_domains')
  })
})

describe('the rules for sign-ins', () => {
  it('hold for every way in and for sessions, except for break-glass owners and other domains', async () => {
    const idp = new OrganizationIdp().install()
    const app = new TestApp(options)
    const acme = await company(app, 'acme')
    const password = 'password1234'
    const staff = app.device()
    await staff.post('/sign-up/email', { name: 'Staff', email: 'staff@example.com', password })
    const outsider = app.device()
    await outsider.post('/sign-up/email', { name: 'Out', email: 'out@elsewhere.org', password })
    const max = await colleague(app, acme, 'Max')
    const { device: owner } = acme.owner
    await idp.connect(acme, 'example.com')
    const set = (more: object) =>
      owner.post('/sso/update-policy', { ...rules, breakGlass: [acme.ownerMember], ...more })
    expect((await set({ allowedMethods: [], joinsAutomatically: true })).status).toBe(200)
    // The session of the member ends, the one of the break-glass owner remains.
    expect(await sessionOf(max.device)).toBeNull()
    expect(await sessionOf(owner)).not.toBeNull()
    const byPassword = (email: string) => app.device().post('/sign-in/email', { email, password })
    expect((await byPassword('staff@example.com')).body).toMatchObject({ code: 'SINGLE_SIGN_ON_REQUIRED' })
    expect((await byPassword('out@elsewhere.org')).status).toBe(200)
    const discovered = await app.device().post('/sso/discover', { email: 'staff@example.com' })
    expect(discovered.body.required).toBe(true)
    // A link by mail, and a new account.
    const link = app.device()
    await link.post('/sign-in/magic-link', { email: max.email, callbackURL: '/dash', errorCallbackURL: '/err' })
    const followed = await link.get(await app.linkTo(max.email))
    expect(followed.headers.get('location')).toContain('error=SINGLE_SIGN_ON_REQUIRED')
    const created = await app.device().post('/sign-up/email', { name: 'N', email: 'n@example.com', password })
    expect(created.body.code).toBe('SINGLE_SIGN_ON_REQUIRED')
    expect(await count('users', { email: 'n@example.com' })).toBe(0)
    // The connection of another organization is not single sign-on of this one.
    idp.person = { sub: 'max', email: max.email }
    expect(await idp.signIn(app.device(), max.email)).toBe('/dash')
    // Passwords are allowed again, and a verified address of the domain joins.
    await set({ allowedMethods: ['password'], joinsAutomatically: true })
    await updateUsers({ emailVerified: true }, { email: 'staff@example.com' })
    expect((await byPassword('staff@example.com')).status).toBe(200)
    const joined = await rowOf('users', { email: 'staff@example.com' })
    const granted = { role: 'member', origin: 'domain', originId: 'example.com' }
    expect(await rowOf('members', { userId: joined!.id })).toMatchObject({ organizationId: acme.id, ...granted })
  })

  it('require a second factor after a time to set one up', async () => {
    const idp = new OrganizationIdp().install()
    const app = new TestApp(options)
    const acme = await company(app, 'acme')
    const password = 'password1234'
    const email = 'staff@example.com'
    await app.device().post('/sign-up/email', { name: 'Staff', email, password })
    await updateUsers({ emailVerified: true }, { email })
    await idp.verify(acme, 'example.com')
    await acme.owner.device.post('/sso/update-policy', {
      ...rules,
      requiresSecondFactor: true,
      joinsAutomatically: true,
    })
    const device = app.device()
    const signIn = (at: Device) => at.post('/sign-in/email', { email, password })
    expect((await signIn(device)).status).toBe(200)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * 86_400_000 + 1000 })
    expect((await signIn(app.device())).body.code).toBe('ORGANIZATION_REQUIRES_SECOND_FACTOR')
    await app.runScheduled()
    const user = await rowOf('users', { email })
    expect(await count('sessions', { userId: user!.id })).toBe(0)
    await updateUsers({ twoFactorEnabled: true }, { email })
    expect((await signIn(app.device())).body).toEqual({ twoFactorRedirect: true })
  })
})
