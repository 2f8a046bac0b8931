import { describe, expect, it } from 'vitest'
import { newId } from '../../kit/random.ts'
import { administrator } from '../../testing/admins.ts'
import { type Answer, outcome, TestApp } from '../../testing/harness.ts'
import { type Someone, someone } from '../../testing/organizations.ts'
import { count, rowOf } from '../../testing/rows.ts'
import { addPasskey, deleteUsers, linkAccount, updateUsers } from '../../testing/states.ts'

const off = { enabled: false }
const github = { socialProviders: { github: { clientId: 'client', clientSecret: 'secret' } } }
const newApp = (config: object = {}) => new TestApp({ rateLimit: { enabled: false }, ...github, ...config })

const lastWay = { status: 400, code: 'LAST_WAY_TO_SIGN_IN' }
const number = '+4915112345678'

/** Gives a user a sign-in method directly in the database. */
const give = {
  number: ({ id }: Someone) => updateUsers({ phoneNumber: number, phoneNumberVerified: true }, { id }),
  claimedNumber: ({ id }: Someone) => updateUsers({ phoneNumber: number }, { id }),
  username: ({ id }: Someone) => updateUsers({ username: 'ada', displayUsername: 'ada' }, { id }),
  address: ({ id }: Someone) => updateUsers({ emailIsPlaceholder: false }, { id }),
  mailbox: ({ id }: Someone) => updateUsers({ emailIsPlaceholder: false, emailVerified: true }, { id }),
  password: ({ id }: Someone) => linkAccount(id, { providerId: 'credential', password: 'hash' }),
  github: ({ id }: Someone) => linkAccount(id, { providerId: 'github' }),
  gitlab: ({ id }: Someone) => linkAccount(id, { providerId: 'gitlab' }),
  passkey: ({ id }: Someone) => addPasskey(id),
}

type Way = keyof typeof give

/** A user with a placeholder address and exactly these sign-in methods. */
async function userWith(app: TestApp, ways: readonly Way[]): Promise<Someone> {
  const person = await someone(app, `Person ${newId().toLowerCase()}`, { verified: false })
  await updateUsers({ emailIsPlaceholder: true }, { id: person.id })
  for (const way of ways) await give[way](person)
  return person
}

/** Removes a sign-in method with a request of its user. */
const take: { [W in Way]?: (person: Someone) => Promise<Answer> } = {
  number: ({ device }) => device.post('/update-user', { phoneNumber: null }),
  claimedNumber: ({ device }) => device.post('/update-user', { phoneNumber: null }),
  username: ({ device }) => device.post('/update-user', { username: null }),
  password: ({ device }) => device.post('/unlink-account', { providerId: 'credential' }),
  github: ({ device }) => device.post('/unlink-account', { providerId: 'github' }),
  gitlab: ({ device }) => device.post('/unlink-account', { providerId: 'gitlab' }),
  passkey: async ({ device }) => {
    const [{ id }] = (await device.get('/passkey/list-user-passkeys')).body
    return device.post('/passkey/delete-passkey', { id })
  },
}

const mailboxOff = { magicLink: off, emailOTP: off }

describe('the last way to sign in', () => {
  it.each<[removed: Way, has: Way[], allowed: boolean, config?: object]>([
    ['number', ['number'], false],
    ['number', ['number', 'passkey'], true],
    ['number', ['number', 'passkey'], false, { passkey: off }],
    ['number', ['number', 'mailbox'], true],
    ['number', ['number', 'mailbox'], false, { ...mailboxOff, emailAndPassword: off }],
    ['number', ['number', 'mailbox'], true, mailboxOff],
    ['number', ['number', 'address'], false],
    ['number', ['number', 'password'], false],
    ['number', ['number', 'password', 'address'], true],
    ['number', ['number', 'password', 'address'], false, { emailAndPassword: off }],
    ['number', ['number', 'password', 'username'], true],
    ['number', ['number', 'password', 'username'], false, { username: off }],
    ['number', ['number', 'password', 'username'], false, { emailAndPassword: { requireEmailVerification: true } }],
    ['number', ['number', 'github'], true],
    ['number', ['number', 'gitlab'], false],
    ['claimedNumber', ['claimedNumber', 'password'], false],
    ['claimedNumber', ['claimedNumber', 'password', 'passkey'], true],
    ['username', ['username', 'password'], false],
    ['username', ['username', 'password', 'number'], true],
    ['passkey', ['passkey'], false],
    ['passkey', ['passkey', 'number'], true],
    ['passkey', ['passkey', 'number'], false, { phoneNumber: off }],
    ['passkey', ['passkey', 'claimedNumber'], false],
    ['passkey', ['passkey', 'password', 'claimedNumber'], true],
    ['passkey', ['passkey', 'gitlab'], false],
    ['github', ['github', 'gitlab'], false],
    ['gitlab', ['github', 'gitlab'], true],
    ['password', ['password', 'address', 'github'], true],
    ['password', ['password', 'address', 'gitlab'], false],
    ['password', ['password', 'address', 'gitlab', 'passkey'], true],
    ['password', ['password', 'address', 'gitlab'], true, { account: { accountLinking: { allowUnlinkingAll: true } } }],
  ])('%s of %j may go: %s (%j)', async (removed, has, allowed, config = {}) => {
    const person = await userWith(newApp(config), has)
    const answer = await take[removed]!(person)
    expect(outcome(answer)).toEqual(allowed ? { status: 200, code: null } : lastWay)
  })

  it('the specification fixes the error for the last account, with other sign-in methods too', async () => {
    const person = await userWith(newApp(), ['github', 'number', 'passkey'])
    expect(outcome(await take.github!(person))).toEqual({ status: 400, code: 'YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT' })
  })

  it('is not replaced by an unproven number either', async () => {
    const { device, id } = await userWith(newApp(), ['number'])
    expect(outcome(await device.post('/update-user', { phoneNumber: '+4915187654321' }))).toEqual(lastWay)
    expect(await rowOf('users', { id })).toMatchObject({ phoneNumber: number, phoneNumberVerified: true })
  })

  it('a user without one, such as a guest, loses none: names can change', async () => {
    const device = newApp().device()
    await device.post('/sign-in/anonymous')
    for (const change of [{ phoneNumber: number }, { phoneNumber: '+4915187654321' }, { phoneNumber: null }]) {
      expect(outcome(await device.post('/update-user', change))).toEqual({ status: 200, code: null })
    }
    for (const change of [{ username: 'guest_one' }, { username: null }]) {
      expect(outcome(await device.post('/update-user', change))).toEqual({ status: 200, code: null })
    }
  })

  it('other changes cost what they did', async () => {
    const { device } = await userWith(newApp(), ['number'])
    const { status, io } = await device.post('/update-user', { name: 'Another name' })
    expect({ status, d1: io.d1![0] }).toEqual({ status: 200, d1: 2 })
  })

  it('an administrator does not remove it either', async () => {
    const app = newApp()
    const boss = await administrator(app)
    const person = await userWith(app, ['number'])
    const update = () => boss.device.post('/admin/update-user', { userId: person.id, data: { phoneNumber: null } })
    expect(outcome(await update())).toEqual(lastWay)
    expect(await count('audit_records')).toBe(0)
    await give.passkey(person)
    expect(outcome(await update())).toEqual({ status: 200, code: null })
  })

  it.each<[Way, Way]>([
    ['number', 'passkey'],
    ['passkey', 'number'],
    ['github', 'passkey'],
    ['username', 'number'],
  ])('of %s and %s, removed at the same moment, one stays', async (one, other) => {
    const app = newApp()
    // Two accounts, of which one is a sign-in method, and a username that is one.
    const beside: Way[] = one === 'github' ? ['gitlab'] : one === 'username' ? ['password'] : []
    for (let n = 0; n < 5; n++) {
      const person = await userWith(app, [one, other, ...beside])
      const answers = await Promise.all([one, other].map((way) => take[way]!(person)))
      expect(answers.map(outcome).sort((a, b) => a.status - b.status)).toEqual([{ status: 200, code: null }, lastWay])
      await deleteUsers()
    }
  })
})
