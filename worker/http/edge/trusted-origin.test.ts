import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../configuration/read-config.ts'
import type { Env } from '../../platform/env.ts'
import { type Device, TestApp } from '../../testing/harness.ts'
import { alice, signUp } from '../../testing/people.ts'

const unlimited = { rateLimit: { enabled: false } }
const stranger = 'http://localhost:5173'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Collects the log lines about origins during an action. */
async function told(work: () => Promise<unknown>): Promise<unknown[]> {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  await work()
  const lines = warn.mock.calls.map(([line]) => JSON.parse(String(line)))
  warn.mockRestore()
  return lines.filter(({ event }) => event === 'origin-refused').map(({ add }) => add)
}

describe('a page that is opened at another address than BASE_URL', () => {
  it('the log says so, because trustedOrigins would not change the links in mails', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const device = new TestApp().device()
    const other = 'http://localhost:8842'
    const answer = await device.post(`${other}/api/auth/sign-in/email`, alice, { headers: { origin: other } })
    expect(answer.status).toBe(403)
    const lines = warn.mock.calls.map(([line]) => JSON.parse(String(line)))
    warn.mockRestore()
    expect(lines[0]).toMatchObject({ event: 'base-url-differs', opened: other })
    expect(lines[0].advice).toContain('http://localhost:8787')
  })
})

describe('an origin that is refused in development', () => {
  const calls: Record<string, (device: Device) => Promise<unknown>> = {
    'a POST': (device) => device.post('/sign-in/email', alice, { headers: { origin: stranger } }),
    'a Referer': (device) =>
      device.post('/sign-in/email', alice, { headers: { origin: '', referer: `${stranger}/page?secret=1` } }),
    'a read': (device) => device.get('/get-session', { headers: { origin: stranger } }),
    'a callback': (device) => device.post('/sign-in/email', { ...alice, callbackURL: `${stranger}/in` }),
  }

  it.each(Object.entries(calls))('%s: the log has the line to add', async (_name, call) => {
    const device = new TestApp(unlimited).device()
    expect(await told(() => call(device))).toEqual([`trustedOrigins: ['${stranger}']`])
  })

  it('the line keeps what is configured; a preflight logs it too', async () => {
    const app = new TestApp({ ...unlimited, trustedOrigins: ['https://*.example.com'] })
    const preflight = new Request('http://localhost:8787/api/auth/sign-in/email', {
      method: 'OPTIONS',
      headers: {
        origin: stranger,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    })
    expect(await told(() => app.fetch(preflight))).toEqual([`trustedOrigins: ['https://*.example.com', '${stranger}']`])
  })

  it('says nothing of trusted origins, of invalid origins, and in production', async () => {
    const trusting = new TestApp({ ...unlimited, trustedOrigins: [stranger] }).device()
    for (const call of Object.values(calls)) expect(await told(() => call(trusting))).toEqual([])
    const device = new TestApp(unlimited).device()
    expect(await told(() => device.post('/sign-in/email', alice, { headers: { origin: 'null' } }))).toEqual([])
    const production = new TestApp({ ...unlimited, mail: { transport: 'smtp' } }, {
      ENVIRONMENT: 'production',
      BASE_URL: 'https://accounts.example.com',
      SMTP_HOST: 'smtp.example.com',
    } as Partial<Env>)
    expect(await told(() => calls['a POST']!(production.device()))).toEqual([])
  })
})

describe('advanced.disableOriginCheck', () => {
  it.each([true, 'in-production-too'] as const)(
    '%s: a POST of any origin passes; targets stay checked',
    async (chosen) => {
      const app = new TestApp({ ...unlimited, advanced: { disableOriginCheck: chosen } } as Config)
      const device = await signUp(app, alice)
      const headers = { origin: 'https://evil.example.org' }
      expect((await device.post('/update-user', { name: 'B' }, { headers })).status).toBe(200)
      const { status, body } = await device.post('/sign-in/email', {
        ...alice,
        callbackURL: 'https://evil.example.org',
      })
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'INVALID_CALLBACKURL' })
      // Scripts of other origins cannot read the response.
      const read = await device.get('/get-session', { headers })
      expect(read.headers.get('access-control-allow-origin')).toBeNull()
    },
  )
})
