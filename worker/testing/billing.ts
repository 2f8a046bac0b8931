import { vi } from 'vitest'
import type { Config } from '../read-config.ts'
import { type Answer, type Device, env, type TestApp } from './harness.ts'
import { BillingProvider, providerToken } from './outside/billing-provider.ts'
import { providerSecret, type SignedWebhook, signWebhook } from './outside/billing-webhooks.ts'
import { type Trouble, timeOutAtOnce } from './outside/trouble.ts'

/** For tests: an application with billing, and the provider that it asks. */

/** What `billing` says, with changes. */
export const withBilling = (changes: Config['billing'] = {}): Config => ({
  rateLimit: { enabled: false },
  billing: {
    server: 'http://billing.test',
    accessToken: providerToken,
    webhookSecret: providerSecret,
    createCustomerOnSignUp: true,
    successUrl: '/bought?checkout_id={CHECKOUT_ID}',
    products: [
      { productId: 'prod_pro', slug: 'pro' },
      { productId: 'prod_book', slug: 'book' },
    ],
    ...changes,
  },
})

/** From now on all outside requests go to a provider of their own. Restore with vi.restoreAllMocks(). */
export function installProvider(): BillingProvider {
  const provider = new BillingProvider()
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) =>
    provider.receive(new Request(input, { ...init, signal: null }), init?.signal),
  )
  return provider
}

export const troubles: Trouble[] = ['answers 500', 'answers garbage', 'answers nothing']

/** Puts the provider out of order; nobody sits through a time-out. */
export function breakDown(provider: BillingProvider, trouble: Trouble, times?: number, lost?: boolean): void {
  if (trouble === 'answers nothing') vi.spyOn(AbortSignal, 'timeout').mockImplementation(timeOutAtOnce)
  provider.fail(trouble, times, lost)
}

/** Sends a webhook as it is. */
export const sendWebhook = (device: Device, { body, headers }: SignedWebhook): Promise<Answer> =>
  device.post('/polar/webhooks', body, { headers: { ...headers, origin: '' } })

/** Sends an event, signed. */
export const sendEvent = async (app: TestApp, event: unknown, signing?: Parameters<typeof signWebhook>[1]) =>
  sendWebhook(app.device(), await signWebhook(event, signing))

/** Delivers what the provider has to tell. */
export async function deliverAll(app: TestApp, provider: BillingProvider): Promise<void> {
  for (const event of provider.events.splice(0)) {
    const { status, body } = await sendEvent(app, event)
    if (status !== 200) throw new Error(`${event.type}: ${status} ${JSON.stringify(body)}`)
  }
}

export const count = async (table: string): Promise<number> =>
  (await env.DB.prepare(`select count(*) as n from ${table}`).first<{ n: number }>())!.n

export const userIdOf = async (email: string): Promise<string> =>
  (await env.DB.prepare('select id from users where email = ?').bind(email).first<{ id: string }>())!.id
