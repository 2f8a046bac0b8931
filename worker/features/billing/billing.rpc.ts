import { Operations, type RpcAnswer, requireUserId, run } from '../../http/operations.ts'
import { type Entitlements, readEntitlements } from './entitlements/entitlements.ts'

export class BillingOperations extends Operations {
  /**
   * Returns the purchases of a user, as received from the billing provider's webhooks: one round trip, no request to
   * the provider.
   */
  entitlementsOf(input: { userId: string }): Promise<RpcAnswer<Entitlements>> {
    return this[run]((scope) => readEntitlements(scope, requireUserId(input)))
  }
}
