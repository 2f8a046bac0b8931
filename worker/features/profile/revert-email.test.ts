import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Device, env, outcome, TestApp } from '../../testing/harness.ts'
import { alice, signIn, signUp } from '../../testing/people.ts'
import { count, rowOf } from '../../testing/rows.ts'
import { deleteUsers } from '../../testing/states.ts'
import { passTime, stopClock } from '../../testing/two-factor.ts'

const newApp = (more: object = {}) => new TestApp({ rateLimit: { enabled: false }, ...more })

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Changes the address in a session, as the compatible profile does for a verified one. */
async function changeTo(app: TestApp, device: Device, from: string, to: string, verify = true): Promise<void> {
  await device.post('/change-email', { newEmail: to })
  await device.get(await app.linkTo(from))
  if (verify) await device.get(await app.linkTo(to))
}

async function verifiedAlice(app: TestApp): Promise<Device> {
  const device = await signUp(app, alice)
  await device.get(await app.linkTo(alice.email))
  return device
}

/** The token of the newest revert link at one address. */
async function tokenAt(app: TestApp, address: string): Promise<string | null> {
  const links = (await app.notices()).filter(({ to }) => to === address).flatMap((notice) => notice.links)
  const link = links.map((text) => new URL(text)).find(({ pathname }) => pathname === '/revert-email')
  return link?.searchParams.get('token') ?? null
}

const emailNow = async () => {
  const { email, emailVerified } = (await rowOf('users'))!
  return { email, verified: Number(emailVerified) }
}

describe('POST /change-email/revert', () => {
  it('restores the old address as verified, ends every session, and leads to a new password', async () => {
    const app = newApp()
    const thief = await verifiedAlice(app)
    const owner = await signIn(app, alice)
    await changeTo(app, thief, alice.email, 'thief@example.com')
    const token = await tokenAt(app, alice.email)
    const visitor = app.device()
    const { status, body } = await visitor.post('/change-email/revert', { token })
    expect({ status, body }).toEqual({ status: 200, body: { status: true, resetToken: expect.any(String) } })
    expect(await emailNow()).toEqual({ email: alice.email, verified: 1 })
    for (const device of [thief, owner]) {
      expect((await device.get('/get-session', { query: { disableCookieCache: 'true' } })).body).toBeNull()
    }
    const { email, password } = alice
    expect((await visitor.post('/sign-in/email', { email, password })).status).toBe(401)
    await visitor.post('/reset-password', { token: body.resetToken, newPassword: 'a-new-password' })
    expect((await visitor.post('/sign-in/email', { email, password: 'a-new-password' })).status).toBe(200)
  })

  it('works once, and no GET or HEAD uses it', async () => {
    const app = newApp()
    await changeTo(app, await verifiedAlice(app), alice.email, 'thief@example.com')
    const token = await tokenAt(app, alice.email)
    expect((await app.device().get('/change-email/revert', { query: { token: token! } })).status).toBe(404)
    expect((await app.device().get(`/revert-email?token=${token}`)).status).toBeLessThan(500)
    const answers = await Promise.all([1, 2, 3].map(() => app.device().post('/change-email/revert', { token })))
    expect(answers.map(outcome).sort((a, b) => a.status - b.status)).toEqual([
      { status: 200, code: null },
      { status: 400, code: 'INVALID_TOKEN' },
      { status: 400, code: 'INVALID_TOKEN' },
    ])
  })

  it('survives what a thief does next: a new password, a reset and another change', async () => {
    const app = newApp()
    const thief = await verifiedAlice(app)
    await changeTo(app, thief, alice.email, 'thief@example.com')
    const change = { currentPassword: alice.password, newPassword: 'password-of-thief', revokeOtherSessions: true }
    expect((await thief.post('/change-password', change)).status).toBe(200)
    await changeTo(app, thief, 'thief@example.com', 'second@example.com')
    const token = await tokenAt(app, alice.email)
    expect((await app.device().post('/change-email/revert', { token })).status).toBe(200)
    expect(await emailNow()).toEqual({ email: alice.email, verified: 1 })
  })

  it('of two changes the older address wins, in any order of the links', async () => {
    for (const order of [
      ['second', 'first'],
      ['first', 'second'],
    ]) {
      await deleteUsers()
      const app = newApp()
      await app.clearMailbox()
      const thief = await verifiedAlice(app)
      await changeTo(app, thief, alice.email, 'thief@example.com')
      await changeTo(app, thief, 'thief@example.com', 'third@example.com')
      const tokens: Record<string, string | null> = {
        first: await tokenAt(app, alice.email),
        second: await tokenAt(app, 'thief@example.com'),
      }
      expect(tokens).toEqual({ first: expect.any(String), second: expect.any(String) })
      const statuses: number[] = []
      for (const name of order) {
        statuses.push((await app.device().post('/change-email/revert', { token: tokens[name] })).status)
      }
      expect({ order, statuses }).toEqual({ order, statuses: order[0] === 'first' ? [200, 400] : [200, 200] })
      expect(await emailNow()).toEqual({ email: alice.email, verified: 1 })
    }
  })

  it('400 after 7 days, and the cron trigger deletes the row', async () => {
    stopClock()
    const app = newApp()
    await changeTo(app, await verifiedAlice(app), alice.email, 'thief@example.com')
    const token = await tokenAt(app, alice.email)
    passTime(7 * 86_400 + 1)
    const { status, body } = await app.device().post('/change-email/revert', { token })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_TOKEN' })
    await app.runScheduled()
    expect(await count('address_reverts')).toBe(0)
  })

  it('409 while another account has the address; the link stays valid', async () => {
    const app = newApp()
    await changeTo(app, await verifiedAlice(app), alice.email, 'thief@example.com')
    const token = await tokenAt(app, alice.email)
    const other = await signUp(app, alice)
    const { status, body } = await app.device().post('/change-email/revert', { token })
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'EMAIL_TAKEN_BY_ANOTHER_ACCOUNT' })
    await other.post('/delete-user', { password: alice.password })
    expect((await app.device().post('/change-email/revert', { token })).status).toBe(200)
  })

  it('ends what is pending: a reset link of the new address, and a change that waits', async () => {
    const app = newApp()
    const thief = await verifiedAlice(app)
    await changeTo(app, thief, alice.email, 'thief@example.com')
    await thief.post('/request-password-reset', { email: 'thief@example.com', redirectTo: '/x' })
    const link = new URL(await app.linkTo('thief@example.com'))
    await thief.post('/change-email', { newEmail: 'next@example.com' })
    await app.device().post('/change-email/revert', { token: await tokenAt(app, alice.email) })
    const reset = { token: link.pathname.split('/').at(-1), newPassword: 'password-of-thief' }
    expect((await thief.post('/reset-password', reset)).body.code).toBe('INVALID_TOKEN')
    expect(await count('address_changes')).toBe(0)
  })

  it('notifies the address that is taken back', async () => {
    const app = newApp()
    await changeTo(app, await verifiedAlice(app), alice.email, 'new@example.com')
    await app.device().post('/change-email/revert', { token: await tokenAt(app, alice.email) })
    const [notice] = await app.notices()
    expect(notice).toMatchObject({ to: 'new@example.com', subject: expect.stringContaining('was reverted') })
    expect(notice!.links.some((link) => link.includes('token='))).toBe(false)
  })

  it('null instead of a token where passwords are off, or it cannot be stored', async () => {
    const app = newApp()
    await changeTo(app, await verifiedAlice(app), alice.email, 'new@example.com')
    const token = await tokenAt(app, alice.email)
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const broken = new Proxy(env.KV, {
      get: (kv, name) =>
        name === 'put' ? () => Promise.reject(new Error('out of reach')) : Reflect.get(kv, name).bind(kv),
    })
    const failing = new TestApp({ rateLimit: { enabled: false } }, { KV: broken }, false)
    const { status, body } = await failing.device().post('/change-email/revert', { token })
    expect({ status, body }).toEqual({ status: 200, body: { status: true, resetToken: null } })
    expect(await emailNow()).toEqual({ email: alice.email, verified: 1 })
  })

  it('an unverified address gets a notice without such a link', async () => {
    const app = newApp()
    const device = await signUp(app, alice)
    await device.post('/change-email', { newEmail: 'new@example.com' })
    const [notice] = await app.notices()
    expect(notice).toMatchObject({ to: alice.email, links: ['http://localhost:8787/account/security'] })
    expect({ n: await count('address_reverts') }).toEqual({ n: 0 })
  })
})
