import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { codeOf } from '../../testing/authenticator.ts'
import { type Fault, FaultInjector } from '../../testing/faults.ts'
import { type Answer, type Device, env, TestApp } from '../../testing/harness.ts'
import { type Person, signUp } from '../../testing/people.ts'
import { challenge, type Protected, signUpProtected, stopClock } from '../../testing/two-factor.ts'

/**
 * What becomes of the second factor when one piece of I/O fails, before it was done or after: the answer is a success
 * or a 503 without a session, nothing is half done, and the person can go on.
 */

// Every fault is a person of its own, with several password hashes.
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
const somebody = (): Person => ({
  name: 'Somebody',
  email: `somebody-${++people}@example.com`,
  password: 'password1234',
})

const rows = async (sql: string, ...values: unknown[]) =>
  (
    await env.DB.prepare(sql)
      .bind(...values)
      .all<Record<string, any>>()
  ).results

/** What is stored of one person. */
async function stored({ email }: Person) {
  const [user] = await rows('select id, two_factor_enabled as enabled from users where email = ?', email)
  const [record] = await rows('select backup_codes from two_factors where user_id = ? and confirmed', user!.id)
  const count = async (table: string) => (await rows(`select 1 from ${table} where user_id = ?`, user!.id)).length
  return {
    enabled: user!.enabled === 1,
    codes: record ? (JSON.parse(record.backup_codes) as string[]).length : 0,
    sessions: await count('sessions'),
    devices: await count('trusted_devices'),
  }
}

interface UseCase {
  config?: object
  before(app: TestApp, person: Person): Promise<{ device: Device; given?: unknown }>
  act(device: Device, person: Person, given: never): Promise<Answer>
  /** What a repeated call may answer besides a success, when the first was done and its answer lost. */
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

describe.each(Object.entries(useCases))('%s, with one piece of I/O that fails', (_name, useCase) => {
  it('is done or not done, as a whole', async () => {
    const { before, act, afterwards = [], config = {} } = useCase
    const faults = new FaultInjector()
    const app = new TestApp({ rateLimit: { enabled: false }, ...config }, faults.bindings())
    const run = async (fault: Fault | null) => {
      const person = somebody()
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
    expect([plain.answer.status, plain.answer.body]).toEqual([200, plain.answer.body])
    for (let at = 1; at <= plain.calls.length; at++) {
      for (const when of ['before', 'after'] as const) {
        const what = `${plain.calls[at - 1]} (${at} of ${plain.calls.length}) fails ${when} it was done`
        const { answer, device, person, given, was, is } = await run({ at, when })
        expect([
          [what, was],
          [what, plain.is],
        ]).toContainEqual([what, is])
        if (answer.status < 400) continue
        expect([what, answer.status, sessionsIn(answer)]).toEqual([what, 503, []])
        const again = await act(device, person, given as never)
        if (when === 'before') expect([what, again.status, again.body]).toEqual([what, 200, again.body])
        if (again.status >= 400) expect(afterwards, what).toContain(again.body.code)
      }
    }
  })
})

describe('an outage of D1', () => {
  it('takes no guess: right codes are given back, and one of each works afterwards', async () => {
    const faults = new FaultInjector()
    const app = new TestApp({ rateLimit: { enabled: false } }, faults.bindings())
    const person = somebody()
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
        // What is read is answered; the batch that would sign in is not written.
        faults.outage('D1 batch')
        expect([path, (await give()).status]).toEqual([path, 503])
      }
      faults.outage('D1')
      for (let time = 0; time < 20; time++) expect([path, (await give()).status]).toEqual([path, 503])
      faults.watch()
      expect([path, (await give()).status]).toEqual([path, 200])
    }
  })

  it('that begins while new backup codes are stored leaves the old ones, or answers the new ones', async () => {
    const faults = new FaultInjector()
    const app = new TestApp({ rateLimit: { enabled: false } }, faults.bindings())
    const person = somebody()
    const { device, backupCodes } = await signUpProtected(app, person)
    const generate = () => device.post('/two-factor/generate-backup-codes', { password: person.password })
    faults.arm({ at: 4, when: 'after' })
    const { status, body } = await generate()
    expect([status, faults.calls.length]).toEqual([200, 5])
    faults.watch()
    const old = await (await challenge(app, person)).post('/two-factor/verify-backup-code', { code: backupCodes[0] })
    expect(old.body.code).toBe('INVALID_BACKUP_CODE')
    const code = body.backupCodes[0]
    expect((await (await challenge(app, person)).post('/two-factor/verify-backup-code', { code })).status).toBe(200)
  })
})
