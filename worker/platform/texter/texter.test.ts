import { afterEach, expect, test, vi } from 'vitest'
import type { Env } from '../env.ts'
import { texter } from './texter.ts'

const secrets = { TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 'token', TWILIO_FROM: '+15550009999' }
const message = { to: '+15550001111', text: 'Your code is 123456' }
const send = (changes: object = {}) =>
  texter({ transport: 'twilio' }, { ...secrets, ...changes } as unknown as Env)(message)

const answerWith = (answer: Response) => vi.spyOn(globalThis, 'fetch').mockResolvedValue(answer)

afterEach(() => {
  vi.restoreAllMocks()
})

test('posts a form to the Messages API with basic authentication and a time-out', async () => {
  const fetched = answerWith(Response.json({ sid: 'SM1', status: 'queued' }, { status: 201 }))
  await send()
  const [url, init] = fetched.mock.calls[0]! as [string, RequestInit]
  expect(url).toBe('https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json')
  expect(init.method).toBe('POST')
  expect(new Headers(init.headers).get('authorization')).toBe(`Basic ${btoa('AC1:token')}`)
  expect(Object.fromEntries(init.body as URLSearchParams)).toEqual({
    To: '+15550001111',
    Body: 'Your code is 123456',
    From: '+15550009999',
  })
  expect(init.signal).toBeInstanceOf(AbortSignal)
})

test('a messaging service sends by its id', async () => {
  const fetched = answerWith(Response.json({}, { status: 201 }))
  await send({ TWILIO_FROM: 'MG1' })
  const body = fetched.mock.calls[0]![1]!.body as URLSearchParams
  expect(body.get('MessagingServiceSid')).toBe('MG1')
  expect(body.has('From')).toBe(false)
})

test.each([
  [401, { code: 20003, message: 'Authenticate' }, /status 401, error 20003.*TWILIO_AUTH_TOKEN/],
  [400, { code: 21211, message: "The 'To' number +15550001111 is not valid" }, /status 400, error 21211/],
  [500, undefined, /status 500/],
])('a refusal with %i says what to do, and not to whom', async (status, body, reason) => {
  answerWith(body ? Response.json(body, { status }) : new Response('oops', { status }))
  const refusal = (await send().catch((thrown: Error) => thrown)) as Error
  expect(refusal.message).toMatch(reason)
  expect(refusal.message).not.toMatch(/\+1555|123456/)
})

test('no answer is an error', async () => {
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new DOMException('timed out', 'TimeoutError'))
  await expect(send()).rejects.toThrow(/could not be reached \(timed out\)/)
})

test('missing secrets are named', async () => {
  await expect(send({ TWILIO_AUTH_TOKEN: '', TWILIO_FROM: undefined })).rejects.toThrow(
    /^TWILIO_AUTH_TOKEN, TWILIO_FROM missing/,
  )
})
