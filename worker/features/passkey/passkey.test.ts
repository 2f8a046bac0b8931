import { describe, expect, it } from 'vitest'
import type { Config } from '../../read-config.ts'
import { type Answer, env, TestApp } from '../../testing/harness.ts'
import { addPasskey, SoftwareAuthenticator, signInWithPasskey } from '../../testing/passkeys.ts'
import { alice, bob, signUp } from '../../testing/people.ts'
import { authenticatorName } from './authenticators.ts'

const unlimited = { rateLimit: { enabled: false } }
const outcome = ({ status, body }: Answer) => [status, body?.code ?? null]

const list = '/passkey/list-user-passkeys'
const update = '/passkey/update-passkey'
const remove = '/passkey/delete-passkey'

/** Two people with a passkey each. */
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

  it('401: nobody', async () => {
    expect(outcome(await new TestApp(unlimited).device().get(list))).toEqual([401, 'UNAUTHORIZED'])
  })
})

describe('POST /passkey/update-passkey', () => {
  it('200: the new name', async () => {
    const { mine, own } = await two(new TestApp(unlimited))
    const { status, body } = await mine.post(update, { id: own.id, name: ' Renamed ' })
    expect([status, body]).toEqual([200, { passkey: { ...own, name: 'Renamed' } }])
  })

  it('401: nobody, and somebody else; 404: one that is not there; 400: a name that is none', async () => {
    const app = new TestApp(unlimited)
    const { mine, own, other } = await two(app)
    expect(outcome(await app.device().post(update, { id: own.id, name: 'x' }))).toEqual([401, 'UNAUTHORIZED'])
    expect(outcome(await mine.post(update, { id: other.id, name: 'x' }))).toEqual([
      401,
      'YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY',
    ])
    expect(outcome(await mine.post(update, { id: 'nope', name: 'x' }))).toEqual([404, 'PASSKEY_NOT_FOUND'])
    for (const name of ['', '   ', 'x'.repeat(65), 1, null, undefined]) {
      expect(outcome(await mine.post(update, { id: own.id, name }))).toEqual([400, 'VALIDATION_ERROR'])
    }
    expect((await mine.get(list)).body).toEqual([own])
  })
})

describe('POST /passkey/delete-passkey', () => {
  it('200 null: it is gone', async () => {
    const { mine, own } = await two(new TestApp(unlimited))
    const { status, body } = await mine.post(remove, { id: own.id })
    expect([status, body]).toEqual([200, null])
    expect((await mine.get(list)).body).toEqual([])
  })

  it("401: nobody; 404: somebody else's, and one that is not there", async () => {
    const app = new TestApp(unlimited)
    const { mine, theirs, own, other } = await two(app)
    expect(outcome(await app.device().post(remove, { id: own.id }))).toEqual([401, 'UNAUTHORIZED'])
    for (const id of [other.id, 'nope']) {
      expect(outcome(await mine.post(remove, { id }))).toEqual([404, 'PASSKEY_NOT_FOUND'])
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
    expect(answers.map(outcome).sort()).toEqual([
      [200, null],
      [400, 'YOU_CANT_DELETE_YOUR_LAST_WAY_IN'],
    ])
    const refusal = answers.find(({ status }) => status === 400)!
    expect(refusal.body.message).toMatch(/^This passkey is your only way to sign in\. Add another/)
    expect((await guest.get(list)).body).toHaveLength(1)
  })

  it('200: the last passkey of somebody with a password, a verified address or a verified number', async () => {
    const app = new TestApp(unlimited)
    for (const change of ['email_verified = 1', 'phone_number_verified = 1']) {
      const guest = app.device()
      await guest.post('/sign-in/anonymous')
      await addPasskey(guest)
      await env.DB.prepare(`update users set ${change}`).run()
      const [{ id }] = (await guest.get(list)).body
      expect([change, (await guest.post(remove, { id })).status]).toEqual([change, 200])
    }
  })

  const off = { enabled: false }
  const mailboxOff = { emailAndPassword: off, magicLink: off, emailOTP: off }
  it.each<[string, number, Config]>([
    ['email_verified = 1', 400, mailboxOff],
    ['email_verified = 1', 200, { ...mailboxOff, emailAndPassword: {} }],
    ['email_verified = 1', 200, { ...mailboxOff, magicLink: {} }],
    ['email_verified = 1', 200, { ...mailboxOff, emailOTP: {} }],
    ['phone_number_verified = 1', 200, mailboxOff],
    ['phone_number_verified = 1', 400, { ...mailboxOff, phoneNumber: off }],
  ])('what is proven is a way in where it opens something: %s, %i with %j', async (change, status, config) => {
    const guest = new TestApp({ ...unlimited, ...config }).device()
    await guest.post('/sign-in/anonymous')
    await addPasskey(guest)
    await env.DB.prepare(`update users set ${change}`).run()
    const [{ id }] = (await guest.get(list)).body
    expect((await guest.post(remove, { id })).status).toBe(status)
  })

  it('400: a password is no way in where none is taken; an account at a provider is one', async () => {
    const device = await signUp(new TestApp(unlimited), alice)
    await addPasskey(device)
    const [{ id }] = (await device.get(list)).body
    const later = new TestApp({ ...unlimited, ...mailboxOff }).device()
    for (const [name, value] of device.jar) later.jar.set(name, value)
    expect(outcome(await later.post(remove, { id }))).toEqual([400, 'YOU_CANT_DELETE_YOUR_LAST_WAY_IN'])
    await env.DB.prepare("update accounts set provider_id = 'github'").run()
    expect((await later.post(remove, { id })).status).toBe(200)
  })
})

describe('passkeys and their owner', () => {
  it('end when somebody else proves the address of an account that never did', async () => {
    const app = new TestApp(unlimited)
    const claimant = await signUp(app, alice)
    const authenticator = await addPasskey(claimant)
    await app.clearMailbox()
    const owner = app.device()
    await owner.post('/sign-in/magic-link', { email: alice.email })
    await owner.get(await app.linkTo(alice.email))
    expect((await owner.get('/get-session')).body.user.email).toBe(alice.email)
    expect((await owner.get(list)).body).toEqual([])
    expect(outcome(await signInWithPasskey(app.device(), authenticator))).toEqual([401, 'PASSKEY_NOT_FOUND'])
  })

  it('go with the account', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice)
    await addPasskey(device)
    expect((await device.post('/delete-user', { password: alice.password })).status).toBe(200)
    expect(await env.DB.prepare('select count(*) as n from passkeys').first()).toEqual({ n: 0 })
  })

  it('are told to the screens', async () => {
    const { body } = await new TestApp({ passkey: { rpID: 'example.com' } }).device().get('/config')
    expect(body).toMatchObject({ features: { passkey: true }, passkey: { rpId: 'example.com' } })
  })
})

describe('the makes of authenticators', () => {
  it('are known by their AAGUID, in whatever case; all zeros is none', () => {
    expect(authenticatorName('D548826E-79B4-DB40-A3D8-11116F7E8349')).toBe('Bitwarden')
    expect(authenticatorName('00000000-0000-0000-0000-000000000000')).toBeNull()
    expect(authenticatorName('constructor')).toBeNull()
  })
})
