import { tracing } from 'cloudflare:workers'
import { afterEach, expect, it, vi } from 'vitest'
import { TestApp } from '../testing/harness.ts'
import { alice, signUp } from '../testing/people.ts'

afterEach(() => vi.restoreAllMocks())

function scene(writeDataPoint: (point: AnalyticsEngineDataPoint) => void) {
  const attributes: Record<string, unknown>[] = []
  const span = { isTraced: true, setAttributes: (given: Record<string, unknown>) => attributes.push(given) }
  vi.spyOn(tracing, 'getActiveSpan').mockReturnValue(span as never)
  const app = new TestApp({}, { AUTH_EVENTS: { writeDataPoint } })
  return { app, attributes }
}

it('a request that changes something or fails is one data point, each request a span, and neither has personal data', async () => {
  const points: AnalyticsEngineDataPoint[] = []
  const { app, attributes } = scene((point) => points.push(point))
  const device = await signUp(app, alice)
  await device.get('/get-session')
  await device.post('/sign-in/email', { ...alice, password: 'not the password of alice' })
  await device.get('/reset-password/a-secret-token?callbackURL=/')
  await device.get('/no-endpoint')
  const shown = points.map(({ indexes, blobs, doubles }) => ({ path: indexes![0], of: blobs, status: doubles![0] }))
  expect(shown).toEqual([
    { path: '/sign-up/email', of: ['POST', 'signed-in'], status: 200 },
    { path: '/sign-in/email', of: ['POST', 'INVALID_EMAIL_OR_PASSWORD'], status: 401 },
  ])
  const [, , d1] = points[0]!.doubles!
  expect(d1).toBeGreaterThan(0)
  expect(
    attributes.map((given) => [given['http.route'], given['gatehouse.outcome'], given['gatehouse.status']]),
  ).toEqual([
    ['/sign-up/email', 'signed-in', 200],
    ['/get-session', 'ok', 200],
    ['/sign-in/email', 'INVALID_EMAIL_OR_PASSWORD', 401],
    ['/reset-password/:token', 'ok', 302],
  ])
  expect(attributes[0]!['gatehouse.io.d1']).toBe(d1)
  for (const text of [alice.email, alice.name, device.ip, 'a-secret-token', device.cookie('session_token')!])
    expect(JSON.stringify([points, attributes])).not.toContain(text)
})

it('a data set that fails does not fail the request', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { app } = scene(() => {
    throw new Error('no data set')
  })
  await signUp(app, alice)
  expect(String(logged.mock.calls[0])).toContain('not-observed')
})
