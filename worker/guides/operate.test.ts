import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ServerApi } from '../rpc/rpc.ts'
import { codeOf } from '../testing/authenticator.ts'
import { alice, InitApp } from '../testing/init-app.ts'
import { installReceivers, WebhookReceiver, webhookSecret } from '../testing/outside/webhook-receiver.ts'
import { signUp } from '../testing/people.ts'
import { updateRows } from '../testing/rows.ts'
import { challenge, signUpProtected } from '../testing/two-factor.ts'
import * as printed from './operate.md#1.ts'

/** The code of the guide. */
const { redeliverAll } = printed as unknown as { redeliverAll(api: ServerApi): Promise<number> }

afterEach(() => {
  vi.restoreAllMocks()
})

describe('the guide to operate', () => {
  it('rotating the secret keeps sessions and second factors; without the old one they are lost', async () => {
    const [first, second] = ['the-first-secret', 'the-second-secret'].map((name) => name.padEnd(40, '-'))
    const before = new InitApp({}, { GATEHOUSE_SECRET: first! })
    const { device: old, totpURI, backupCodes } = await signUpProtected(before, alice)
    // Between the two commands, and after both of them.
    const between = new InitApp({}, { GATEHOUSE_SECRET: first!, GATEHOUSE_PREVIOUS_SECRETS: first! })
    const after = new InitApp({}, { GATEHOUSE_SECRET: second!, GATEHOUSE_PREVIOUS_SECRETS: first! })
    for (const app of [between, after]) {
      const device = Object.assign(app.device(), { jar: new Map(old.jar) })
      const query = { disableCookieCache: 'true' }
      expect((await device.get('/get-session', { query })).body.user.email).toBe(alice.email)
    }
    const device = await challenge(after, alice)
    expect((await device.post('/two-factor/verify-totp', { code: await codeOf(totpURI) })).status).toBe(200)

    const withoutOldSecret = new InitApp({}, { GATEHOUSE_SECRET: second! })
    expect(
      (await Object.assign(withoutOldSecret.device(), { jar: new Map(old.jar) }).get('/get-session')).body,
    ).toBeNull()
    const locked = await challenge(withoutOldSecret, alice)
    vi.spyOn(console, 'error').mockImplementation(() => {})
    expect((await locked.post('/two-factor/verify-backup-code', { code: backupCodes[0]! })).status).not.toBe(200)
  })

  it('redeliverAll delivers messages that were given up, the oldest first', async () => {
    const receiver = new WebhookReceiver()
    installReceivers(receiver)
    const app = new InitApp(
      {
        webhooks: {
          endpoints: [
            { name: 'crm', url: receiver.url, events: ['user.*', 'session.*'], secrets: ['WEBHOOK_SECRET_CRM'] },
          ],
        },
      },
      { WEBHOOK_SECRET_CRM: webhookSecret('a') } as object,
    )
    receiver.answers = 500
    for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
    await signUp(app, alice)
    await updateRows('jobs', { state: 'failed' }, { kind: 'webhook/crm' })
    expect(await redeliverAll(app.serverApi())).toBe(0)
    await updateRows('jobs', { state: 'failed' }, { kind: 'webhook/crm' })
    receiver.answers = null
    expect(await redeliverAll(app.serverApi())).toBe(2)
    expect(receiver.types).toEqual(['user.created', 'session.created'])
    expect(await redeliverAll(app.serverApi())).toBe(0)
  })
})
