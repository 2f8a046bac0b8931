import { describe, expect, it } from 'vitest'
import type { Config } from '../../configuration/read-config.ts'
import type { User } from '../../identity/model/users.table.ts'
import { outcome, TestApp } from '../../testing/harness.ts'
import { addPasskey, SoftwareAuthenticator, signInWithPasskey } from '../../testing/passkeys.ts'
import { alice, bob, signUp } from '../../testing/people.ts'
import { count, updateRows } from '../../testing/rows.ts'
import { updateUsers } from '../../testing/states.ts'
import { authenticatorName, familyOf } from './authenticators.ts'

const unlimited = { rateLimit: { enabled: false } }

const list = '/passkey/list-user-passkeys'
const update = '/passkey/update-passkey'
const remove = '/passkey/delete-passkey'

/** Two users with a passkey each. */
async function two(app: TestApp) {
  const mine = await signUp(app, alice)
  await addPasskey(mine, new SoftwareAuthenticator(), 'Mine')
  const theirs = await signUp(app, bob)
  await addPasskey(theirs, new SoftwareAuthenticator(), 'Theirs')
  const [own] = (await mine.get(list)).body
  const [other] = (await theirs.get(list)).body
  return { mine, theirs, own, other }
}

describe('GET /passkey/list-user-passkeys', () => {
  it("200: the caller's own, in one read", async () => {
    const { mine, own } = await two(new TestApp(unlimited))
    const { body, io } = await mine.get(list)
    expect(body).toEqual([own])
    expect(own.name).toBe('Mine')
    expect(io).toMatchObject({ d1: [1, 1] })
  })

  it('401: no session', async () => {
    expect(outcome(await new TestApp(unlimited).device().get(list))).toEqual({ status: 401, code: 'UNAUTHORIZED' })
  })
})

describe('POST /passkey/update-passkey', () => {
  it('200: the new name', async () => {
    const { mine, own } = await two(new TestApp(unlimited))
    const { status, body } = await mine.post(update, { id: own.id, name: ' Renamed ' })
    expect({ status, body }).toEqual({ status: 200, body: { passkey: { ...own, name: 'Renamed' } } })
  })

  it('401: no session, another user’s passkey; 404: an unknown passkey; 400: an invalid name', async () => {
    const app = new TestApp(unlimited)
    const { mine, own, other } = await two(app)
    expect(outcome(await app.device().post(update, { id: own.id, name: 'x' }))).toEqual({
      status: 401,
      code: 'UNAUTHORIZED',
    })
    expect(outcome(await mine.post(update, { id: other.id, name: 'x' }))).toEqual({
      status: 401,
      code: 'YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY',
    })
    expect(outcome(await mine.post(update, { id: 'nope', name: 'x' }))).toEqual({
      status: 404,
      code: 'PASSKEY_NOT_FOUND',
    })
    for (const name of ['', '   ', 'x'.repeat(65), 1, null, undefined]) {
      expect(outcome(await mine.post(update, { id: own.id, name }))).toEqual({ status: 400, code: 'VALIDATION_ERROR' })
    }
    expect((await mine.get(list)).body).toEqual([own])
  })
})

describe('POST /passkey/delete-passkey', () => {
  it('200 null: it is gone', async () => {
    const { mine, own } = await two(new TestApp(unlimited))
    const { status, body } = await mine.post(remove, { id: own.id })
    expect({ status, body }).toEqual({ status: 200, body: null })
    expect((await mine.get(list)).body).toEqual([])
  })

  it("401: no session; 404: another user's passkey, an unknown passkey", async () => {
    const app = new TestApp(unlimited)
    const { mine, theirs, own, other } = await two(app)
    expect(outcome(await app.device().post(remove, { id: own.id }))).toEqual({ status: 401, code: 'UNAUTHORIZED' })
    for (const id of [other.id, 'nope']) {
      expect(outcome(await mine.post(remove, { id }))).toEqual({ status: 404, code: 'PASSKEY_NOT_FOUND' })
    }
    expect((await theirs.get(list)).body).toEqual([other])
  })

  it('400: the last way in, of two deleted at the same moment too', async () => {
    const app = new TestApp(unlimited)
    const guest = app.device()
    await guest.post('/sign-in/anonymous')
    await addPasskey(guest)
    await addPasskey(guest)
    const ids: string[] = (await guest.get(list)).body.map(({ id }: { id: string }) => id)
    const answers = await Promise.all(ids.map((id) => guest.post(remove, { id })))
    expect(answers.map(outcome).sort((a, b) => a.status - b.status)).toEqual([
      { status: 200, code: null },
      { status: 400, code: 'LAST_WAY_TO_SIGN_IN' },
    ])
    const refusal = answers.find(({ status }) => status === 400)!
    expect(refusal.body.message).toMatch(/^This is the last way to sign in/)
    expect((await guest.get(list)).body).toHaveLength(1)
  })

  it('200: the last passkey of a user with a password, a verified address or a verified number', async () => {
    const app = new TestApp(unlimited)
    for (const change of [{ emailVerified: true }, { phoneNumberVerified: true }]) {
      const guest = app.device()
      await guest.post('/sign-in/anonymous')
      await addPasskey(guest)
      await updateUsers(change)
      const [{ id }] = (await guest.get(list)).body
      expect({ change, status: (await guest.post(remove, { id })).status }).toEqual({ change, status: 200 })
    }
  })

  const off = { enabled: false }
  const mailboxOff = { emailAndPassword: off, magicLink: off, emailOTP: off }
  it.each<[Partial<User>, number, Config]>([
    [{ emailVerified: true }, 400, mailboxOff],
    [{ emailVerified: true }, 200, { ...mailboxOff, emailAndPassword: {} }],
    [{ emailVerified: true }, 200, { ...mailboxOff, magicLink: {} }],
    [{ emailVerified: true }, 200, { ...mailboxOff, emailOTP: {} }],
    [{ phoneNumberVerified: true }, 200, mailboxOff],
    [{ phoneNumberVerified: true }, 400, { ...mailboxOff, phoneNumber: off }],
  ])('what is proven is a way in where it opens something: %j, %i with %j', async (change, status, config) => {
    const guest = new TestApp({ ...unlimited, ...config }).device()
    await guest.post('/sign-in/anonymous')
    await addPasskey(guest)
    await updateUsers(change)
    const [{ id }] = (await guest.get(list)).body
    expect((await guest.post(remove, { id })).status).toBe(status)
  })

  it('400: a password does not count as a sign-in method where passwords are off; an account at a provider does', async () => {
    const device = await signUp(new TestApp(unlimited), alice)
    await addPasskey(device)
    const [{ id }] = (await device.get(list)).body
    const socialProviders = { github: { clientId: 'client', clientSecret: 'secret' } }
    const later = new TestApp({ ...unlimited, ...mailboxOff, socialProviders }).device()
    for (const [name, value] of device.jar) later.jar.set(name, value)
    expect(outcome(await later.post(remove, { id }))).toEqual({ status: 400, code: 'LAST_WAY_TO_SIGN_IN' })
    await updateRows('accounts', { providerId: 'github' })
    expect((await later.post(remove, { id })).status).toBe(200)
  })
})

describe('passkeys and their owner', () => {
  it('end when another user proves the address of an account with an unverified address', async () => {
    const app = new TestApp(unlimited)
    const claimant = await signUp(app, alice)
    const authenticator = await addPasskey(claimant)
    await app.clearMailbox()
    const owner = app.device()
    await owner.post('/sign-in/magic-link', { email: alice.email })
    await owner.get(await app.linkTo(alice.email))
    expect((await owner.get('/get-session')).body.user.email).toBe(alice.email)
    expect((await owner.get(list)).body).toEqual([])
    expect(outcome(await signInWithPasskey(app.device(), authenticator))).toEqual({
      status: 401,
      code: 'PASSKEY_NOT_FOUND',
    })
  })

  it('go with the account', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice)
    await addPasskey(device)
    expect((await device.post('/delete-user', { password: alice.password })).status).toBe(200)
    expect(await count('passkeys')).toBe(0)
  })

  it('are in the public configuration', async () => {
    const { body } = await new TestApp({ passkey: { rpID: 'example.com' } }).device().get('/config')
    expect(body).toMatchObject({ features: { passkey: true }, passkey: { rpId: 'example.com' } })
  })
})

describe('the makes of authenticators', () => {
  it('are found by AAGUID in upper or lower case; an AAGUID of all zeros returns null', () => {
    expect(authenticatorName('D548826E-79B4-DB40-A3D8-11116F7E8349')).toBe('Bitwarden')
    expect(authenticatorName('00000000-0000-0000-0000-000000000000')).toBeNull()
    expect(authenticatorName('constructor')).toBeNull()
  })

  it('have a kind: by the product, and otherwise by transports and copies', () => {
    const unknown = '00000000-0000-0000-0000-000000000000'
    const kind = (
      aaguid: string,
      transports: string | null = null,
      deviceType: 'singleDevice' | 'multiDevice' = 'singleDevice',
    ) => familyOf({ aaguid, transports, deviceType })
    expect(kind('fbfc3007-154e-4ecc-8c0b-6e020557d7bd')).toBe('apple')
    expect(kind('ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4')).toBe('google')
    expect(kind('42b4fb4a-2866-43b2-9bf7-6c6669c2e5d3')).toBe('security-key')
    expect(kind('08987058-cadc-4b81-b6e1-30de50dcbe96')).toBe('windows')
    expect(kind('bada5566-a7aa-401f-bd96-45619a55120d')).toBe('password-manager')
    expect(kind('b5397666-4885-aa6b-cebf-e52262a439a2')).toBe('device')
    expect(kind(unknown, 'internal,hybrid', 'multiDevice')).toBe('password-manager')
    expect(kind(unknown, 'internal')).toBe('device')
    expect(kind(unknown, 'usb,nfc')).toBe('security-key')
    expect(kind(unknown)).toBe('unknown')
  })
})
