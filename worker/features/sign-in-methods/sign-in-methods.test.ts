import { describe, expect, it, vi } from 'vitest'
import { TestApp } from '../../testing/harness.ts'
import { alice, bob, signIn, signUp } from '../../testing/people.ts'

describe('GET /list-sign-in-methods', () => {
  it('200: the ways of the caller, the last used first; a rotated token is none', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const app = new TestApp({ rateLimit: { enabled: false } })
    const device = await signUp(app, alice)
    await signUp(app, bob)
    vi.setSystemTime(Date.now() + 1000)
    await signIn(app, alice)
    const usedAt = new Date().toISOString()
    vi.setSystemTime(Date.now() + 1000)
    await device.post('/change-password', {
      currentPassword: alice.password,
      newPassword: 'another-password',
      revokeOtherSessions: true,
    })
    const { status, body, io } = await device.get('/list-sign-in-methods')
    expect(status).toBe(200)
    expect(body).toEqual([
      { method: 'email', lastUsedAt: usedAt },
      { method: 'sign-up', lastUsedAt: expect.any(String) },
    ])
    expect(io.d1![0]).toBe(1)
    vi.useRealTimers()
  })

  it('401 for nobody', async () => {
    expect((await new TestApp().device().get('/list-sign-in-methods')).status).toBe(401)
  })
})
