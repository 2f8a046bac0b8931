import { describe, expect, it, vi } from 'vitest'
import { env, TestApp } from '../testing/harness.ts'
import { alice, signUp } from '../testing/people.ts'

describe('reading from replicas', () => {
  const spied = (database: object) => {
    const from: string[] = []
    const DB = new Proxy(env.DB, {
      get(target, name) {
        if (name !== 'withSession') return Reflect.get(target, name)
        return (start: string) => {
          from.push(start)
          return target.withSession(
            start === 'first-primary' || start === 'first-unconstrained' ? start : 'first-primary',
          )
        }
      },
    })
    return { from, app: new TestApp({ database, session: { cookieCache: { enabled: false } } }, { DB }) }
  }

  it('get-session waits for what its caller has written, everything else reads the primary', async () => {
    const { app, from } = spied({ readReplication: true })
    const device = await signUp(app, alice)
    const bookmark = device.cookie('bookmark')!.split('.')[0]
    expect(bookmark).toBeTruthy()
    await device.get('/get-session')
    await device.get('/list-sessions')
    expect(from).toEqual(['first-primary', bookmark, 'first-primary'])
    for (const forged of ['forged', `forged.${'a'.repeat(43)}%3D`]) {
      device.jar.set('gatehouse.bookmark', forged)
      await device.get('/get-session')
      expect(from.at(-1)).toBe('first-unconstrained')
    }
  })

  it('without read replication there is no bookmark, and only the primary', async () => {
    const { app, from } = spied({ readReplication: false })
    const device = await signUp(app, alice)
    await device.get('/get-session')
    expect(device.cookie('bookmark')).toBeUndefined()
    expect(new Set(from)).toEqual(new Set(['first-primary']))
  })
})

describe('messages to one recipient', () => {
  it('are at most thirty an hour of one kind, whoever asks, and no kind uses up the budget of another', async () => {
    const app = new TestApp({ rateLimit: { enabled: false } })
    await signUp(app, alice)
    for (let n = 0; n < 35; n++) await app.device().post('/forget-password', { email: alice.email })
    await app.device().post('/sign-in/magic-link', { email: alice.email })
    const subjects = (await app.mailbox()).filter(({ to }) => to === alice.email).map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject.startsWith('Reset'))).toHaveLength(30)
    expect(subjects.filter((subject) => subject.startsWith('Sign in'))).toHaveLength(1)
  })
})

describe('what the answer does not wait for', () => {
  it('a mail that cannot be sent fails no request, and tells nobody', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const KV = new Proxy(env.KV, {
      get: (target, name) =>
        name === 'put'
          ? () => Promise.reject(new Error('mailbox out of order'))
          : Reflect.get(target, name).bind(target),
    })
    const { status } = await new TestApp({}, { KV }).device().post('/sign-up/email', alice)
    expect(status).toBe(200)
    expect(log.mock.calls.join()).toContain('mailbox out of order')
    log.mockRestore()
  })
})
