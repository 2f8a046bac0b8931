import { describe, expect, it, vi } from 'vitest'
import { env, TestApp } from '../testing/harness.ts'
import { alice, signUp } from '../testing/people.ts'
import { rowsOf } from '../testing/rows.ts'

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

  it('reads that may lag wait for what their caller has written, everything else reads the primary', async () => {
    const { app, from } = spied({ readReplication: true })
    const device = await signUp(app, alice)
    const bookmark = device.cookie('bookmark')!.split('.')[0]
    expect(bookmark).toBeTruthy()
    await device.get('/get-session')
    await device.get('/list-sessions')
    await device.post('/update-user', { name: 'Alice B' })
    expect(from).toEqual(['first-primary', bookmark, bookmark, 'first-primary'])
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
  it('are at most ten an hour of one kind from all callers, and no kind uses up the part of another', async () => {
    const app = new TestApp({ rateLimit: { enabled: false } })
    await signUp(app, alice)
    for (let n = 0; n < 35; n++) await app.device().post('/forget-password', { email: alice.email })
    await app.device().post('/sign-in/magic-link', { email: alice.email })
    const subjects = (await app.mailbox()).filter(({ to }) => to === alice.email).map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject.startsWith('Reset'))).toHaveLength(10)
    expect(subjects.filter((subject) => subject.startsWith('Sign in'))).toHaveLength(1)
  })
})

describe('what the answer does not wait for', () => {
  const scopeOf = (app: TestApp) => app.openScope()

  it('begins with the answer, and what it puts off itself begins after it; what throws at once is caught', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const done: string[] = []
    const { scope, settle } = scopeOf(new TestApp())
    scope.after(() => {
      done.push('first')
      scope.after(async () => {
        done.push('second')
        scope.after(() => done.push('third'))
      })
    })
    scope.after(() => {
      throw new Error('thrown at once')
    })
    expect(done).toEqual([])
    await settle()
    expect(done).toEqual(['first', 'second', 'third'])
    expect(log.mock.calls.join()).toContain('thrown at once')
    log.mockRestore()
  })

  it('and must not be lost, is a task: tried at once, and again by the cron trigger until it works', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.useFakeTimers({ toFake: ['Date'] })
    let broken = true
    const KV = new Proxy(env.KV, {
      get: (target, name) =>
        name === 'put' && broken
          ? () => Promise.reject(new Error('mailbox out of order'))
          : Reflect.get(target, name).bind(target),
    })
    const app = new TestApp({}, { KV })
    await app.device().post('/sign-up/email', alice)
    const tasks = () => rowsOf('jobs', { state: 'pending' })
    expect(await tasks()).toMatchObject([{ kind: 'mail', attempts: 1 }])
    expect(JSON.stringify(await tasks())).not.toContain(alice.email)
    await app.runScheduled()
    expect(await tasks()).toMatchObject([{ attempts: 1 }])
    vi.setSystemTime(Date.now() + 60_000)
    await app.runScheduled()
    expect(await tasks()).toMatchObject([{ attempts: 2 }])
    broken = false
    vi.setSystemTime(Date.now() + 300_000)
    await Promise.all([app.runScheduled(), app.runScheduled()])
    expect(await tasks()).toEqual([])
    expect((await app.mailbox()).map(({ to }) => to)).toEqual([alice.email])
    vi.useRealTimers()
    log.mockRestore()
  })

  it('a mail that cannot be sent fails no request, and the answer does not show it', async () => {
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
