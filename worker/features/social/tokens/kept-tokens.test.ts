import { afterEach, describe, expect, it, vi } from 'vitest'
import { FaultInjector } from '../../../testing/faults.ts'
import { type Device, TestApp } from '../../../testing/harness.ts'
import { OAuthProvider } from '../../../testing/outside/oauth-provider.ts'
import { google } from '../../../testing/outside/social/google.ts'
import { walk } from '../../../testing/outside/walk.ts'
import { rowOf } from '../../../testing/rows.ts'
import { expireAccessTokens } from '../../../testing/states.ts'

/** The provider rotates its refresh tokens: it accepts each of them once. */

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

async function start() {
  const provider = new OAuthProvider(google).install()
  const faults = new FaultInjector()
  const config = { rateLimit: { enabled: false }, socialProviders: { google: provider.options } }
  const app = new TestApp(config, faults.bindings(), false)
  const device = app.device()
  await walk(device, provider)
  await expireAccessTokens()
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(console, 'warn').mockReturnValue()
  const receive = provider.receive.bind(provider)
  /** The database stops when the provider has answered. */
  const stopAfterRefresh = (of = 'D1') => {
    provider.receive = async (...given) => {
      const answer = await receive(...given)
      faults.outage(of)
      return answer
    }
  }
  const recover = () => {
    provider.receive = receive
    faults.watch()
  }
  return { provider, faults, app, device, stopAfterRefresh, recover }
}

const choice = { providerId: 'google' }
const tokenOf = (device: Device) => device.post('/get-access-token', choice)
const refresh = (device: Device) => device.post('/refresh-token', choice)
const refreshes = ({ requests }: OAuthProvider) =>
  requests.filter(({ form }) => form.get('grant_type') === 'refresh_token').length

describe('refreshed tokens that the database does not store', () => {
  it('are returned by the next call, which stores them', async () => {
    const { provider, device, stopAfterRefresh, recover } = await start()
    const before = await rowOf('accounts')
    stopAfterRefresh()
    const { status, body } = await tokenOf(device)
    expect(status).toBe(200)
    recover()
    expect(await rowOf('accounts')).toEqual(before)
    expect((await tokenOf(device)).body).toMatchObject({ accessToken: body.accessToken })
    expect(refreshes(provider)).toBe(1)
    const stored = await rowOf('accounts')
    expect(stored!.updatedAt.getTime()).toBeGreaterThan(before!.updatedAt.getTime())
    expect((await tokenOf(device)).body.accessToken).toBe(body.accessToken)
    // The next refresh uses the refresh token that was kept.
    expect((await refresh(device)).status).toBe(200)
    expect((await refresh(device)).status).toBe(200)
    expect(refreshes(provider)).toBe(3)
  })

  it('are refreshed by the next call, after they are stored', async () => {
    const { provider, device, stopAfterRefresh, recover } = await start()
    stopAfterRefresh()
    const first = await refresh(device)
    recover()
    const second = await refresh(device)
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body.accessToken).not.toBe(first.body.accessToken)
    expect((await tokenOf(device)).body.accessToken).toBe(second.body.accessToken)
    expect(refreshes(provider)).toBe(2)
  })

  it('are kept again where the database stops during the next refresh too', async () => {
    const { provider, device, stopAfterRefresh, recover } = await start()
    for (let n = 1; n <= 3; n++) {
      stopAfterRefresh()
      expect((await refresh(device)).status).toBe(200)
      recover()
    }
    expect((await refresh(device)).status).toBe(200)
    expect(refreshes(provider)).toBe(4)
  })

  it('503 at a refresh, and no use of the refresh token, while the database does not take the kept ones', async () => {
    const { provider, faults, device, stopAfterRefresh, recover } = await start()
    stopAfterRefresh()
    const { body } = await refresh(device)
    recover()
    faults.outage('D1 run')
    expect(await refresh(device)).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
    expect(refreshes(provider)).toBe(1)
    recover()
    const next = await refresh(device)
    expect(next).toMatchObject({ status: 200 })
    expect(next.body.accessToken).not.toBe(body.accessToken)
  })

  it.each(['/get-access-token', '/refresh-token'])(
    '%s: after a failure of any call of a binding, the account can be refreshed',
    async (path) => {
      const { faults, device } = await start()
      faults.watch()
      expect((await device.post(path, choice)).status).toBe(200)
      const calls = [...faults.calls]
      expect(calls.filter((call) => call.startsWith('D1')).length).toBeGreaterThan(1)
      for (const [index, call] of calls.entries()) {
        const at = index + 1
        for (const when of ['before', 'after'] as const) {
          // The turn of a call that did not get it is free after 30 seconds: another call may have it.
          if (call === 'COUNTER hit' && when === 'after') continue
          await expireAccessTokens()
          faults.arm({ at, when })
          const { status } = await device.post(path, choice)
          expect([200, 503]).toContain(status)
          faults.watch()
          expect({ at, when, status: (await refresh(device)).status }).toEqual({ at, when, status: 200 })
        }
      }
    },
  )

  it('are of no use after the user was deleted', async () => {
    const { provider, app, device, stopAfterRefresh, recover } = await start()
    stopAfterRefresh()
    const { body } = await refresh(device)
    recover()
    expect((await device.post('/delete-user', {})).status).toBe(200)
    expect(await rowOf('accounts')).toBeNull()
    const again = app.device()
    await walk(again, provider)
    await expireAccessTokens()
    const { body: fresh } = await tokenOf(again)
    expect(fresh.accessToken).not.toBe(body.accessToken)
    expect(refreshes(provider)).toBe(2)
  })

  it('are forgotten when a sign-in replaces the tokens', async () => {
    const { provider, device, stopAfterRefresh, recover } = await start()
    stopAfterRefresh()
    await refresh(device)
    recover()
    await walk(device, provider)
    await expireAccessTokens()
    expect((await tokenOf(device)).status).toBe(200)
    expect(refreshes(provider)).toBe(2)
  })
})
