import { afterEach, describe, expect, it, vi } from 'vitest'
import { plain, withRole } from '../../testing/admins.ts'
import { cheapHash } from '../../testing/cheap-hash.ts'
import { TestApp } from '../../testing/harness.ts'
import { anotherDevice, company } from '../../testing/organizations.ts'
import { OrganizationIdp } from '../../testing/outside/organization-idp.ts'
import { alice, signIn, signUp } from '../../testing/people.ts'
import { count, rowOf } from '../../testing/rows.ts'
import { scimDirectory } from '../../testing/scim.ts'
import { addUser, idOf, linkAccount, updateUsers } from '../../testing/states.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const boss = 'boss@example.com'
const settings = { rateLimit: { enabled: false }, enterprise: { enabled: true }, directory: { enabled: true } }
const listed = { ...settings, admin: { emails: ['Boss@Example.com'] } }
const roleOf = async (email: string) => (await rowOf('users', { email }))?.role ?? null
const refused = '/err?error=sso_account_not_allowed'
const entry = (email: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: email,
  emails: [{ value: email, primary: true }],
})

describe('a connection of an organization', () => {
  it('creates, opens and links no account of an address of admin.emails', async () => {
    const idp = new OrganizationIdp().install()
    const app = new TestApp(listed)
    await idp.connect(await company(app, 'acme'), 'example.com')
    idp.person = { sub: 'b', email: boss, name: 'B' }
    expect(await idp.signIn(app.device(), boss)).toBe(refused)
    expect(await count('users', { email: boss })).toBe(0)
    // An address without a proof.
    await signUp(app, { ...alice, email: boss })
    expect(await idp.signIn(app.device(), boss)).toBe(refused)
    expect(await rowOf('users', { email: boss })).toMatchObject({ emailVerified: false, role: 'user' })
    // An account of the connection whose address became such a one.
    idp.person = { sub: 'ada', email: 'ada@example.com', name: 'Ada' }
    expect(await idp.signIn(app.device(), 'ada@example.com')).toBe('/dash')
    await updateUsers({ email: 'former@example.com' }, { email: boss })
    await updateUsers({ email: boss }, { email: 'ada@example.com' })
    expect(await idp.signIn(app.device(), 'ada@example.com')).toBe(refused)
    expect(await roleOf(boss)).toBe('user')
  })

  it('does not prove an address that is listed later: a mailed link does, and ends all other ways in', async () => {
    const idp = new OrganizationIdp().install()
    const before = new TestApp(settings)
    const acme = await company(before, 'acme')
    await idp.connect(acme, 'example.com')
    idp.person = { sub: 'b', email: boss, name: 'B' }
    const tenant = before.device()
    expect(await idp.signIn(tenant, boss)).toBe('/dash')
    const id = await idOf(boss)
    expect(await rowOf('users', { id })).toMatchObject({ emailVerified: true, addressVouchedBy: 'connection' })
    await linkAccount(id, { providerId: 'credential', password: await cheapHash.hash(alice.password) })
    const app = new TestApp(listed)
    await signIn(app, { ...alice, email: boss })
    expect(await roleOf(boss)).toBe('user')
    const owner = app.device()
    await owner.post('/sign-in/magic-link', { email: boss, callbackURL: '/dash' })
    await owner.get(await app.linkTo(boss))
    expect(await roleOf(boss)).toBe('user,admin')
    expect(await rowOf('users', { id })).toMatchObject({ addressVouchedBy: null })
    expect(await count('accounts', { userId: id })).toBe(0)
    expect(await count('sessions', { userId: id })).toBe(1)
    expect((await owner.get('/admin/list-users')).status).toBe(200)
  })
})

describe('a directory', () => {
  it('creates no account of an address of admin.emails, and links none', async () => {
    const app = new TestApp(listed)
    const { scim } = await scimDirectory(app, 'acme', 'example.com')
    const created = await scim('POST', '/Users', entry(boss))
    expect(created.status).toBe(201)
    expect(await rowOf('directory_users', { id: created.body.id })).toMatchObject({ access: 'account-not-allowed' })
    expect(await count('users', { email: boss })).toBe(0)
    await signUp(app, { ...alice, email: boss })
    await scim('PUT', `/Users/${created.body.id}`, entry(boss))
    expect(await rowOf('users', { email: boss })).toMatchObject({ emailVerified: false, role: 'user' })
    expect(await rowOf('directory_users', { id: created.body.id })).toMatchObject({ userId: null })
    // Nor does a change of the address in the directory lead to one.
    const ada = (await scim('POST', '/Users', entry('ada@example.com'))).body
    await scim('PUT', `/Users/${ada.id}`, entry(boss))
    expect(await rowOf('users', { email: 'ada@example.com' })).toMatchObject({ addressVouchedBy: 'directory' })
    expect(await rowOf('users', { email: boss })).toMatchObject({ emailVerified: false, role: 'user' })
  })

  it('does not open the account of a user whose id or role administers the deployment', async () => {
    const { id } = await addUser({ email: 'ids@example.com', emailVerified: true })
    const app = new TestApp({ ...settings, admin: { adminUserIds: [id] } })
    await withRole(app, { ...alice, email: 'role@example.com' }, 'admin')
    const { scim } = await scimDirectory(app, 'acme', 'example.com')
    for (const email of ['ids@example.com', 'role@example.com']) {
      const { body } = await scim('POST', '/Users', entry(email))
      expect(await rowOf('directory_users', { id: body.id })).toMatchObject({ access: 'account-not-allowed' })
    }
  })
})

describe('an import and a server', () => {
  it('prove no address: an imported verified one makes an administrator after a mailed link', async () => {
    const app = new TestApp(listed)
    const { id } = await addUser({ email: boss, emailVerified: true, addressVouchedBy: 'import' })
    await linkAccount(id, { providerId: 'credential', password: await cheapHash.hash(alice.password) })
    await signIn(app, { ...alice, email: boss })
    expect(await roleOf(boss)).toBe('user')
    const device = app.device()
    await device.post('/email-otp/send-verification-otp', { email: boss, type: 'sign-in' })
    const otp = (await app.mailbox()).find(({ to }) => to === boss)!.codes[0]!
    expect((await device.post('/sign-in/email-otp', { email: boss, otp })).status).toBe(200)
    expect(await roleOf(boss)).toBe('user,admin')
  })

  it('create accounts with unverified addresses, and an administrator who moves an address proves none', async () => {
    const app = new TestApp(listed)
    await app.serverApi().createUser({ email: boss, password: alice.password, name: 'B' })
    await signIn(app, { ...alice, email: boss })
    expect(await roleOf(boss)).toBe('user')
    await updateUsers({ email: 'former@example.com' }, { email: boss })
    const { id } = await plain(app, { ...alice, email: 'bob@example.com' })
    await updateUsers({ emailVerified: true }, { id })
    const { device } = await withRole(app, { ...alice, email: 'root@example.org' }, 'admin')
    await device.post('/admin/update-user', { userId: id, data: { email: boss } })
    expect(await rowOf('users', { id })).toMatchObject({ email: boss, emailVerified: false })
    expect(await signIn(app, { ...alice, email: boss }).then(() => roleOf(boss))).toBe('user')
  })
})

it('a session of an unproven account has no rights of an administrator', async () => {
  const app = new TestApp(listed)
  const { id } = await addUser({ email: boss, emailVerified: true, addressVouchedBy: 'directory' })
  const device = await anotherDevice(app, id)
  expect((await device.get('/admin/list-users')).status).toBe(403)
})
