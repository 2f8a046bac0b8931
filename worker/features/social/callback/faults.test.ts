import { afterEach, describe, expect, it, vi } from 'vitest'
import { FaultInjector } from '../../../testing/faults.ts'
import { env, TestApp } from '../../../testing/harness.ts'
import { OAuthProvider } from '../../../testing/outside/oauth-provider.ts'
import { google } from '../../../testing/outside/social/google.ts'
import { comeBack, errorAt, locationOf, startAt, walk } from '../../../testing/outside/walk.ts'
import { alice, signUp } from '../../../testing/people.ts'
import { count, storedRow } from '../../../testing/rows.ts'
import { expireAccessTokens } from '../../../testing/states.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** An application with one provider, whose bindings fail on request. */
function start() {
  const provider = new OAuthProvider(google).install()
  const faults = new FaultInjector()
  const config = { rateLimit: { enabled: false }, socialProviders: { google: provider.options } }
  return { provider, faults, app: new TestApp(config, faults.bindings()) }
}

const counts = async () => {
  return { users: await count('users'), accounts: await count('accounts'), sessions: await count('sessions') }
}

describe('a sign-in at a provider', () => {
  it.each([
    ['a new user', null],
    ['an account that was never proven', alice],
  ])('%s: whatever piece of it fails, all is written or nothing, and the next try works', async (_who, person) => {
    const { provider, faults, app } = start()
    if (person) {
      provider.person = { id: '4242', email: person.email }
      await signUp(app, person)
    }
    for (let at = 1; at <= 4; at++) {
      for (const when of ['before', 'after'] as const) {
        const device = app.device()
        faults.watch()
        const callback = await startAt(device, provider)
        faults.arm({ at, when })
        const answer = await comeBack(device, callback)
        const now = await counts()
        const session = device.cookie('session_token')
        // Users and their only sign-in method are written together.
        expect(now.accounts).toBe(now.users)
        // After a single fault, the second attempt succeeds.
        expect({
          at,
          when,
          status: answer.status,
          location: answer.status === 302 && locationOf(answer),
          signedIn: session !== undefined,
        }).toEqual({ at, when, status: 302, location: '/dash', signedIn: true })
      }
    }
    faults.watch()
    const device = app.device()
    expect(locationOf(await walk(device, provider))).toBe('/dash')
    const { users, accounts } = await counts()
    // The batch that links the identity deletes the unproven password.
    expect({ users, accounts }).toEqual({ users: 1, accounts: 1 })
  })

  it('a fault after the state was used is temporarily_unavailable, and a new sign-in works', async () => {
    const { provider, faults, app } = start()
    const device = app.device()
    const callback = await startAt(device, provider)
    faults.outage('D1')
    expect(locationOf(await comeBack(device, callback))).toBe(errorAt('temporarily_unavailable'))
    faults.watch()
    expect(locationOf(await walk(device, provider))).toBe('/dash')
    expect(await counts()).toEqual({ users: 1, accounts: 1, sessions: 1 })
  })

  it('KV is only a cache: without it key sets are fetched, and sign-ins work', async () => {
    const { provider, faults, app } = start()
    faults.outage('KV')
    expect(locationOf(await walk(app.device(), provider))).toBe('/dash')
    const token = await provider.signIdToken(google.clientId)
    const { status } = await app.device().post('/sign-in/social', { provider: 'google', idToken: { token } })
    expect(status).toBe(200)
  })
})

describe('refreshed tokens', () => {
  const expire = () => expireAccessTokens()

  it('are stored by the second attempt', async () => {
    const { provider, faults, app } = start()
    const device = app.device()
    await walk(device, provider)
    await expire()
    faults.watch()
    await device.post('/get-access-token', { providerId: 'google' })
    const writes = faults.calls.map((call, at) => ({ call, at: at + 1 })).filter(({ call }) => call.startsWith('D1'))
    await expire()
    faults.arm({ at: writes.at(-1)!.at, when: 'before' })
    const { status, body } = await device.post('/get-access-token', { providerId: 'google' })
    expect(status).toBe(200)
    faults.watch()
    expect((await device.post('/get-access-token', { providerId: 'google' })).body.accessToken).toBe(body.accessToken)
  })

  it('are returned, and stored later, when the database is unavailable', async () => {
    const { provider, app } = start()
    const device = app.device()
    await walk(device, provider)
    await expire()
    let away = true
    const prepare = env.DB.withSession.bind(env.DB)
    const DB = new Proxy(env.DB, {
      get: (target, key) => {
        if (key !== 'withSession') return Reflect.get(target, key)
        return (from: string) =>
          new Proxy(prepare(from), {
            get: (session, name) => {
              const value = Reflect.get(session, name)
              if (name !== 'prepare') return typeof value === 'function' ? value.bind(session) : value
              return (query: string) => {
                if (away && /^update "accounts"/.test(query)) throw new Error('D1 is away')
                return session.prepare(query)
              }
            },
          })
      },
    })
    const config = { rateLimit: { enabled: false }, socialProviders: { google: provider.options } }
    const faulty = new TestApp(config, { DB })
    const other = faulty.device()
    for (const [name, value] of device.jar) other.jar.set(name, value)
    const { status, body } = await other.post('/get-access-token', { providerId: 'google' })
    expect(status).toBe(200)
    expect(await storedRow('jobs', 'kind')).toEqual({ kind: 'social:store-tokens' })
    away = false
    const later = vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 })
    await faulty.runScheduled()
    later.useRealTimers()
    expect(await storedRow('jobs', 'kind')).toBeNull()
    expect((await device.post('/get-access-token', { providerId: 'google' })).body.accessToken).toBe(body.accessToken)
  })
})
