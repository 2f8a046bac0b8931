import { runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAuthenticator } from '../../../client/sdk/authenticator/authenticator.ts'
import { maxOutage, patience } from '../../platform/circuit.ts'
import { serverKey } from '../../testing/api-keys.ts'
import { FaultInjector } from '../../testing/faults.ts'
import { type Answer, type Device, env, origin, TestApp } from '../../testing/harness.ts'
import { alice, bob, signIn, signUp } from '../../testing/people.ts'
import { newPerson } from '../../testing/set-ups.ts'

// Each TestApp is an isolate of its own. A frozen database never answers, and timers run by the clock of the test.
let started = Date.now()

beforeEach(() => {
  // Answers of the feed that an earlier test left in the cache are too old.
  started += 7_200_000
  vi.useFakeTimers({ toFake: ['Date'], now: started })
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)
const cacheAge = 300

const start = (config: object = {}) => {
  const faults = new FaultInjector()
  return { faults, app: new TestApp({ rateLimit: { enabled: false }, ...config }, faults.bindings(), false) }
}

/** The same browser, whose requests arrive at another isolate. */
function elsewhere(device: Device, app: TestApp): Device {
  const other = app.device(device.ip)
  for (const [name, value] of device.jar) other.jar.set(name, value)
  return other
}

const emailOf = ({ body }: Answer) => body?.user?.email ?? null

describe('while the database does not answer, get-session', () => {
  it('responds from the cookie for ten minutes after its expiry, and does not sign out', async () => {
    const { faults, app } = start()
    const device = await signUp(app, alice)
    pass(cacheAge - 1)
    faults.outage('D1')
    for (let minute = 0; minute < maxOutage / 60; minute++) {
      expect(emailOf(await device.get('/get-session'))).toBe(alice.email)
      pass(60)
    }
    pass(2)
    const { status, cookies } = await device.get('/get-session')
    expect({ status, cookies }).toEqual({ status: 503, cookies: [] })
    faults.watch()
    expect(emailOf(await device.get('/get-session'))).toBe(alice.email)
  })

  it('responds so at an isolate that has just started', async () => {
    const device = await signUp(start().app, alice)
    pass(cacheAge + 60)
    const { faults, app } = start()
    faults.outage('D1')
    expect(emailOf(await elsewhere(device, app).get('/get-session'))).toBe(alice.email)
  })

  it('keeps the browser from deleting the cookie before', async () => {
    const device = await signUp(start().app, alice)
    const { cookies } = await device.get('/get-session', { query: { disableCookieCache: 'true' } })
    const data = cookies.find((line) => line.includes('session_data='))
    expect(data).toContain(`Max-Age=${cacheAge + maxOutage};`)
  })

  it('does not respond from a cookie whose session has expired, nor to a caller who requests a read of the database', async () => {
    const { faults, app } = start({ session: { expiresIn: 400, updateAge: 86_400, cookieCache: { maxAge: 300 } } })
    const device = await signUp(app, alice)
    faults.outage('D1')
    pass(350)
    expect(emailOf(await device.get('/get-session'))).toBe(alice.email)
    expect((await device.get('/get-session', { query: { disableCookieCache: 'true' } })).status).toBe(503)
    pass(51)
    expect((await device.get('/get-session')).status).toBe(503)
  })

  it('does not respond from an expired cookie while the database answers', async () => {
    const { app } = start()
    const device = await signUp(app, alice)
    const copy = elsewhere(device, app)
    await env.DB.prepare('delete from sessions').run()
    pass(cacheAge + 1)
    expect((await copy.get('/get-session')).body).toBeNull()
  })

  it.each([
    ['shortly before the outage', 0],
    ['when its cookie had nearly expired', cacheAge - 10],
  ])('refuses a session that ended %s, also minutes after the expiry of its cookie', async (_, age) => {
    const { faults, app } = start()
    const device = await signUp(app, alice)
    const copy = elsewhere(device, app)
    pass(age)
    await device.post('/sign-out')
    // This isolate reads the feed before the outage.
    const { faults: others, app: earlier } = start()
    await elsewhere(await signUp(app, bob), earlier).get('/get-session')
    pass(cacheAge + maxOutage - age - 20)
    await runInDurableObject(env.ENDED_SESSIONS.getByName('all'), (object) => object.alarm())
    faults.outage('D1')
    others.outage('D1')
    expect((await copy.get('/get-session')).status).toBe(503)
    expect((await elsewhere(copy, earlier).get('/get-session')).status).toBe(503)
  })

  it('refuses a session whose end the feed may have deleted', async () => {
    const { faults, app } = start()
    const device = await signUp(app, alice)
    const other = await signUp(app, bob)
    pass(cacheAge + 60)
    faults.outage('D1')
    expect(emailOf(await device.get('/get-session'))).toBe(alice.email)
    const { scope, settle } = app.openScope()
    scope.shared.ended.completeFrom = Date.now() - 30_000
    await settle()
    expect((await device.get('/get-session')).status).toBe(503)
    expect((await other.get('/get-session')).status).toBe(503)
  })

  it('is 503 if the feed does not answer either', async () => {
    const device = await signUp(start().app, alice)
    pass(cacheAge + 60)
    const { faults, app } = start()
    faults.outage('')
    expect((await elsewhere(device, app).get('/get-session')).status).toBe(503)
  })
})

it('the key set comes from memory while the database does not answer, for ten minutes', async () => {
  const { faults, app } = start()
  const keys = () => app.device().get('/jwks')
  const { body } = await keys()
  faults.outage('D1')
  pass(599)
  expect(await keys()).toMatchObject({ status: 200, body })
  pass(2)
  expect((await keys()).status).toBe(503)
})

describe('a frozen database', () => {
  /** Sends requests and lets the clock run until they have an answer. @returns the answers and their milliseconds */
  async function answersTo(requests: (() => Promise<Answer>)[]) {
    const begun = Date.now()
    let open = requests.length
    const answers = requests.map(async (request) => {
      const answer = await request()
      open--
      return { answer, after: Date.now() - begun }
    })
    while (open > 0) {
      await vi.advanceTimersByTimeAsync(50)
      await scheduler.wait(1)
    }
    return Promise.all(answers)
  }

  it('for 80 seconds under load: each cached read is right, a sign-in is 503 within two seconds, and no account is locked', async () => {
    const { faults, app } = start()
    const people = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const person = newPerson()
        const device = await signUp(app, person)
        const { id } = (await device.get('/get-session')).body.user
        const { key } = await serverKey(app, { userId: id }, { access: 'full', rateLimitEnabled: false })
        const program = app.device()
        program.headers['x-api-key'] = key
        // This isolate has verified the key and the token before.
        await program.get('/get-session')
        const { token } = (await device.get('/token')).body
        return { person, device, program, authorization: `Bearer ${token}` }
      }),
    )
    const product = createAuthenticator({
      url: origin,
      fetch: (async (input: string, init?: RequestInit) => {
        const { status, headers, body } = await app.fetch(new Request(String(input), init))
        return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
      }) as typeof fetch,
    })
    const verifiedBy = async (authorization: string): Promise<Answer> => {
      const headers = new Headers({ authorization })
      const caller = await product.authenticate({ url: 'https://app.example.com/', method: 'GET', headers })
      return { body: caller } as unknown as Answer
    }
    for (const { person, authorization } of people) expect(emailOf(await verifiedBy(authorization))).toBe(person.email)
    // The cookies expire during the outage.
    pass(cacheAge - 40)
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.now() })
    faults.freeze('D1')
    const frozenAt = Date.now()
    let signIns = 0
    while (Date.now() - frozenAt < 80_000) {
      const reads = people.flatMap(({ device, program, authorization }) => [
        () => device.get('/get-session'),
        () => program.get('/get-session'),
        () => verifiedBy(authorization),
      ])
      const attempts = people.map(
        ({ person }) =>
          () =>
            app.device().post('/sign-in/email', person),
      )
      const answers = await answersTo([...reads, ...attempts])
      signIns += attempts.length
      answers.forEach(({ answer, after }, n) => {
        if (n < reads.length) expect(emailOf(answer)).toBe(people[Math.floor(n / 3)]!.person.email)
        else {
          expect(answer.status).toBe(503)
          expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
        }
        expect(after).toBeLessThanOrEqual(2000)
      })
      await vi.advanceTimersByTimeAsync(5000)
    }
    expect(signIns).toBeGreaterThan(40)
    faults.watch()
    await vi.advanceTimersByTimeAsync(patience)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    for (const { person, device, program, authorization } of people) {
      expect(emailOf(await device.get('/get-session'))).toBe(person.email)
      expect(emailOf(await program.get('/get-session'))).toBe(person.email)
      expect(emailOf(await verifiedBy(authorization))).toBe(person.email)
      expect((await device.get('/list-sessions')).status).toBe(200)
      expect((await signIn(app, person)).jar.size).toBeGreaterThan(0)
    }
  })
})
