import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../../configuration/read-config.ts'
import { BoundBrowser, newKey, readChallenge, readOffer, signProof } from '../../../testing/bound-browser.ts'
import { type Answer, type Device, outcome, TestApp } from '../../../testing/harness.ts'
import { alice } from '../../../testing/people.ts'
import { rowOf } from '../../../testing/rows.ts'
import { passTime, stopClock } from '../../../testing/two-factor.ts'

const newApp = (changes: Config = {}) =>
  new TestApp({ session: { deviceBound: 'offer' }, rateLimit: { enabled: false }, ...changes })

const page = { 'sec-fetch-site': 'same-origin' }
const refusal = { status: 401, code: 'SESSION_KEY_REQUIRED' }

/** Alice's browser, after a sign-in that bound its session. */
async function bound(app: TestApp, alg: 'ES256' | 'RS256' = 'ES256') {
  const browser = new BoundBrowser(app.device(), alg)
  expect((await browser.post('/sign-up/email', alice)).status).toBe(200)
  await browser.get('/get-session')
  passTime(30)
  return browser
}

beforeEach(stopClock)
afterEach(() => {
  vi.useRealTimers()
})

describe('session.deviceBound', () => {
  it('off, its default in the compatible profile: nothing is offered', async () => {
    const browser = new BoundBrowser(new TestApp({ rateLimit: { enabled: false } }).device())
    const signedUp = await browser.post('/sign-up/email', alice)
    expect(signedUp.headers.get('secure-session-registration')).toBeNull()
    expect((await browser.get('/get-session')).body.session.boundKey).toBeUndefined()
    expect(browser.log).toEqual([])
  })

  it('offer, the default of the strict profile: the response to a sign-in offers a registration to browsers alone', async () => {
    const app = newApp()
    const program = await app.device().post('/sign-up/email', alice)
    expect(program.headers.get('secure-session-registration')).toBeNull()
    const embedded = await app.device().post('/sign-in/email', alice, {
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
    })
    expect(embedded.headers.get('secure-session-registration')).toBeNull()
    const { headers } = await app.device().post('/sign-in/email', alice, { headers: page })
    expect(readOffer(headers)).toMatchObject({
      path: '/api/auth/device-session/register',
      algorithms: ['ES256', 'RS256'],
    })
  })

  it('a browser that ignores the offer keeps working, and gets it again with reads of the database', async () => {
    const device = newApp().device()
    await device.post('/sign-up/email', alice, { headers: page })
    passTime(120)
    expect(readOffer((await device.get('/get-session', { headers: page })).headers)).toBeNull()
    passTime(300)
    const read = await device.get('/get-session', { headers: page })
    expect(readOffer(read.headers)).toBeTruthy()
    expect(read.body.user.email).toBe(alice.email)
    expect((await device.post('/update-user', { name: 'A' })).status).toBe(200)
  })
})

describe('a browser with the feature', () => {
  it.each(['ES256', 'RS256'] as const)('registers a key (%s), and uses the session as before', async (alg) => {
    const app = newApp()
    const browser = await bound(app, alg)
    expect(browser.log).toEqual(['register 200'])
    const { body } = await browser.get('/get-session')
    expect(body.session.boundKey).toBe(browser.id)
    expect((await browser.post('/update-user', { name: 'A' })).status).toBe(200)
    expect((await browser.get('/list-sessions')).body).toMatchObject([{ boundKey: browser.id }])
    const { deviceKey } = (await rowOf('sessions', {}))!
    expect(Object.keys(deviceKey!.jwk).sort()).toEqual(alg === 'ES256' ? ['crv', 'kty', 'x', 'y'] : ['e', 'kty', 'n'])
  })

  it('refreshes with one round trip after ten minutes, and costs a read of D1', async () => {
    const browser = await bound(newApp())
    passTime(600)
    const read = await browser.get('/get-session')
    expect({ ...outcome(read), log: browser.log }).toEqual({
      status: 200,
      code: null,
      log: ['register 200', 'refresh 200'],
    })
    const session = browser.sessions.get(browser.id)!
    const refreshed = await refreshWith(browser.device, browser.id, await signProof(session.key, session.challenge))
    expect(refreshed.io).toMatchObject({ d1: [1, 1] })
    expect(Object.entries(refreshed.io).filter(([kind, [used]]) => kind !== 'd1' && used > 0)).toEqual([])
  })

  it('reads a cached session without I/O', async () => {
    const browser = await bound(newApp())
    await browser.get('/get-session')
    const { io } = await browser.get('/get-session')
    expect(Object.values(io).filter(([used]) => used > 0)).toEqual([])
  })

  it('signs a new challenge after a long sleep', async () => {
    const browser = await bound(newApp())
    passTime(3 * 3600)
    expect((await browser.get('/list-sessions')).status).toBe(200)
    expect(browser.log.slice(1)).toEqual(['refresh 403', 'refresh 200'])
  })

  it.each(['request', 'answer'] as const)('stays signed in if the %s of a refresh gets lost', async (fault) => {
    const browser = await bound(newApp())
    passTime(700)
    browser.fault = fault
    expect(outcome(await browser.get('/list-sessions'))).toEqual(refusal)
    expect(outcome(await browser.get('/get-session'))).toEqual(refusal)
    browser.fault = null
    expect((await browser.get('/get-session')).body.user.email).toBe(alice.email)
    expect((await browser.get('/list-sessions')).status).toBe(200)
  })

  it('renews the cookie for two tabs that refresh at the same time with the same challenge', async () => {
    const browser = await bound(newApp())
    passTime(600)
    browser.forgetExpired()
    const session = browser.sessions.get(browser.id)!
    const proof = await signProof(session.key, session.challenge)
    const both = await Promise.all([0, 1].map(() => refreshWith(browser.device, browser.id, proof)))
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect((await browser.get('/list-sessions')).status).toBe(200)
  })

  it('is not bound if the answer to its registration gets lost, and registers again', async () => {
    const browser = new BoundBrowser(newApp().device())
    browser.registers = false
    const offer = readOffer((await browser.post('/sign-up/email', alice)).headers)!
    const lost = await browser.device.send('POST', offer.path, undefined, {
      keep: false,
      headers: {
        origin: '',
        'secure-session-response': await signProof(await newKey(), offer.challenge, { withKey: true }),
      },
    })
    expect(lost.status).toBe(200)
    passTime(400)
    browser.registers = true
    expect((await browser.get('/get-session')).body.session.boundKey).toBeUndefined()
    expect(browser.log).toEqual(['register 200'])
    expect((await browser.get('/get-session')).body.session.boundKey).toBe(browser.id)
  })

  it('keeps one key of two pages that registered at the same time', async () => {
    const browser = new BoundBrowser(newApp().device())
    browser.registers = false
    const offer = readOffer((await browser.post('/sign-up/email', alice)).headers)!
    await browser.register(offer)
    await browser.register(offer)
    expect(browser.sessions.size).toBe(2)
    await browser.get('/get-session')
    // The third one comes when the second is in force.
    passTime(60)
    const third = await browser.register(offer)
    expect(third.body).toEqual({ continue: false })
    passTime(600)
    expect((await browser.get('/list-sessions')).status).toBe(200)
    expect(browser.sessions.size).toBe(1)
  })

  it('is not refused for requests that it sent before it had the cookie (w3c/webappsec-dbsc#248)', async () => {
    const browser = new BoundBrowser(newApp().device())
    await browser.post('/sign-up/email', alice)
    const early = copyOf(browser, { without: /bound_|device_key_/ })
    await browser.get('/get-session')
    expect((await early.get('/list-sessions')).status).toBe(200)
    passTime(11)
    expect((await early.get('/list-sessions')).status).toBe(401)
  })

  it('keeps its key when the token of its session is replaced', async () => {
    const browser = await bound(newApp())
    const change = { currentPassword: alice.password, newPassword: 'another-password', revokeOtherSessions: true }
    expect((await browser.post('/change-password', change)).status).toBe(200)
    passTime(610)
    expect((await browser.get('/list-sessions')).body).toMatchObject([{ boundKey: browser.id }])
    expect(browser.log).toEqual(['register 200', 'refresh 200'])
  })

  it('signs out without its key, and its cookies go', async () => {
    const browser = await bound(newApp())
    passTime(610)
    browser.fault = 'request'
    expect((await browser.post('/sign-out')).status).toBe(200)
    expect([...browser.device.jar.keys()].filter((name) => /bound_|device_key_|session/.test(name))).toEqual([])
    browser.fault = null
    await browser.get('/get-session')
    expect(browser.log.slice(1)).toEqual(['refresh lost', 'refresh 200', 'terminated'])
  })

  it('that has lost its key signs in again', async () => {
    const browser = await bound(newApp())
    browser.sessions.clear()
    passTime(700)
    expect(outcome(await browser.get('/get-session'))).toEqual(refusal)
    expect((await browser.post('/sign-in/email', alice)).status).toBe(200)
    expect((await browser.get('/get-session')).body.session.boundKey).toBe(browser.id)
  })

  it('refreshes each account of the browser', async () => {
    const app = newApp()
    const browser = await bound(app)
    const bob = { name: 'Bob', email: 'bob@example.com', password: 'password5678' }
    await browser.post('/sign-up/email', bob)
    await browser.get('/get-session')
    passTime(700)
    const { body } = await browser.get('/multi-session/list-device-sessions')
    expect(body.map(({ user }: any) => user.email)).toEqual([bob.email, alice.email])
    const sessionToken = body[1].session.token
    expect((await browser.post('/multi-session/set-active', { sessionToken })).status).toBe(200)
    expect((await browser.get('/get-session')).body.user.email).toBe(alice.email)
    // Without the keys the accounts stay in the browser, and neither is shown.
    passTime(700)
    browser.fault = 'request'
    expect((await browser.get('/multi-session/list-device-sessions')).body).toEqual([])
    expect(outcome(await browser.post('/multi-session/set-active', { sessionToken }))).toEqual(refusal)
    browser.fault = null
    expect((await browser.get('/multi-session/list-device-sessions')).body).toHaveLength(2)
  })

  it('stays bound when the option is turned off, and is refreshed', async () => {
    const browser = await bound(newApp())
    const off = new TestApp({ rateLimit: { enabled: false } })
    const later = new BoundBrowser(off.device())
    for (const [name, value] of browser.device.jar) later.device.jar.set(name, value)
    for (const [id, session] of browser.sessions) later.sessions.set(id, session)
    later.device.jar.delete(`gatehouse.bound_${browser.id}`)
    expect((await later.get('/list-sessions')).status).toBe(200)
    expect(later.log).toEqual(['refresh 200'])
  })
})

describe('the instructions', () => {
  const instructionsOf = async (app: TestApp) => {
    const device = app.device()
    const offer = readOffer((await device.post('/sign-up/email', alice, { headers: page })).headers)!
    const proof = await signProof(await newKey(), offer.challenge, { withKey: true })
    const headers = { origin: '', 'secure-session-response': `"${proof}"` }
    return (await device.send('POST', offer.path, undefined, { headers })).body
  }

  it('cover the origin, or with cookies.domain the site; trusted origins may wait for a refresh', async () => {
    expect(
      await instructionsOf(newApp({ trustedOrigins: ['https://app.example.com', 'https://*.example.org'] })),
    ).toMatchObject({
      refresh_url: 'http://localhost:8787/api/auth/device-session/refresh',
      scope: { origin: 'http://localhost:8787', include_site: false },
      credentials: [{ type: 'cookie', attributes: 'Path=/; HttpOnly; SameSite=Lax' }],
      allowed_refresh_initiators: expect.arrayContaining(['app.example.com', '*.example.org']),
    })
  })

  it('name the deployment for its whole site', async () => {
    const { body, headers } = await newApp().device().get('http://localhost:8787/.well-known/device-bound-sessions')
    expect(body).toEqual({ registering_origins: ['http://localhost:8787'] })
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })
})

const refreshWith = (device: Device, id: string, proof: string): Promise<Answer> =>
  device.send('POST', '/device-session/refresh', undefined, {
    headers: { origin: '', 'sec-secure-session-id': `"${id}"`, 'secure-session-response': `"${proof}"` },
  })

function copyOf(browser: BoundBrowser, { without }: { without: RegExp }): Device {
  const device = new TestApp({ rateLimit: { enabled: false } }).device()
  for (const [name, value] of browser.device.jar) if (!without.test(name)) device.jar.set(name, value)
  return device
}

describe('a challenge', () => {
  it('comes with each refusal, so that the next refresh needs one round trip', async () => {
    const browser = await bound(newApp())
    passTime(3600)
    browser.fault = 'request'
    const { headers } = await browser.get('/list-sessions')
    expect(readChallenge(headers)?.id).toBe(browser.id)
    browser.fault = null
    await browser.get('/list-sessions')
    expect(browser.log.at(-1)).toBe('refresh 200')
    expect(browser.log).not.toContain('refresh 403')
  })
})
