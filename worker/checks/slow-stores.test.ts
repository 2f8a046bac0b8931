import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { administrator } from '../testing/admins.ts'
import { FaultInjector } from '../testing/faults.ts'
import { type Answer, type Device, env, TestApp } from '../testing/harness.ts'
import { alice, signUp } from '../testing/people.ts'
import { insertRows } from '../testing/rows.ts'
import { verifyAddresses } from '../testing/states.ts'

// A store that is reached and does not answer. Each request has an answer in a bounded time. The table of guides/disaster.md
// has these rows.

let started = Date.now()

beforeEach(() => {
  // Answers of the feed that an earlier test left in the cache are too old.
  started += 7_200_000
  vi.useFakeTimers({ toFake: ['Date'], now: started })
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

interface Scene {
  app: TestApp
  device: Device
  boss: Device
  link: string
}

async function scene() {
  const faults = new FaultInjector()
  const app = new TestApp({}, faults.bindings(), false)
  const device = await signUp(app, alice)
  await verifyAddresses()
  await app.clearMailbox()
  await app.device().post('/sign-in/magic-link', { email: alice.email, callbackURL: '/dash' })
  const link = await app.linkTo(alice.email)
  const { device: boss } = await administrator(app)
  return { faults, app, device, boss, link }
}

/** Sends a request and lets the clock run until it has an answer. @returns its status, and the whole seconds until the end of the work after it */
async function answerOf(request: () => Promise<Answer>): Promise<string> {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.now() })
  const begun = Date.now()
  let isOpen = true
  const waiting = request().finally(() => {
    isOpen = false
  })
  let after = 0
  while (isOpen) {
    await vi.advanceTimersByTimeAsync(50)
    after = Date.now() - begun
    if (after > 60_000) throw new Error('no answer within a minute')
    await scheduler.wait(1)
  }
  const { status, body, headers } = await waiting
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  if (status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  if (status >= 400) expect(body.code).toBe('UNAVAILABLE')
  return `${status}, ${Math.ceil(after / 1000)} s`
}

const requests: Record<string, (scene: Scene) => Promise<Answer>> = {
  'get-session': ({ device }) => device.get('/get-session'),
  'sign-in': ({ app }) => app.device().post('/sign-in/email', { email: alice.email, password: alice.password }),
  'sign-out': ({ device }) => device.post('/sign-out'),
  'magic link sent': ({ app }) => app.device().post('/sign-in/magic-link', { email: alice.email }),
  'magic link opened': ({ app, link }) => app.device().get(link.replace(/^https?:\/\/[^/]+\/api\/auth/, '')),
  'code sent': ({ app }) =>
    app.device().post('/email-otp/send-verification-otp', { email: alice.email, type: 'sign-in' }),
  'update-user': ({ device }) => device.post('/update-user', { name: 'Alicia' }),
  'audit log': ({ boss }) => boss.get('/admin/audit'),
}

const prompt = Object.fromEntries(
  Object.keys(requests).map((name) => [name, name === 'magic link opened' ? '302, 1 s' : '200, 1 s']),
)

/** What differs from the answers of stores that answer. */
const expected: Record<string, Record<string, string>> = {
  D1: {
    ...Object.fromEntries(Object.keys(requests).map((name) => [name, '503, 2 s'])),
    'get-session': '200, 1 s',
    // Pages of administrators run statements over many rows.
    'audit log': '503, 5 s',
  },
  // Mails are in KV on a development machine. The mail waits for the link; both after the response.
  KV: { 'magic link opened': '503, 5 s', 'magic link sent': '200, 10 s', 'code sent': '200, 10 s' },
  // The count of the address passes, the budget of guesses refuses.
  COUNTER: { 'sign-in': '503, 6 s', 'magic link sent': '200, 3 s', 'code sent': '200, 3 s' },
  // Two attempts.
  ONE_TIME: { 'code sent': '200, 10 s' },
  // A second before the batch; then, after the response, the job with three attempts.
  ENDED_SESSIONS: { 'sign-out': '200, 16 s' },
  // After the response.
  LIVE: Object.fromEntries(
    ['sign-in', 'sign-out', 'update-user', 'magic link opened'].map((name) => [
      name,
      name === 'magic link opened' ? '302, 5 s' : '200, 5 s',
    ]),
  ),
  R2: { 'audit log': '503, 20 s' },
}

/** Stores without which no mail leaves: what it leads to could not be stored. */
const unsent = { link: ['D1', 'KV'], code: ['D1', 'KV', 'ONE_TIME'] }

/** An archive, whose object the first page needs. */
const anArchive = () =>
  insertRows('audit_segments', {
    ...{ firstSeq: 1, lastSeq: 1, state: 'stored', records: 1, object: 'audit/x', bytes: 1, sha256: 'x', hash: 'x' },
    ...{ firstAt: new Date(1), lastAt: new Date(2) },
  })

describe('a store that does not answer', () => {
  it.each(Object.entries(expected))('%s: each request has an answer in a bounded time', async (store, others) => {
    const found: Record<string, string> = {}
    const mailed: Record<string, number> = {}
    for (const [name, request] of Object.entries(requests)) {
      const { faults, ...given } = await scene()
      if (store === 'R2') await anArchive()
      await given.app.clearMailbox()
      faults.freeze(store)
      found[name] = await answerOf(() => request(given))
      faults.watch()
      if (name.endsWith('sent'))
        mailed[name] = (await given.app.mailbox()).filter(({ to }) => to === alice.email).length
      started += 7_200_000
      vi.useFakeTimers({ toFake: ['Date'], now: started })
      await env.DB.batch([env.DB.prepare('delete from users'), env.DB.prepare('delete from audit_segments')])
    }
    expect(found).toEqual({ ...prompt, ...others })
    const isSent = (what: 'link' | 'code') => Number(!unsent[what].includes(store))
    expect(mailed).toEqual({ 'magic link sent': isSent('link'), 'code sent': isSent('code') })
  })
})
