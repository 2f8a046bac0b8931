import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { TestApp } from '../../testing/harness.ts'
import { alice, signUp } from '../../testing/people.ts'
import { storedRow } from '../../testing/rows.ts'
import { passTime, stopClock } from '../../testing/two-factor.ts'

const day = 86_400
const app = (session: object) => new TestApp({ rateLimit: { enabled: false }, session })
const expiry = async () => (await storedRow('sessions', 'created_at', 'expires_at'))!

beforeEach(stopClock)
afterEach(() => {
  vi.useRealTimers()
})

it('a session ends 90 days after the sign-in, however often it is extended', async () => {
  const device = await signUp(app({}), alice)
  const signedInAt = Date.now()
  for (let days = 0; days < 85; days += 5) {
    passTime(5 * day)
    expect((await device.get('/get-session')).body).not.toBeNull()
  }
  passTime(4 * day)
  expect((await device.get('/get-session')).body.session.expiresAt).toBe(
    new Date(signedInAt + 90 * day * 1000).toISOString(),
  )
  passTime(day)
  expect((await device.get('/get-session')).body).toBeNull()
})

it('the first expiry is within the lifetime, and a rotation of the token does not begin it again', async () => {
  const device = await signUp(app({ maxLifetime: 2 * day }), alice)
  const before = await expiry()
  expect(before.expires_at - before.created_at).toBe(2 * day * 1000)
  passTime(day)
  const change = { currentPassword: alice.password, newPassword: 'battery staple', revokeOtherSessions: true }
  expect((await device.post('/change-password', change)).status).toBe(200)
  expect(await expiry()).toEqual(before)
})

it('a shorter lifetime ends older sessions: for reads, lists, changes and the cookie cache', async () => {
  const device = await signUp(app({}), alice)
  const shorter = app({ maxLifetime: 2 * day, cookieCache: { maxAge: 7 * day } })
  const other = shorter.device()
  for (const [name, value] of device.jar) other.jar.set(name, value)
  expect((await other.get('/get-session', { query: { disableCookieCache: 'true' } })).body).not.toBeNull()
  passTime(2 * day)
  const frozen = new Map(other.jar)
  for (const path of ['/get-session', '/list-sessions', '/list-accounts']) {
    for (const [name, value] of frozen) other.jar.set(name, value)
    const { status, body } = await other.get(path)
    expect({ path, answer: path === '/get-session' ? body : status }).toEqual({
      path,
      answer: path === '/get-session' ? null : 401,
    })
  }
})
