import { describe, expect, it, vi } from 'vitest'
import { declaredEndpoints, featureFolders, operationOf, operationsIn } from './cases.ts'
import { expectSound, faultCases } from './fault-cases.ts'
import { FaultInjector } from './faults.ts'
import { env, TestApp } from './harness.ts'
import { authorizationRequest, authorize, pkce, postForm, registerClient } from './oauth.ts'
import { signUp } from './people.ts'
import { sample } from './sample.ts'
import { newPerson } from './set-ups.ts'
import { deleteUsers } from './states.ts'

describe.each(sample(faultCases, 25))('%s, with one piece of I/O that fails', (_name, one) => {
  it('ends well or as a 503, and can be repeated', () => expectSound(one))
})

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

describe('a user who is deleted during their request', () => {
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
  it('of D1 does not count as a guess: 25 right passwords, then one that works', async () => {
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
