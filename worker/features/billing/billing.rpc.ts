import { Operations, type RpcAnswer, requireUserId, run } from '../../http/operations.ts'
import { type Entitlements, readEntitlements } from './entitlements/entitlements.ts'
import { listUndoneWebhooks, replayWebhook, type UndoneWebhook } from './webhook/receive.ts'

export class BillingOperations extends Operations {
  /** What a user has paid for, as the billing provider's webhooks have told: one round trip, none to the provider. */
  entitlementsOf(input: { userId: string }): Promise<RpcAnswer<Entitlements>> {
    return this[run]((scope) => readEntitlements(scope, requireUserId(input)))
  }

  /** The billing provider's webhooks whose handlers failed, or that could not be read, newest first. */
  undoneWebhooks(): Promise<RpcAnswer<UndoneWebhook[]>> {
    return this[run]((scope) => listUndoneWebhooks(scope))
  }

  /** Tries one of them again at once. */
  replayWebhook(input: { id: string }): Promise<RpcAnswer<{ done: boolean }>> {
    return this[run]((scope) => replayWebhook(scope, String(input.id)))
  }
}
