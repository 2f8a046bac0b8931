import type { env as bindings } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { env } from '../testing/harness.ts'
import { alice, InitApp } from '../testing/init-app.ts'
import { webhookSecret } from '../testing/outside/webhook-receiver.ts'
import { signUp } from '../testing/people.ts'
// The code of the guide (guides/code-blocks.ts).
import { config as withHooks } from './customise-hooks.md#1.ts'
import { config as withWebhooks } from './customise-hooks.md#2.ts'
import receiver from './customise-hooks.md#3.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

describe('the hooks that the guide prints', () => {
  it('refuse, change and run after the sign-up', async () => {
    const app = new InitApp(withHooks)
    const refused = await app.device().post('/sign-up/email', { ...alice, email: 'eve@competitor.example' })
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 403,
      body: { code: 'NOT_FOR_YOU', message: 'This product is not for you' },
    })
    const ofAcme = await signUp(app, { ...alice, email: 'ann@acme.example' })
    const { user } = (await ofAcme.get('/get-session')).body
    expect(user.plan).toBe('team')
    expect(await env.KV.get(`welcome:${user.id}`, 'json')).toEqual({ name: 'Alice', language: 'en' })
    expect((await (await signUp(app, alice)).get('/get-session')).body.user.plan).toBe('free')
  })
})

describe('the receiver that the guide prints', () => {
  it('accepts each message of the printed configuration once, and rejects forged ones', async () => {
    const secret = webhookSecret('c')
    const there = { GATEHOUSE_SECRET_HERE: secret, SEEN: env.KV }
    const answers: [status: number, type: string][] = []
    const requests: Request[] = []
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const request = new Request(input, init)
      expect(request.url).toBe('https://crm.acme.example.com/gatehouse')
      requests.push(request.clone())
      const { type } = await request.clone().json<{ type: string }>()
      const answer = await receiver.fetch(request, there)
      answers.push([answer.status, type])
      return answer
    })
    const app = new InitApp(withWebhooks, { WEBHOOK_SECRET_CRM: secret } as Partial<typeof bindings>)
    const device = await signUp(app, alice)
    const { user } = (await device.get('/get-session')).body
    expect(answers).toEqual([[204, 'user.created']])
    expect(await env.KV.get(`contact:${user.id}`)).toBe(alice.email)
    await env.KV.delete(`contact:${user.id}`)
    expect((await receiver.fetch(requests[0]!.clone(), there)).status).toBe(204)
    expect(await env.KV.get(`contact:${user.id}`)).toBeNull()
    const forged = new Request(requests[0]!.clone(), { body: '{"type":"user.created","data":{}}' })
    expect((await receiver.fetch(forged, there)).status).toBe(401)
  })
})
