import { afterEach, expect, it, vi } from 'vitest'
import { TestApp } from '../testing/harness.ts'

afterEach(() => vi.restoreAllMocks())

const address = 'http://127.0.0.1:49999/log'
const reports = () => {
  const real = globalThis.fetch
  const sent: Record<string, unknown>[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (String(input) !== address) return real(input, init)
    sent.push(JSON.parse(String(init!.body)))
    return new Response(null, { status: 204 })
  })
  return sent
}
const person = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery staple' }

it('an error is reported with its request id, and without anything that was sent', async () => {
  const sent = reports()
  const device = new TestApp({}, { ERROR_LOG: address }).device()
  const refused = await device.post('/sign-up/email?token=secret-1', person, {
    headers: { origin: 'http://localhost:3000' },
  })
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toEqual({
    requestId: refused.headers.get('x-request-id'),
    at: expect.any(String),
    ...{
      method: 'POST',
      path: '/sign-up/email',
      status: 403,
      code: 'INVALID_ORIGIN',
      message: 'Invalid origin',
    },
    hint: expect.stringContaining('Add http://localhost:3000'),
    ...(sent[0]!.reason ? { reason: expect.any(String) } : {}),
  })
  expect(JSON.stringify(sent)).not.toMatch(/secret-1|correct horse|ada@/)
  await device.post('/sign-up/email', { ...person, name: 5 })
  await vi.waitFor(() => expect(sent).toHaveLength(2))
  expect(sent[1]).toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ path: expect.anything() }] })
})

it('nothing is reported without the address, or about an answer', async () => {
  const sent = reports()
  await new TestApp().device().post('/sign-up/email', { ...person, email: 'x' })
  expect((await new TestApp({}, { ERROR_LOG: address }).device().get('/ok')).status).toBe(200)
  expect(sent).toEqual([])
})
