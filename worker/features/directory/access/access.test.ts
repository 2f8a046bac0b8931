import { afterEach, describe, expect, it, vi } from 'vitest'
import { administrator } from '../../../testing/admins.ts'
import { FaultInjector } from '../../../testing/faults.ts'
import { type Device, TestApp } from '../../../testing/harness.ts'
import { anotherDevice, colleague, company, someone } from '../../../testing/organizations.ts'
import { count, insertRows, rowOf, rowsOf } from '../../../testing/rows.ts'
import { patchOf, type ScimDirectory, scimClient, scimDirectory } from '../../../testing/scim.ts'
import { newPerson } from '../../../testing/set-ups.ts'
import { addUser, updateUsers } from '../../../testing/states.ts'

afterEach(() => vi.useRealTimers())

const on = {
  rateLimit: { enabled: false },
  enterprise: { enabled: true },
  organization: { teams: { enabled: true } },
  admin: {},
}
const sessionOf = async (device: Device) =>
  (await device.get('/get-session', { query: { disableCookieCache: 'true' } })).body
const accessOf = async ({ at, connectionId }: ScimDirectory) =>
  (await at.owner.device.get('/sso/directory', { query: { connectionId } })).body.access
const active = (value: boolean) => patchOf({ op: 'replace', path: 'active', value })
const person = (email: string, more: object = {}) => ({
  userName: email,
  emails: [{ value: email, primary: true }],
  ...more,
})

describe('the access of a user of a directory', () => {
  it('begins with an account and a membership, and ends with sessions, keys, tokens and the membership', async () => {
    const app = new TestApp(on)
    const acme = await scimDirectory(app, 'acme', 'example.com')
    const { scim, at } = acme
    const created = await scim('POST', '/Users', person('ada@example.com', { displayName: 'Ada' }))
    const { id } = created.body
    const user = (await rowOf('users', { email: 'ada@example.com' }))!
    expect(user).toMatchObject({ name: 'Ada', emailVerified: true })
    expect(await rowOf('members', { userId: user.id })).toMatchObject({
      ...{ organizationId: at.id, role: 'member', origin: 'directory', originId: acme.connectionId },
    })
    expect(await accessOf(acme)).toEqual({ granted: 1 })
    await scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'displayName', value: 'Ada King' }))
    expect(await rowOf('users', { id: user.id })).toMatchObject({ name: 'Ada King' })
    const device = await anotherDevice(app, user.id)
    expect((await device.post('/api-key/create', { name: 'mine' })).status).toBe(200)
    const now = new Date()
    await insertRows('accounts', {
      ...{ id: 'a', providerId: 'google', accountId: 'g', userId: user.id, createdAt: now, updatedAt: now },
      accessToken: 'sealed',
      refreshToken: 'sealed',
    })
    expect((await scim('PATCH', `/Users/${id}`, active(false))).body.active).toBe(false)
    expect(await sessionOf(device)).toBeNull()
    expect(await count('sessions', { userId: user.id })).toBe(0)
    expect(await count('api_keys', { userId: user.id })).toBe(0)
    expect(await count('members', { userId: user.id })).toBe(0)
    expect(await rowOf('accounts', { id: 'a' })).toMatchObject({ accessToken: null, refreshToken: null })
    expect(await rowOf('users', { id: user.id })).toMatchObject({ securityVersion: user.securityVersion + 1 })
    // The account does not sign in, in any way.
    const link = async () => {
      const browser = app.device()
      app.clearMailbox()
      await browser.post('/sign-in/magic-link', {
        email: 'ada@example.com',
        callbackURL: '/dash',
        errorCallbackURL: '/err',
      })
      return (await browser.get(await app.linkTo('ada@example.com'))).headers.get('location')
    }
    expect(await link()).toContain('error=ACCOUNT_DEACTIVATED_BY_DIRECTORY')
    expect(await accessOf(acme)).toEqual({ inactive: 1 })
    await scim('PATCH', `/Users/${id}`, active(true))
    expect(await rowOf('members', { userId: user.id })).toMatchObject({ organizationId: at.id })
    expect(await link()).toContain('/dash')
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204)
    expect(await count('members', { userId: user.id })).toBe(0)
    expect(await count('sessions', { userId: user.id })).toBe(0)
    expect(await link()).toContain('error=ACCOUNT_DEACTIVATED_BY_DIRECTORY')
    // The directory creates the user again: the account returns. Without the connection nothing is deactivated.
    await scim('POST', '/Users', person('ada@example.com'))
    expect(await count('users', { email: 'ada@example.com' })).toBe(1)
    expect(await count('directory_departures')).toBe(0)
    await at.owner.device.post('/sso/delete-connection', { connectionId: acme.connectionId })
    expect(await count('directory_users')).toBe(0)
  })

  it('needs an address of a verified domain, and takes no account of others over', async () => {
    const app = new TestApp(on)
    const other = await company(app, 'other')
    const mallory = await scimDirectory(app, 'mallory', 'evil.example')
    const { scim } = mallory
    const victim = await someone(app, 'Victim')
    const boss = await administrator(app, newPerson())
    await updateUsers({ email: 'boss@evil.example' }, { email: (await sessionOf(boss.device)).user.email })
    const employee = await addUser({ name: 'Emp', email: 'emp@evil.example', emailVerified: true })
    await insertRows('members', {
      ...{ id: 'm-emp', organizationId: other.id, userId: employee.id, role: 'member', createdAt: new Date() },
    })
    const employeeDevice = await anotherDevice(app, employee.id)
    for (const [email, state] of [
      [victim.email, 'address-outside-domains'],
      ['x@sub.evil.example', 'address-outside-domains'],
      ['victim@example.com@evil.example', 'no-address'],
      ['boss@evil.example', 'account-not-allowed'],
      ['emp@evil.example', 'account-of-another-organization'],
      ['nobody', 'no-address'],
    ] as const) {
      const { status, body } = await scim('POST', '/Users', person(email))
      expect({ email, status }).toEqual({ email, status: 201 })
      expect({ email, ...(await rowOf('directory_users', { id: body.id })) }).toMatchObject({
        email,
        access: state,
        userId: null,
      })
      // Neither deactivation nor deletion concerns the account.
      await scim('PATCH', `/Users/${body.id}`, active(false))
      await scim('DELETE', `/Users/${body.id}`)
    }
    expect(await count('members', { organizationId: mallory.at.id })).toBe(1)
    for (const device of [victim.device, boss.device, employeeDevice]) expect(await sessionOf(device)).not.toBeNull()
    // An unproven account loses what its creator has set.
    const squat = app.device()
    await squat.post('/sign-up/email', { name: 'S', email: 'new@evil.example', password: 'password1234' })
    await scim('POST', '/Users', person('new@evil.example'))
    expect(await sessionOf(squat)).toBeNull()
    const again = await app.device().post('/sign-in/email', { email: 'new@evil.example', password: 'password1234' })
    expect(again.status).toBe(401)
    // A second user with the same address has no access to the account of the first one.
    const second = await scim('POST', '/Users', { ...person('new@evil.example'), userName: 'second' })
    expect(await rowOf('directory_users', { id: second.body.id })).toMatchObject({ access: 'account-in-use' })
    // A member who has left with another address is not affected.
    const entry = (await rowsOf('directory_users', { access: 'granted' }))[0]!
    await updateUsers({ email: 'own@private.example' }, { email: 'new@evil.example' })
    const device = await anotherDevice(app, entry.userId!)
    await scim('PATCH', `/Users/${entry.id}`, active(false))
    expect(await count('members', { userId: entry.userId! })).toBe(0)
    expect(await sessionOf(device)).not.toBeNull()
  })

  it('of the last owner and of owners with emergency access does not end', async () => {
    const app = new TestApp(on)
    const acme = await scimDirectory(app, 'acme', 'example.com')
    const { owner, ownerMember } = acme.at
    const { id } = (await acme.scim('POST', '/Users', person(owner.email))).body
    const refused = { status: 403, body: { detail: 'The directory cannot remove this owner of the organization' } }
    expect(await acme.scim('PATCH', `/Users/${id}`, active(false))).toMatchObject(refused)
    const second = await colleague(app, acme.at, 'Second', 'owner')
    const rules = { allowedMethods: null, requiresSecondFactor: false, joinsAutomatically: false }
    await owner.device.post('/sso/update-policy', { ...rules, breakGlass: [ownerMember] })
    expect(await acme.scim('DELETE', `/Users/${id}`)).toMatchObject(refused)
    expect((await acme.scim('GET', `/Users/${id}`)).body.active).toBe(true)
    await second.device.post('/sso/update-policy', { ...rules, organizationId: acme.at.id, breakGlass: [] })
    expect((await acme.scim('PATCH', `/Users/${id}`, active(false))).status).toBe(200)
    expect(await sessionOf(owner.device)).toBeNull()
  })
})

describe('a fault', () => {
  it('of each piece of I/O is a 503 in the form of SCIM, and leaves no half of a deactivation', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const faults = new FaultInjector()
    const acme = await scimDirectory(new TestApp(on), 'acme', 'example.com')
    const scim = scimClient(new TestApp(on, faults.bindings(), false), acme.connectionId, acme.token)
    const { id } = (await scim('POST', '/Users', person('ada@example.com'))).body
    const { userId } = (await rowOf('directory_users', { id }))!
    faults.watch()
    await scim('PATCH', `/Users/${id}`, active(false))
    const calls = faults.calls.length
    expect(calls).toBeGreaterThan(2)
    for (let at = 1; at <= calls; at++) {
      for (const when of ['before', 'after'] as const) {
        faults.watch()
        expect((await scim('PATCH', `/Users/${id}`, active(true))).status).toBe(200)
        faults.arm({ at, when })
        const answer = await scim('PATCH', `/Users/${id}`, active(false))
        faults.watch()
        if (answer.status !== 200) {
          expect(answer).toMatchObject({ status: 503, body: { status: '503', detail: expect.any(String) } })
        }
        const entry = (await rowOf('directory_users', { id }))!
        expect(await count('members', { userId: userId! })).toBe(entry.active ? 1 : 0)
        expect(await count('directory_departures')).toBe(entry.active ? 0 : 1)
      }
    }
    vi.restoreAllMocks()
  })
})

describe('the groups of a directory', () => {
  it('give roles and teams by the mapping of the connection, and take them', async () => {
    const app = new TestApp(on)
    const acme = await scimDirectory(app, 'acme', 'example.com')
    const { scim, at, connectionId } = acme
    const team = (await at.owner.device.post('/organization/create-team', { name: 'Design' })).body.id
    const mapping = {
      roles: [{ group: 'Admins', role: 'admin' }],
      teams: [{ group: 'g-design', teamId: team }],
    }
    await at.owner.device.post('/sso/update-connection', { connectionId, mapping })
    const ids: string[] = []
    for (const name of ['ada', 'bea', 'cyd'])
      ids.push((await scim('POST', '/Users', person(`${name}@example.com`))).body.id)
    const [ada, bea] = ids
    const state = async () => {
      const entries = await rowsOf('directory_users')
      const members = await Promise.all(entries.map(({ userId }) => rowOf('members', { userId: userId! })))
      return members.map((member) => [member!.role, member!.teamId === team])
    }
    const none = ['member', false]
    const admins = (await scim('POST', '/Groups', { displayName: 'Admins', members: [{ value: ada }] })).body.id
    expect(await state()).toEqual([['admin', false], none, none])
    const design = await scim('POST', '/Groups', {
      displayName: 'Design',
      externalId: 'g-design',
      members: ids.map((value) => ({ value })),
    })
    expect(await state()).toEqual([
      ['admin', true],
      ['member', true],
      ['member', true],
    ])
    await scim(
      'PATCH',
      `/Groups/${admins}`,
      patchOf(
        { op: 'Add', path: 'members', value: [{ value: bea }] },
        { op: 'Remove', path: 'members', value: [{ value: ada }] },
      ),
    )
    expect(await state()).toEqual([
      ['member', true],
      ['admin', true],
      ['member', true],
    ])
    await scim(
      'PATCH',
      `/Groups/${design.body.id}`,
      patchOf({ op: 'remove', path: `members[value eq "${ada}" or value eq "${bea}"]` }),
    )
    expect(await state()).toEqual([none, ['admin', false], ['member', true]])
    await scim('PATCH', `/Groups/${admins}`, patchOf({ op: 'replace', value: { displayName: 'Other' } }))
    expect(await state()).toEqual([none, none, ['member', true]])
    await scim('DELETE', `/Groups/${design.body.id}`)
    expect(await state()).toEqual([none, none, none])
    // A role that the mapping does not give, and the owner, remain.
    await scim('PATCH', `/Groups/${admins}`, patchOf({ op: 'replace', path: 'displayName', value: 'Admins' }))
    expect(await state()).toEqual([none, ['admin', false], none])
    // A deactivated and activated user gets the role of the group again.
    await scim('PATCH', `/Users/${bea}`, active(false))
    await scim('PATCH', `/Users/${bea}`, active(true))
    expect(await rowOf('members', { role: 'admin' })).not.toBeNull()
    expect(await rowOf('members', { id: at.ownerMember })).toMatchObject({ role: 'owner' })
    // Parallel changes of one group are all applied.
    const joined = await Promise.all(
      ids.map((value) =>
        scim('PATCH', `/Groups/${admins}`, patchOf({ op: 'add', path: 'members', value: [{ value }] })),
      ),
    )
    expect(joined.map(({ status }) => status)).toEqual([204, 204, 204])
    expect((await scim('GET', `/Groups/${admins}`)).body.members).toHaveLength(3)
    const bad = await scim(
      'PATCH',
      `/Groups/${admins}`,
      patchOf({ op: 'add', path: 'members', value: [{ value: 'unknown' }] }),
    )
    expect(bad).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
  })

  it('have caps, as users and requests have', async () => {
    const directory = { maxUsers: 2, maxGroups: 1, maxMemberships: 1, rateLimit: { max: 8, window: 60 } }
    const { connectionId, token } = await scimDirectory(new TestApp(on), 'acme', null)
    const scim = scimClient(new TestApp({ ...on, rateLimit: { enabled: true }, directory }), connectionId, token)
    const ada = (await scim('POST', '/Users', { userName: 'ada' })).body.id
    const bea = (await scim('POST', '/Users', { userName: 'bea' })).body.id
    expect((await scim('POST', '/Users', { userName: 'cyd' })).status).toBe(403)
    const group = await scim('POST', '/Groups', { displayName: 'G', members: [{ value: ada }] })
    expect((await scim('POST', '/Groups', { displayName: 'H' })).status).toBe(403)
    const second = patchOf({ op: 'add', path: 'members', value: [{ value: bea }] })
    expect((await scim('PATCH', `/Groups/${group.body.id}`, second)).status).toBe(403)
    expect((await scim('GET', `/Groups/${group.body.id}`)).body.members).toHaveLength(1)
    const large = await scim('POST', '/Users', { userName: 'x', title: 'x'.repeat(9000) })
    expect(large).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    expect((await scim('GET', '/Users')).status).toBe(429)
  })
})

describe('the audit log of the organization', () => {
  it('names the connection of the directory for each change, and the values without attributes of persons', async () => {
    const app = new TestApp(on)
    const { scim, at, connectionId } = await scimDirectory(app, 'acme', 'example.com')
    const { body: ada } = await scim('POST', '/Users', person('ada@example.com', { displayName: 'Ada' }))
    const user = (await rowOf('users', { email: 'ada@example.com' }))!
    const { body: group } = await scim('POST', '/Groups', { displayName: 'Staff', members: [{ value: ada.id }] })
    await scim('PATCH', `/Users/${ada.id}`, active(false))
    await scim('DELETE', `/Groups/${group.id}`)
    await scim('DELETE', `/Users/${ada.id}`)
    const query = { organizationId: at.id, search: 'directory.' }
    const { entries } = (await at.owner.device.get('/organization/audit', { query })).body
    expect(entries.toReversed()).toMatchObject([
      { action: 'directory.create-user', subjectType: 'user', subjectId: user.id, after: { access: 'granted' } },
      { action: 'directory.create-group', subjectId: group.id, after: { name: 'Staff', members: { ids: [ada.id] } } },
      {
        action: 'directory.update-user',
        before: { active: true, access: 'granted' },
        after: { active: false, access: 'inactive', attributes: ['active'] },
      },
      { action: 'directory.delete-group', before: { name: 'Staff' } },
      { action: 'directory.delete-user' },
    ])
    expect(new Set(entries.map(({ actorType, actorVia }: any) => `${actorType} ${actorVia}`))).toEqual(
      new Set([`directory ${connectionId}`]),
    )
    expect(JSON.stringify(entries)).not.toContain('ada@example.com')
  })
})
