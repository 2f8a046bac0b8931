import type { Scope } from '../../../identity/scope.ts'
import { findEntitlements } from './entitlements.store.ts'
import type { EntitlementKind } from './entitlements.table.ts'

type Shown = Record<string, unknown>

/** The purchases of a user, from the provider's webhooks. */
export interface Entitlements {
  /** null: the user is not a known customer. */
  customer: Shown | null
  activeSubscriptions: Shown[]
  grantedBenefits: Shown[]
  activeMeters: Shown[]
  /** When the last webhook about the customer arrived. */
  asOf: Date | null
}

/** One round trip, and no request to the provider. */
export async function readEntitlements(scope: Scope, userId: string): Promise<Entitlements> {
  const known = await findEntitlements(scope.db, userId)
  const all = known?.entitlements ?? []
  const of = (kind: EntitlementKind) => all.filter((one) => one.kind === kind).map(({ data }) => data)
  return {
    customer: known?.customer.data ?? null,
    activeSubscriptions: of('subscription'),
    grantedBenefits: of('benefit'),
    activeMeters: of('meter'),
    asOf: known?.customer.receivedAt ?? null,
  }
}
