import { vi } from 'vitest'
import type { Config } from '../configuration/read-config.ts'
import type { Answer, Device, TestApp } from './harness.ts'
import { BillingProvider, providerToken } from './outside/billing-provider.ts'
import { providerSecret, type SignedWebhook, signWebhook } from './outside/billing-webhooks.ts'
import { type Trouble, timeOutAtOnce } from './outside/trouble.ts'

/** For tests: an application with billing, and its provider. */

/** The `billing` configuration with changes. */
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

/** Sends all outside requests to a new fake provider. Restore with vi.restoreAllMocks(). */
export function installProvider(): BillingProvider {
  const provider = new BillingProvider()
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) =>
    provider.receive(new Request(input, { ...init, signal: null }), init?.signal),
  )
  return provider
}

export const troubles: Trouble[] = ['answers 500', 'answers garbage', 'answers nothing']

/** Puts the provider out of order. Timeouts abort immediately, so that tests do not wait. */
export function breakDown(provider: BillingProvider, trouble: Trouble, times?: number, lost?: boolean): void {
  if (trouble === 'answers nothing') vi.spyOn(AbortSignal, 'timeout').mockImplementation(timeOutAtOnce)
  provider.fail(trouble, times, lost)
}

/** Sends a webhook unchanged. */
export const sendWebhook = (device: Device, { body, headers }: SignedWebhook): Promise<Answer> =>
  device.post('/polar/webhooks', body, { headers: { ...headers, origin: '' } })

/** Signs and sends an event. */
export const sendEvent = async (app: TestApp, event: unknown, signing?: Parameters<typeof signWebhook>[1]) =>
  sendWebhook(app.device(), await signWebhook(event, signing))

/** Delivers the webhooks of the provider. */
export async function deliverAll(app: TestApp, provider: BillingProvider): Promise<void> {
  for (const event of provider.events.splice(0)) {
    const { status, body } = await sendEvent(app, event)
    if (status !== 200) throw new Error(`${event.type}: ${status} ${JSON.stringify(body)}`)
  }
}
