import { describe, expect, it } from 'vitest'
import { TestApp } from '../../../testing/harness.ts'
import { alice, signUp } from '../../../testing/people.ts'

const signedIn = async (app = new TestApp()) => {
  await signUp(app, alice)
  const answer = await app.device().post('/sign-in/email', alice)
  return { app, answer, sent: answer.headers.get('set-auth-token')! }
}

const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

describe('set-auth-token', () => {
  it('is the cookie value as sent, and exposed to scripts of trusted origins', async () => {
    const { answer, sent } = await signedIn()
    expect(answer.cookies[0]).toContain(`gatehouse.session_token=${sent};`)
    expect(sent).toMatch(/^[A-Za-z0-9]{32}\.[^;]+%3D$/)
    expect(answer.headers.get('access-control-expose-headers')).toContain('set-auth-token')
  })

  it('is not sent where bearer mode is off', async () => {
    const { sent } = await signedIn(new TestApp({ bearer: { enabled: false } }))
    expect(sent).toBeNull()
  })
})

describe('Authorization: Bearer', () => {
  it('opens with the signed token, encoded or decoded', async () => {
    const { app, sent } = await signedIn()
    for (const token of [sent, decodeURIComponent(sent)]) {
      expect((await app.device().get('/get-session', as(token))).body.user.email).toBe(alice.email)
      expect((await app.device().get('/list-sessions', as(token))).body).toHaveLength(2)
    }
    const update = await app
      .device()
      .post('/update-user', { name: 'Z' }, { headers: { authorization: `Bearer ${sent}`, origin: '' } })
    expect(update.body).toEqual({ status: true })
    expect(update.cookies).toEqual([])
  })

  it('opens nothing with a bare token, a foreign signature or garbage', async () => {
    const { app, sent, answer } = await signedIn()
    for (const token of [
      answer.body.token,
      `${answer.body.token}.${'a'.repeat(43)}=`,
      'bad.token',
      '%',
      sent.slice(0, -6),
    ]) {
      expect((await app.device().get('/get-session', as(token))).body).toBeNull()
      expect((await app.device().get('/list-sessions', as(token))).status).toBe(401)
    }
  })

  it('signs out', async () => {
    const { app, sent } = await signedIn()
    expect((await app.device().post('/sign-out', {}, as(sent))).body).toEqual({ success: true })
    expect((await app.device().get('/get-session', as(sent))).body).toBeNull()
  })
})

describe('a token that is replaced', () => {
  const change = { currentPassword: alice.password, newPassword: 'another-password', revokeOtherSessions: true }

  it('is returned to a bearer caller, who stays signed in, and sets no cookie', async () => {
    const { app, sent } = await signedIn()
    const changed = await app
      .device()
      .post('/change-password', change, { headers: { authorization: `Bearer ${sent}`, origin: '' } })
    expect(changed).toMatchObject({ status: 200, cookies: [] })
    const next = changed.headers.get('set-auth-token')!
    expect(decodeURIComponent(next).split('.')[0]).toBe(changed.body.token)
    expect((await app.device().get('/list-sessions', as(next))).body).toHaveLength(1)
    expect((await app.device().get('/list-sessions', as(sent))).status).toBe(401)
  })

  it('is returned to a browser as well, with the cookie', async () => {
    const app = new TestApp({ rateLimit: { enabled: false } })
    const device = await signUp(app, alice)
    const changed = await device.post('/change-password', change)
    expect(changed.headers.get('set-auth-token')).toBe(device.jar.get('gatehouse.session_token'))
    expect((await device.get('/list-sessions')).status).toBe(200)
  })
})
