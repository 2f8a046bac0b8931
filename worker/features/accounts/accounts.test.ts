import { afterEach, describe, expect, it, vi } from 'vitest'
import { TestApp } from '../../testing/harness.ts'
import { alice, bob, signUp } from '../../testing/people.ts'
import { rowsOf } from '../../testing/rows.ts'
import { linkAccount } from '../../testing/states.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** Gives every user a provider account too. */
const addAccount = async (providerId: string) => {
  const createdAt = new Date(2e12)
  for (const { id } of await rowsOf('users')) {
    const account = { accountId: `subject-${id}`, scope: 'openid,email', createdAt, updatedAt: createdAt }
    await linkAccount(id, { id: `${providerId}${id}`, providerId, ...account })
  }
}

describe('GET /list-accounts', () => {
  it('lists the password and the providers', async () => {
    const device = await signUp(new TestApp(), alice)
    await addAccount('github')
    const { body } = await device.get('/list-accounts')
    const { user } = (await device.get('/get-session')).body
    expect(body[0]).toEqual({
      id: expect.any(String),
      provider: 'credential',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      accountId: user.id,
      scopes: [],
    })
    expect(body[1]).toMatchObject({ provider: 'github', accountId: `subject-${user.id}`, scopes: ['openid', 'email'] })
    expect((await new TestApp().device().get('/list-accounts')).status).toBe(401)
  })
})

describe('POST /unlink-account', () => {
  it('removes an account, but not the last one', async () => {
    const device = await signUp(new TestApp(), alice)
    await addAccount('github')
    expect((await device.post('/unlink-account', { providerId: 'gitlab' })).body.code).toBe('ACCOUNT_NOT_FOUND')
    expect((await device.post('/unlink-account', { providerId: 'github', accountId: 'other' })).body.code).toBe(
      'ACCOUNT_NOT_FOUND',
    )
    expect((await device.post('/unlink-account', { providerId: 'github' })).body).toEqual({ status: true })
    const last = await device.post('/unlink-account', { providerId: 'credential' })
    expect({ status: last.status, body: last.body }).toEqual({
      status: 400,
      body: { code: 'YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT', message: "You can't unlink your last account" },
    })
    expect((await device.post('/unlink-account', {})).body.code).toBe('VALIDATION_ERROR')
  })

  it('two accounts unlinked in parallel: one remains', async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    await addAccount('github')
    await Promise.all(['github', 'credential'].map((providerId) => device.post('/unlink-account', { providerId })))
    expect((await device.get('/list-accounts')).body).toHaveLength(1)
  })

  it('reaches no account of another user', async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    const other = await signUp(app, bob)
    await addAccount('github')
    const theirs = (await other.get('/list-accounts')).body[1].accountId
    expect((await device.post('/unlink-account', { providerId: 'github', accountId: theirs })).status).toBe(400)
    expect((await other.get('/list-accounts')).body).toHaveLength(2)
  })

  it('403 for a stale session, 401 for a visitor; the last account is unlinked if that is allowed', async () => {
    const app = new TestApp({ account: { accountLinking: { allowUnlinkingAll: true } } })
    const device = await signUp(app, alice)
    const stale = vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_401_000 })
    const refused = await device.post('/unlink-account', { providerId: 'credential' })
    expect(refused).toMatchObject({ status: 403, body: { code: 'SESSION_IS_NOT_FRESH' } })
    stale.useRealTimers()
    expect((await app.device().post('/unlink-account', { providerId: 'credential' })).status).toBe(401)
    expect((await device.post('/unlink-account', { providerId: 'credential' })).body).toEqual({ status: true })
  })
})
