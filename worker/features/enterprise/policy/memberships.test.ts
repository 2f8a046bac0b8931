import { afterEach, describe, expect, vi } from 'vitest'
import { cheapHash } from '../../../testing/cheap-hash.ts'
import { TestApp } from '../../../testing/harness.ts'
import { anotherDevice, company, join, someone } from '../../../testing/organizations.ts'
import { count, rowOf, updateRows } from '../../../testing/rows.ts'
import { scimDirectory } from '../../../testing/scim.ts'
import { address, password, type Ruled, ruled, signedInAs, testRows } from '../../../testing/sign-in-rules.ts'
import { addUser, linkAccount, updateUsers } from '../../../testing/states.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** A user with a password, and how a sign-in with it ends. */
async function withPassword(at: Pick<Ruled, 'app'>, email: string) {
  const { id } = await addUser({ email, emailVerified: true })
  await linkAccount(id, { providerId: 'credential', password: await cheapHash.hash(password) })
  return { id, email, device: await anotherDevice(at.app, id) }
}

const enter = async ({ app }: Pick<Ruled, 'app'>, email: string) => {
  const { status, body } = await app.device().post('/sign-in/email', { email, password })
  return status === 200 ? 'signed in' : body.code
}

const refused = 'SINGLE_SIGN_ON_REQUIRED'

describe('the rules of an organization, and what makes and changes a membership or an address', () => {
  testRows('membership or address', {
    async 'change of the address to another domain'() {
      const at = await ruled()
      await updateUsers({ email: 'ada@example.com' }, { id: at.ada.id })
      await at.rule()
      const device = await at.bySingleSignOn()
      expect((await device.post('/change-email', { newEmail: 'moved@private.example' })).status).toBe(200)
      await device.get(await at.app.linkTo('ada@example.com'))
      expect(await rowOf('users', { id: at.ada.id })).toMatchObject({ email: 'moved@private.example' })
      expect(await enter(at, 'moved@private.example')).toBe(refused)
      const link = at.app.device()
      await link.post('/sign-in/magic-link', {
        email: 'moved@private.example',
        callbackURL: '/',
        errorCallbackURL: '/',
      })
      await link.get(await at.app.linkTo('moved@private.example'))
      expect(await signedInAs(link)).toBeNull()
      // An invited member with an address of the domain does not leave the rule either.
      await at.rule({ allowedMethods: null })
      const bea = await withPassword(at, 'bea@example.com')
      await join(at.acme, bea)
      await updateUsers({ email: 'bea@private.example' }, { id: bea.id })
      await at.rule()
      expect(await enter(at, 'bea@private.example')).toBe(refused)
      expect(await signedInAs(bea.device)).toBeNull()
    },
    async 'return to an earlier address'() {
      const at = await ruled()
      const bea = await withPassword(at, 'bea@private.example')
      const device = bea.device
      await device.post('/change-email', { newEmail: 'bea@example.com' })
      await device.get(await at.app.linkTo('bea@private.example'))
      const links = (await at.app.notices()).flatMap((notice) => notice.links)
      const revert = links.find((link) => new URL(link).pathname === '/revert-email')!
      await join(at.acme, { ...bea, email: 'bea@example.com' })
      const token = new URL(revert).searchParams.get('token')
      expect((await at.app.device().post('/change-email/revert', { token })).status).toBe(200)
      expect(await rowOf('users', { id: bea.id })).toMatchObject({ email: 'bea@private.example' })
      await at.rule()
      // The return deletes the password.
      const link = at.app.device()
      const given = { email: 'bea@private.example', callbackURL: '/', errorCallbackURL: '/err' }
      await link.post('/sign-in/magic-link', given)
      const answer = await link.get(await at.app.linkTo(given.email))
      expect(answer.headers.get('location')).toContain(`error=${refused}`)
    },
    async 'invitation to an address of the domain'() {
      const at = await ruled()
      const bea = await withPassword(at, 'bea@example.com')
      await join(at.acme, bea)
      expect(await rowOf('members', { userId: bea.id })).toMatchObject({ origin: 'invitation', isManaged: true })
      await updateUsers({ email: 'bea@private.example' }, { id: bea.id })
      await at.rule()
      expect(await signedInAs(bea.device)).toBeNull()
      expect(await enter(at, 'bea@private.example')).toBe(refused)
    },
    async 'invitation of a guest'() {
      const at = await ruled()
      const guest = await withPassword(at, 'guest@private.example')
      await join(at.acme, guest)
      await at.rule()
      expect(await signedInAs(guest.device)).toBe('guest@private.example')
      expect(await enter(at, 'guest@private.example')).toBe('signed in')
      await updateUsers({ email: 'guest@example.com' }, { id: guest.id })
      expect(await signedInAs(guest.device)).toBeNull()
      expect(await enter(at, 'guest@example.com')).toBe(refused)
    },
    async 'first sign-in through a connection'() {
      const at = await ruled()
      expect(await rowOf('members', { userId: at.ada.id })).toMatchObject({ origin: 'connection', isManaged: true })
      // Also for an existing member who had another address.
      const guest = await withPassword(at, 'guest@private.example')
      await join(at.acme, guest)
      await linkAccount(guest.id, { providerId: `sso-${at.connectionId}`, accountId: 'guest' })
      at.idp.person = { sub: 'guest', email: 'guest@example.com', name: 'G' }
      await at.idp.signIn(at.app.device(), 'guest@example.com')
      await at.rule()
      expect(await enter(at, 'guest@private.example')).toBe(refused)
    },
    async 'automatic join'() {
      const at = await ruled()
      await at.rule({ allowedMethods: null, joinsAutomatically: true })
      const bea = await withPassword(at, 'bea@example.com')
      expect(await enter(at, bea.email)).toBe('signed in')
      expect(await rowOf('members', { userId: bea.id })).toMatchObject({ origin: 'domain', isManaged: true })
      await updateUsers({ email: 'bea@private.example' }, { id: bea.id })
      await at.rule()
      expect(await enter(at, 'bea@private.example')).toBe(refused)
    },
    async 'entry of a directory'() {
      const app = new TestApp({
        ...{ rateLimit: { enabled: false }, enterprise: { enabled: true }, directory: { enabled: true } },
      })
      const { at, scim, connectionId } = await scimDirectory(app, 'acme', 'example.com')
      const bea = await withPassword({ app }, 'bea@private.example')
      await join(at, bea)
      await updateUsers({ email: 'bea@example.com' }, { id: bea.id })
      const entry = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: 'bea@example.com' }
      const emails = [{ value: 'bea@example.com', primary: true }]
      expect((await scim('POST', '/Users', { ...entry, emails })).status).toBe(201)
      expect(await rowOf('members', { userId: bea.id })).toMatchObject({ isManaged: true })
      await updateUsers({ email: 'bea@private.example' }, { id: bea.id })
      await updateRows('connections', { state: 'active' }, { id: connectionId })
      const given = { allowedMethods: [], requiresSecondFactor: false, joinsAutomatically: false }
      await at.owner.device.post('/sso/update-policy', { ...given, breakGlass: [at.ownerMember] })
      expect(await enter({ app }, 'bea@private.example')).toBe(refused)
      // Also after leaving: the directory still has the entry.
      await at.owner.device.post('/organization/remove-member', { memberIdOrEmail: 'bea@private.example' })
      const back = await anotherDevice(app, bea.id)
      await join(at, { ...bea, email: 'bea@private.example', device: back })
      expect(await enter({ app }, 'bea@private.example')).toBe(refused)
      expect(await signedInAs(back)).toBeNull()
    },
    async 'leaving and returning by an invitation'() {
      const at = await ruled()
      await at.rule()
      const left = await at.ada.device.post('/organization/leave', { organizationId: at.acme.id })
      expect(left.status).toBe(200)
      const device = await at.byPassword()
      await join(at.acme, { id: at.ada.id, email: address, device })
      expect(await signedInAs(device)).toBeNull()
      expect(await enter(at, address)).toBe(refused)
    },
    async 'membership of another organization'() {
      const at = await ruled()
      const beta = await company(at.app, 'beta', await someone(at.app, 'beta-owner', {}))
      await join(beta, { id: at.ada.id, email: address, device: at.ada.device })
      const device = await at.byPassword()
      await device.post('/organization/set-active', { organizationId: beta.id })
      await at.rule()
      expect(await enter(at, address)).toBe(refused)
      expect((await device.get('/organization/get-full-organization')).status).toBe(401)
    },
    async 'two organizations that rule a user'() {
      const at = await ruled()
      const owner = await addUser({ email: 'o@beta.example', emailVerified: true })
      const device = await anotherDevice(at.app, owner.id)
      const beta = await company(at.app, 'beta', { id: owner.id, email: 'o@beta.example', device })
      await at.idp.verify(beta, 'private.example')
      await at.rule({ allowedMethods: ['password', 'passkey'] })
      const set = (allowedMethods: string[]) =>
        device.post('/sso/update-policy', {
          ...{ allowedMethods, requiresSecondFactor: false, joinsAutomatically: false, breakGlass: [] },
          organizationId: beta.id,
        })
      await set(['passkey', 'email'])
      expect(await enter(at, address)).toBe('SIGN_IN_METHOD_NOT_ALLOWED')
      await set(['password'])
      expect(await enter(at, address)).toBe('signed in')
    },
    async 'end of the membership'() {
      const at = await ruled()
      await at.rule()
      expect(await enter(at, address)).toBe(refused)
      await at.acme.owner.device.post('/organization/remove-member', { memberIdOrEmail: address })
      expect(await enter(at, address)).toBe('signed in')
      await updateUsers({ email: 'ada@example.com' }, { id: at.ada.id })
      expect(await enter(at, 'ada@example.com')).toBe(refused)
    },
    async 'loss of the domain'() {
      const at = await ruled()
      await at.rule()
      const bea = await withPassword(at, 'bea@example.com')
      expect(await enter(at, bea.email)).toBe(refused)
      const { domains } = (await at.acme.owner.device.get('/sso/settings')).body
      await at.acme.owner.device.post('/sso/remove-domain', { domainId: domains[0].id })
      expect(await count('organization_domains')).toBe(0)
      expect(await enter(at, bea.email)).toBe('signed in')
      expect(await enter(at, address)).toBe(refused)
      expect(await signedInAs(await anotherDevice(at.app, bea.id))).toBe(bea.email)
    },
  })
})
