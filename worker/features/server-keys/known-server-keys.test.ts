import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { maxOutage } from '../../platform/circuit.ts'
import { administrator } from '../../testing/admins.ts'
import { serverKey as apiKey } from '../../testing/api-keys.ts'
import { FaultInjector } from '../../testing/faults.ts'
import { TestApp } from '../../testing/harness.ts'
import { someone } from '../../testing/organizations.ts'
import { deleteRows } from '../../testing/rows.ts'
import { backEnd, callerWith } from '../../testing/server-keys.ts'
import { rememberedFor } from './server-keys.config.ts'

// Each TestApp is an isolate of its own. The isolates of a test share the bindings and the cache.
let started = Date.now()

beforeEach(() => {
  // Answers of the feed that an earlier test left in the cache are too old.
  started += 10_800_000
  vi.useFakeTimers({ toFake: ['Date'], now: started })
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)
const unlimited = { rateLimit: { enabled: false } }

/** A back end with a server key that verifies an API key, and an isolate whose calls are counted. */
async function scene() {
  const app = new TestApp(unlimited)
  const faults = new FaultInjector()
  const other = new TestApp(unlimited, faults.bindings(), false)
  const { id: userId } = await someone(app, 'Alice')
  const { key } = await apiKey(app, { userId }, { rateLimitEnabled: false })
  const server = await backEnd(app)
  const there = callerWith(other, server.id, server.key)
  /** The code of the API key, or of the refusal of the server key. */
  const verify = async (permission = 'verifyApiKey') => {
    const { status, body } = await there.call(permission, { key })
    return status === 200 ? (body.valid ? 'valid' : body.error.code) : body.code
  }
  expect(await verify()).toBe('valid')
  faults.watch()
  return { app, other, faults, server, verify }
}

const d1 = ({ calls }: FaultInjector) => calls.filter((call) => call.startsWith('D1'))

describe('a server key that was verified a moment ago', () => {
  it('verifies API keys without a call of D1, and is read again after four seconds', async () => {
    const { faults, verify } = await scene()
    for (let second = 0; second < 3; second++) {
      pass(1)
      expect(await verify()).toBe('valid')
    }
    expect(d1(faults)).toEqual([])
    pass(1)
    expect(await verify()).toBe('valid')
    expect(d1(faults)).toHaveLength(1)
  })

  it('is refused within five seconds after it was revoked, and at once where that happened', async () => {
    const { app, server, verify } = await scene()
    const boss = await administrator(app)
    const here = callerWith(app, server.id, server.key)
    expect((await here.call('listUsers')).status).toBe(200)
    expect((await boss.device.post('/admin/revoke-server-key', { id: server.id })).status).toBe(200)
    expect((await here.call('listUsers')).body.code).toBe('INVALID_SERVER_KEY')
    pass(5)
    expect(await verify()).toBe('INVALID_SERVER_KEY')
  })

  it('is refused within five seconds after the command line has deleted its row', async () => {
    const { server, verify } = await scene()
    await deleteRows('server_keys', { id: server.id })
    pass(5)
    expect(await verify()).toBe('INVALID_SERVER_KEY')
  })

  it('goes on while the database does not answer, and so does the verification of known API keys', async () => {
    const { faults, verify, other, app } = await scene()
    faults.outage('D1')
    pass(rememberedFor + maxOutage - 2)
    expect(await verify()).toBe('valid')
    // Neither a key that this isolate has not seen, nor an operation that needs the database.
    const unknown = await (async () => {
      faults.watch()
      const made = await backEnd(app)
      faults.outage('D1')
      return callerWith(other, made.id, made.key)
    })()
    expect((await unknown.call('listUsers')).status).toBe(503)
    expect(await verify('listUsers')).toBe('UNAVAILABLE')
    pass(4)
    expect(await verify()).toBe('UNAVAILABLE')
    faults.watch()
    expect(await verify()).toBe('valid')
  })

  it('does not go on if it was revoked before the database stopped', async () => {
    const { app, faults, server, verify } = await scene()
    const boss = await administrator(app)
    await boss.device.post('/admin/revoke-server-key', { id: server.id })
    pass(5)
    faults.outage('D1')
    expect(await verify()).toBe('UNAVAILABLE')
    pass(maxOutage)
    expect(await verify()).toBe('UNAVAILABLE')
  })
})
