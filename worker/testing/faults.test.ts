import { describe, expect, it, vi } from 'vitest'
import { mergeOptions } from '../kit/options.ts'
import { allCases, declaredEndpoints, type FaultCase, featureFolders, operationOf, operationsIn } from './cases.ts'
import { type Fault, FaultInjector } from './faults.ts'
import { type Answer, type Device, env, TestApp } from './harness.ts'
import { authorizationRequest, authorize, pkce, postForm, registerClient } from './oauth.ts'
import { type Person, signUp } from './people.ts'
import { sample } from './sample.ts'
import { newPerson } from './set-ups.ts'
import { deleteUsers } from './states.ts'

/**
 * Each case is a use case in which one I/O call fails. The test lets each call fail before and after its execution, a
 * call that only reads once, with the errors of the platform in turn. It expects a success, or a 503 that sets no session.
 * The user can retry, and the data stays consistent. After a failure that left everything unchanged, the next one begins
 * with the same user, because the set-up takes longer than the use case.
 */
const faultCases = featureFolders.flatMap(({ cases, config }) =>
  cases.flatMap(({ faults = {} }) =>
    Object.entries(faults).map(([name, one]): [string, FaultCase] => [
      name,
      { ...one, config: mergeOptions(config, one.config ?? {}) },
    ]),
  ),
)

/** Expects consistent data. */
async function expectWhole(): Promise<void> {
  const queries = allCases.flatMap(({ inconsistent = {} }) => Object.entries(inconsistent))
  const found = await env.DB.batch(queries.map(([, query]) => env.DB.prepare(query)))
  expect(queries.filter((_, at) => found[at]!.results.length > 0).map(([name]) => name)).toEqual([])
}

const sessionsIn = ({ cookies }: Answer) =>
  cookies.filter((line) => line.includes('session_token=') && !line.includes('Max-Age=0'))

/** The number of the last audit record. */
const lastRecord = async () => (await env.DB.prepare('select max(seq) as n from audit_records').first<number>('n')) ?? 0

describe.each(sample(faultCases, 25))(
  '%s, with one piece of I/O that fails',
  (_name, { endpoint, before, input = (given) => given, headers, afterwards = [], mails = false, config }) => {
    const [method, path] = endpoint.split(' ') as ['GET' | 'POST', string]
    const act = (device: Device, person: Person, given: unknown): Promise<Answer> => {
      const fields = input(given as never, person)
      return method === 'GET'
        ? device.get(path, { query: fields as Record<string, string>, ...(headers && { headers }) })
        : device.post(path, fields, headers && { headers })
    }

    it('ends well or as a 503, and can be repeated', async () => {
      vi.spyOn(console, 'error').mockImplementation(() => {})
      vi.spyOn(console, 'warn').mockImplementation(() => {})
      const faults = new FaultInjector()
      const app = new TestApp({ ...config, rateLimit: { enabled: false } }, faults.bindings(), false)
      const prepare = async () => {
        const person = newPerson()
        return { person, ...(await before(app, person)) }
      }
      type Prepared = Awaited<ReturnType<typeof prepare>>
      const run = async ({ device, person, given }: Prepared, fault: Fault | null) => {
        if (fault) faults.arm(fault)
        else faults.watch()
        const answer = await act(device, person, given)
        const [calls, reads, wrote] = [[...faults.calls], [...faults.reads], faults.wrote]
        faults.watch()
        return { answer, calls, reads, wrote }
      }
      const first = await prepare()
      const earlier = await lastRecord()
      const { answer: plain, calls, reads } = await run(first, null)
      expect(plain.status, JSON.stringify(plain.body)).toBeLessThan(400)
      const declared = declaredEndpoints.find((one) => operationOf(one) === endpoint)!
      if (declared.audit) expect(await lastRecord(), 'audit records').toBeGreaterThan(earlier)

      const all = reads.flatMap((isRead, at): Fault[] => [
        { at: at + 1, when: 'before' },
        ...(isRead ? [] : [{ at: at + 1, when: 'after' } as const]),
      ])
      const attempts = sample(all, 3)
      let prepared: Prepared | null = null
      for (const [n, { at, when }] of attempts.entries()) {
        const what = `${calls[at - 1]} (${at} of ${calls.length}) fails ${when} it was done`
        prepared ??= await prepare()
        const { person, device, given } = prepared
        const { answer, wrote } = await run(prepared, { at, when })
        const told = answer.headers.get('location')?.match(/[?&]error=([^&]*)/)?.[1]
        // An authorization request returns the error in the redirect to its client (RFC 6749, section 4.1.2.1).
        expect(['server_error', undefined], what).toContain(told)
        const failed = answer.status >= 400 || told
        if (failed) {
          if (!told) {
            expect({ what, status: answer.status, body: answer.body }).toEqual({
              what,
              status: 503,
              body: { code: 'UNAVAILABLE', message: expect.any(String) },
            })
            expect(answer.headers.get('retry-after'), what).toBe('5')
          }
          expect({ what, sessions: sessionsIn(answer) }).toEqual({ what, sessions: [] })
        }
        // Nothing has changed: the next failure meets the same state, and the repetition after it repeats this one too.
        if (failed && !wrote && !mails && attempts[n + 1]?.when === 'before') continue
        if (failed) {
          const again = await act(device, person, given)
          const code =
            again.headers.get('location')?.match(/[?&]error=([^&]*)/)?.[1] ?? again.body?.code ?? again.body?.error
          if (again.status >= 400 || code)
            expect([...afterwards, undefined], `${what}; then ${again.status}`).toContain(code)
          if (when === 'before')
            expect({ what, succeeded: again.status < 400 && !code, body: again.body }).toEqual({
              what,
              succeeded: true,
              body: again.body,
            })
        }
        if (mails)
          expect({ what, mails: (await app.mailbox()).map(({ to }) => to) }).toEqual({
            what,
            mails: expect.arrayContaining([person.email]),
          })
        prepared = null
      }
      // The users of all attempts are still there.
      await app.runScheduled()
      await expectWhole()
      vi.restoreAllMocks()
    })
  },
)

it('every endpoint that writes has a row', () => {
  const writing = declaredEndpoints.filter(({ changes }) => changes.length > 0)
  expect(writing.length).toBeGreaterThan(100)
  // Also no row or exemption without an endpoint: a feature has those of its own endpoints.
  for (const { name, cases, endpoints } of featureFolders) {
    const rows = cases.flatMap(({ faults = {} }) => Object.values(faults).map(({ endpoint }) => endpoint))
    const exempt = cases.flatMap(({ withoutFaults }) => operationsIn(withoutFaults))
    const declared = endpoints.filter(({ changes }) => changes.length > 0).map(operationOf)
    expect({ [name]: [...new Set([...rows, ...exempt])].sort() }).toEqual({ [name]: [...new Set(declared)].sort() })
    expect(exempt.filter((one) => rows.includes(one))).toEqual([])
  }
})

describe('whoever is deleted while they act', () => {
  it('503, and nothing is written; then 401', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const faults = new FaultInjector()
    const app = new TestApp({ rateLimit: { enabled: false } }, faults.bindings(), false)
    const device = await signUp(app, newPerson())
    const create = () => device.post('/organization/create', { name: 'Acme', slug: `acme-${crypto.randomUUID()}` })
    faults.watch()
    expect((await create()).status).toBe(200)
    faults.before(faults.calls.lastIndexOf('D1 batch') + 1, () => deleteUsers())
    const { status, body } = await create()
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'UNAVAILABLE' })
    faults.watch()
    expect(await env.DB.prepare('select count(*) as n from members').first('n')).toBe(0)
    expect((await create()).status).toBe(401)
    vi.restoreAllMocks()
  })
})

describe('an outage', () => {
  it('of D1 takes no guess from anybody: 25 right passwords, then one that works', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const faults = new FaultInjector()
    const app = new TestApp({ rateLimit: { enabled: false } }, faults.bindings(), false)
    const person = newPerson()
    await signUp(app, person)
    const device = app.device()
    faults.outage('D1')
    for (let n = 0; n < 25; n++) expect((await device.post('/sign-in/email', person)).status).toBe(503)
    faults.watch()
    expect((await device.post('/sign-in/email', person)).status).toBe(200)
    vi.restoreAllMocks()
  })

  it('of D1 takes no guess at a code either: 12 right ones, then one that works', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const faults = new FaultInjector()
    const open = { rateLimit: { enabled: false }, phoneNumber: { signUpOnVerification: true } }
    const app = new TestApp(open, faults.bindings(), false)
    const { email } = newPerson()
    const phoneNumber = '+15550007777'
    await app.device().post('/email-otp/send-verification-otp', { email, type: 'sign-in' })
    await app.device().post('/phone-number/send-otp', { phoneNumber })
    const codeTo = async (to: string) => (await app.mailbox()).find((entry) => entry.to === to)!.codes[0]
    const uses = [
      ['/sign-in/email-otp', { email, otp: await codeTo(email) }],
      ['/phone-number/verify', { phoneNumber, code: await codeTo(phoneNumber) }],
    ] as const
    for (const [path, body] of uses) {
      faults.outage('D1')
      for (let n = 0; n < 12; n++) expect((await app.device().post(path, body)).status).toBe(503)
      faults.watch()
      expect((await app.device().post(path, body)).status).toBe(200)
    }
    vi.restoreAllMocks()
  })

  it('of the objects uses up no consent and no answer to a device', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const faults = new FaultInjector()
    const app = new TestApp({ rateLimit: { enabled: false } }, faults.bindings(), false)
    const device = await signUp(app, newPerson())
    const client = await registerClient(device, {
      grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
      token_endpoint_auth_method: 'none',
    })
    const { request } = pkce()
    await authorize(device, authorizationRequest(client, request))
    const begun = await postForm(app, '/oauth2/device_authorization', { client_id: client.client_id, scope: 'openid' })
    const agreeing = () => device.post('/oauth2/consent', { accept: true })
    const answering = () => device.post('/oauth2/device/answer', { user_code: begun.body.user_code, accept: true })
    faults.outage('ONE_TIME put')
    const statuses = async () => ({ consent: (await agreeing()).status, device: (await answering()).status })
    expect(await statuses()).toEqual({ consent: 503, device: 503 })
    faults.watch()
    expect(await statuses()).toEqual({ consent: 200, device: 200 })
    vi.restoreAllMocks()
  })

  it('of KV and of the counters lets ordinary requests pass', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const faults = new FaultInjector()
    const app = new TestApp({ rateLimit: { storage: 'durable-object' } }, faults.bindings(), false)
    const device = await signUp(app, newPerson())
    faults.outage('COUNTER')
    expect((await device.get('/list-sessions')).status).toBe(200)
    faults.outage('KV')
    expect((await device.get('/list-sessions')).status).toBe(200)
    vi.restoreAllMocks()
  })

  it.each(['/reset-password/some-token?callbackURL=/', '/magic-link/verify?token=x', '/delete-user/callback?token=x'])(
    'is a page for a browser that follows a link, without a word about what failed: %s',
    async (link) => {
      const log = vi.spyOn(console, 'error').mockImplementation(() => {})
      const faults = new FaultInjector()
      const app = new TestApp({}, faults.bindings(), false)
      const device = await signUp(app, newPerson())
      faults.outage(link.startsWith('/magic-link') ? 'KV' : 'D1')
      const headers = { 'sec-fetch-mode': 'navigate', accept: 'text/html' }
      const answer = await device.get(link, { headers })
      expect({ status: answer.status, retryAfter: answer.headers.get('retry-after') }).toEqual({
        status: 503,
        retryAfter: '5',
      })
      expect(answer.headers.get('content-type')).toContain('text/html')
      expect(answer.body).not.toContain('injected')
      expect(log.mock.calls.join()).toContain('injected')
      vi.restoreAllMocks()
    },
  )
})

describe('the log of a fault', () => {
  it('has the cause, and neither parameters nor tokens', async () => {
    const lines: string[] = []
    for (const level of ['error', 'warn', 'info'] as const) {
      vi.spyOn(console, level).mockImplementation((line) => lines.push(String(line)))
    }
    const faults = new FaultInjector()
    const app = new TestApp({ rateLimit: { enabled: false } }, faults.bindings(), false)
    const person = newPerson()
    const device = await signUp(app, person)
    const token = device.cookie('session_token')!.split('.')[0]!
    faults.outage('D1')
    await device.get('/list-sessions')
    await app.device().post('/sign-in/email', person)
    await app.device().post('/sign-up/email', newPerson())
    const text = lines.join('\n')
    expect(text).toContain('injected: D1')
    expect(text).not.toContain(token)
    expect(text).not.toContain('@example.com')
    expect(text).not.toMatch(/params|insert into|select "/)
    vi.restoreAllMocks()
  })
})
