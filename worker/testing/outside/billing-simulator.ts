import { type BillingConfiguration, billingConfigurationAt, startBillingServer } from './billing-server.ts'

export type { BillingConfiguration }

/** A billing provider for tests of a product (gatehouse-auth/testing/billing): hosted pages, an API and webhooks. */
export interface BillingSimulator {
  /** `http://127.0.0.1:PORT` */
  origin: string
  /** The `billing` options of a Worker that uses it. */
  configuration: BillingConfiguration
  /** Every request to its API, in order. */
  requests(): { method: string; path: string; body: unknown }[]
  /** The subscriptions of all customers; `reference` is the id of the user or organization. */
  subscriptions(): { id: string; productId: string; status: string; reference: string }[]
  /** Ends a subscription at once, as the provider does after a failed payment, and sends the webhook. */
  cancel(subscriptionId: string): Promise<void>
  /** The next requests fail with 500. @param times default: until `recover` */
  fail(times?: number): void
  recover(): void
  /** Resolves when all pending webhooks were sent. */
  delivered(): Promise<void>
  close(): Promise<void>
}

export interface BillingSimulatorOptions {
  /** A free port by default. The Worker needs the configuration before it starts, so that tests choose one. */
  port?: number
  /**
   * The origin of the Worker that receives webhooks. null: they wait for `deliverBilling` of gatehouse-auth/testing,
   * because a Worker inside vitest has no port.
   * @default 'http://localhost:8787'
   */
  accounts?: string | null
}

/** The `billing` options for a simulator at a port, for a configuration that is read before it starts. */
export const billingConfiguration = (port: number): BillingConfiguration =>
  billingConfigurationAt(`http://127.0.0.1:${port}`)

/** Starts the simulator on this machine. All payments are simulated. */
export async function startBilling({ port = 0, accounts }: BillingSimulatorOptions = {}): Promise<BillingSimulator> {
  const deliversItself = accounts !== null
  const application = () => accounts ?? 'http://localhost:8787'
  const server = await startBillingServer(application, { port, deliversItself })
  const { provider } = server
  const send = async () => {
    if (deliversItself) await server.deliver()
  }
  return {
    origin: server.origin,
    configuration: server.configuration,
    requests: () => provider.requests.map(({ method, path, body }) => ({ method, path, body })),
    subscriptions: () =>
      [...provider.accounts.values()].flatMap(({ customer, subscriptions }) =>
        subscriptions.map(({ id, product, status, metadata }) => ({
          id,
          productId: product.id,
          status,
          reference: String(metadata.referenceId ?? customer.external_id),
        })),
      ),
    async cancel(id) {
      provider.cancel(id)
      await send()
    },
    fail: (times) => provider.fail('answers 500', times),
    recover: () => provider.recover(),
    delivered: send,
    close: () => server.close(),
  }
}
