import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { codeOf } from '../../testing/authenticator.ts'
import { type Fault, FaultInjector } from '../../testing/faults.ts'
import { type Answer, type Device, TestApp } from '../../testing/harness.ts'
import { type Person, signUp } from '../../testing/people.ts'
import { count, rowOf } from '../../testing/rows.ts'
import { sample } from '../../testing/sample.ts'
import { challenge, type Protected, signUpProtected, stopClock } from '../../testing/two-factor.ts'

/**
 * The second factor when one I/O operation fails, before or after it takes effect: the response is a success or a 503
 * without a session, every change is complete or absent, and the user can continue.
 */

// Each fault has a separate user with several password hashes.
vi.setConfig({ testTimeout: 120_000 })

beforeEach(() => {
  stopClock()
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

let people = 0
const newPerson = (): Person => ({
  name: 'User',
  email: `user-${++people}@example.com`,
  password: 'password1234',
})

/** The stored data of one user. */
async function stored({ email }: Person) {
  const { id: userId, twoFactorEnabled } = (await rowOf('users', { email }))!
  const record = await rowOf('two_factors', { userId, confirmed: true })
  return {
    enabled: twoFactorEnabled,
    codes: record ? record.backupCodes.length : 0,
    sessions: await count('sessions', { userId }),
    devices: await count('trusted_devices', { userId }),
  }
}

interface UseCase {
  config?: object
  before(app: TestApp, person: Person): Promise<{ device: Device; given?: unknown }>
  act(device: Device, person: Person, given: never): Promise<Answer>
  /** Other valid responses to a repeated call, when the first call succeeded and its response was lost. */
  afterwards?: string[]
}

const waiting = async (app: TestApp, person: Person, given: (owner: Protected) => unknown) => {
  const owner = await signUpProtected(app, person)
  return { device: await challenge(app, person), given: await given(owner) }
}

const useCases: Record<string, UseCase> = {
  'the password step': {
    before: async (app, person) => {
      await signUpProtected(app, person)
      return { device: app.device() }
    },
    act: (device, { email, password }) => device.post('/sign-in/email', { email, password }),
  },
  'a sign-in on a trusted device': {
    before: async (app, person) => {
      const { device, given } = await waiting(app, person, ({ totpURI }) => codeOf(totpURI))
      await device.post('/two-factor/verify-totp', { code: given, trustDevice: true })
      return { device }
    },
    act: (device, { email, password }) => device.post('/sign-in/email', { email, password }),
  },
  'a code of the app': {
    before: (app, person) => waiting(app, person, ({ totpURI }) => codeOf(totpURI)),
    act: (device, _person, code) => device.post('/two-factor/verify-totp', { code, trustDevice: true }),
    afterwards: ['INVALID_TWO_FACTOR_COOKIE', 'INVALID_CODE'],
  },
  'a mailed code': {
    before: async (app, person) => {
      const { device } = await waiting(app, person, () => null)
      await device.post('/two-factor/send-otp')
      return { device, given: (await app.mailbox()).find(({ to, codes }) => to === person.email && codes[0])!.codes[0] }
    },
    act: (device, _person, code) => device.post('/two-factor/verify-otp', { code, trustDevice: true }),
    afterwards: ['INVALID_TWO_FACTOR_COOKIE'],
  },
  'a backup code': {
    before: (app, person) => waiting(app, person, ({ backupCodes }) => backupCodes[0]),
    act: (device, _person, code) => device.post('/two-factor/verify-backup-code', { code, trustDevice: true }),
    afterwards: ['INVALID_TWO_FACTOR_COOKIE'],
  },
  'sending a code': {
    before: (app, person) => waiting(app, person, () => null),
    act: (device) => device.post('/two-factor/send-otp'),
  },
  'the first code': {
    before: async (app, person) => {
      const device = await signUp(app, person)
      const { body } = await device.post('/two-factor/enable', { password: person.password })
      return { device, given: await codeOf(body.totpURI) }
    },
    act: (device, _person, code) => device.post('/two-factor/verify-totp', { code }),
    // The old session has ended with the change.
    afterwards: ['INVALID_TWO_FACTOR_COOKIE', 'INVALID_CODE'],
  },
  'enabling without a first code': {
    config: { twoFactor: { skipVerificationOnEnable: true } },
    before: async (app, person) => ({ device: await signUp(app, person) }),
    act: (device, { password }) => device.post('/two-factor/enable', { password }),
    afterwards: ['UNAUTHORIZED'],
  },
  enabling: {
    before: async (app, person) => ({ device: await signUp(app, person) }),
    act: (device, { password }) => device.post('/two-factor/enable', { password }),
  },
  disabling: {
    before: async (app, person) => ({ device: (await signUpProtected(app, person)).device }),
    act: (device, { password }) => device.post('/two-factor/disable', { password }),
    afterwards: ['UNAUTHORIZED'],
  },
  'new backup codes': {
    before: async (app, person) => ({ device: (await signUpProtected(app, person)).device }),
    act: (device, { password }) => device.post('/two-factor/generate-backup-codes', { password }),
  },
  'forgetting devices': {
    before: async (app, person) => ({ device: (await signUpProtected(app, person)).device }),
    act: (device) => device.post('/two-factor/forget-devices'),
  },
}

const sessionsIn = ({ cookies }: Answer) =>
  cookies.filter((line) => /session_token=|trust_device=|two_factor=/.test(line) && !line.includes('Max-Age=0'))

describe.each(sample(Object.entries(useCases), 3))('%s, with one piece of I/O that fails', (_name, useCase) => {
  it('is done or not done, as a whole', async () => {
    const { before, act, afterwards = [], config = {} } = useCase
    const faults = new FaultInjector()
    const app = new TestApp({ rateLimit: { enabled: false }, ...config }, faults.bindings())
    const run = async (fault: Fault | null) => {
      const person = newPerson()
      const { device, given } = await before(app, person)
      const was = await stored(person)
      if (fault) faults.arm(fault)
      else faults.watch()
      const answer = await act(device, person, given as never)
      const calls = [...faults.calls]
      faults.watch()
      return { answer, calls, device, person, given, was, is: await stored(person) }
    }
    const plain = await run(null)
    expect({ status: plain.answer.status, body: plain.answer.body }).toEqual({ status: 200, body: plain.answer.body })
    for (let at = 1; at <= plain.calls.length; at++) {
      for (const when of ['before', 'after'] as const) {
        const what = `${plain.calls[at - 1]} (${at} of ${plain.calls.length}) fails ${when} it was done`
        const { answer, device, person, given, was, is } = await run({ at, when })
        expect([
          [what, was],
          [what, plain.is],
        ]).toContainEqual([what, is])
        if (answer.status < 400) continue
        expect({ what, status: answer.status, sessions: sessionsIn(answer) }).toEqual({
          what,
          status: 503,
          sessions: [],
        })
        const again = await act(device, person, given as never)
        if (when === 'before')
          expect({ what, status: again.status, body: again.body }).toEqual({ what, status: 200, body: again.body })
        if (again.status >= 400) expect(afterwards, what).toContain(again.body.code)
      }
    }
  })
})

describe('an outage of D1', () => {
  it('takes no guess: right codes are given back, and one of each works afterwards', async () => {
    const faults = new FaultInjector()
    const app = new TestApp({ rateLimit: { enabled: false } }, faults.bindings())
    const person = newPerson()
    const { totpURI, backupCodes } = await signUpProtected(app, person)
    const devices = await Promise.all([challenge(app, person), challenge(app, person), challenge(app, person)])
    await devices[1].post('/two-factor/send-otp')
    const mailed = (await app.mailbox())[0]!.codes[0]
    const attempts = [
      ['verify-totp', await codeOf(totpURI)],
      ['verify-otp', mailed],
      ['verify-backup-code', backupCodes[0]],
    ] as const
    for (const [n, [path, code]] of attempts.entries()) {
      const give = () => devices[n]!.post(`/two-factor/${path}`, { code })
      for (let time = 0; time < 20; time++) {
        // The reads succeed; the batch that would sign in is not written.
        faults.outage('D1 batch')
        expect({ path, status: (await give()).status }).toEqual({ path, status: 503 })
      }
      faults.outage('D1')
      for (let time = 0; time < 20; time++)
        expect({ path, status: (await give()).status }).toEqual({ path, status: 503 })
      faults.watch()
      expect({ path, status: (await give()).status }).toEqual({ path, status: 200 })
    }
  })

  it('that begins while new backup codes are stored leaves the old ones, or answers the new ones', async () => {
    const faults = new FaultInjector()
    const app = new TestApp({ rateLimit: { enabled: false } }, faults.bindings())
    const person = newPerson()
    const { device, backupCodes } = await signUpProtected(app, person)
    const generate = () => device.post('/two-factor/generate-backup-codes', { password: person.password })
    faults.arm({ at: 5, when: 'after' })
    const { status, body } = await generate()
    // The guess is counted before the write, and the notice is mailed after the response.
    const [counted, mailed] = faults.calls.flatMap((call, at) => (call === 'COUNTER hit' ? [at] : []))
    const writes = faults.calls.slice(counted, mailed).filter((call) => call === 'D1 batch').length
    // The write whose result was lost is repeated.
    expect({ status, writes }).toEqual({ status: 200, writes: 2 })
    faults.watch()
    const old = await (await challenge(app, person)).post('/two-factor/verify-backup-code', { code: backupCodes[0] })
    expect(old.body.code).toBe('INVALID_BACKUP_CODE')
    const code = body.backupCodes[0]
    expect((await (await challenge(app, person)).post('/two-factor/verify-backup-code', { code })).status).toBe(200)
  })
})
