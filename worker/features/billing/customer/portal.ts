import type { Polar } from '@polar-sh/sdk/2026-10'
import type { Caller, Scope } from '../../../identity/scope.ts'
import type { AppErrorKind } from '../../../kit/errors.ts'
import { billingErrors as errors } from '../billing.errors.ts'
import { readEntitlements } from '../entitlements/entitlements.ts'
import { askProvider, ProviderFailure } from '../provider/ask-provider.ts'
import { camelCase } from '../provider/camel-case.ts'
import { listAnswer, sessionAnswer, stateAnswer } from '../provider/provider-answers.ts'
import { requireReference } from '../reference.ts'

/** The data of a customer at the provider, read through a customer session. */

export interface PortalPage {
  page?: number | undefined
  limit?: number | undefined
}

export interface Listed {
  result: { items: { id: string }[]; pagination: { totalCount: number; maxPage: number } }
}

const openSession = (scope: Scope, { user }: Caller) =>
  askProvider(scope, sessionAnswer, ({ customerSessions }) =>
    customerSessions.create({ external_customer_id: user.id }),
  )

/** Maps a failure of the provider to the endpoint's error. */
async function orElse<T>(error: AppErrorKind, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof ProviderFailure) throw error({ detail: thrown.message })
    throw thrown
  }
}

/**
 * Returns the address of the provider's portal with a session of the caller. @throws CUSTOMER_PORTAL_CREATION_FAILED
 */
export const openPortal = (scope: Scope, caller: Caller) =>
  orElse(errors.CUSTOMER_PORTAL_CREATION_FAILED, async () => {
    const { customer_portal_url: url } = await openSession(scope, caller)
    return { url, redirect: true as const }
  })

/** The caller's subscriptions, benefits and meters; during an outage those from webhooks, with the time `asOf`. */
export async function customerState(scope: Scope, { user }: Caller): Promise<Record<string, unknown>> {
  try {
    const state = await askProvider(scope, stateAnswer, ({ customers }) => customers.getStateExternal(user.id))
    return camelCase(state) as Record<string, unknown>
  } catch (thrown) {
    if (!(thrown instanceof ProviderFailure)) throw thrown
    const known = thrown.isOutage ? await readEntitlements(scope, user.id) : null
    if (!known?.customer || !known.asOf) throw errors.SUBSCRIPTIONS_LIST_FAILED({ detail: thrown.message })
    const { customer, activeSubscriptions, grantedBenefits, activeMeters, asOf } = known
    scope.response.headers.set('age', String(Math.max(0, Math.floor((scope.now().getTime() - asOf.getTime()) / 1000))))
    return { ...customer, activeSubscriptions, grantedBenefits, activeMeters, asOf }
  }
}

type Portal = Polar['customerPortal']
type Ask = (portal: Portal, options: { accessToken: string }) => Promise<unknown>

const nothing: Listed = { result: { items: [], pagination: { totalCount: 0, maxPage: 0 } } }

/** The token of the caller's session at the provider; null for a user who is not a customer. @throws ProviderFailure */
export async function portalToken(scope: Scope, caller: Caller): Promise<string | null> {
  try {
    return (await openSession(scope, caller)).token
  } catch (thrown) {
    if (thrown instanceof ProviderFailure && (thrown.status === 404 || thrown.status === 422)) return null
    throw thrown
  }
}

/** A list that the caller's session at the provider may read; empty for a user who is not a customer. */
const list = (scope: Scope, caller: Caller, error: AppErrorKind, ask: Ask) =>
  orElse(error, async () => {
    const token = await portalToken(scope, caller)
    if (token === null) return nothing
    return listed(
      await askProvider(scope, listAnswer, ({ customerPortal }) => ask(customerPortal, { accessToken: token })),
    )
  })

const listed = (answer: unknown): Listed => ({ result: camelCase(answer) as Listed['result'] })

/** @throws BENEFITS_LIST_FAILED */
export const listBenefits = (scope: Scope, caller: Caller, page: PortalPage) =>
  list(scope, caller, errors.BENEFITS_LIST_FAILED, (portal, as) => portal.benefitGrants.list(page, as))

/** @throws ORDERS_LIST_FAILED */
export const listOrders = (
  scope: Scope,
  caller: Caller,
  { productBillingType, ...page }: PortalPage & { productBillingType?: 'recurring' | 'one_time' | undefined },
) =>
  list(scope, caller, errors.ORDERS_LIST_FAILED, (portal, as) =>
    portal.orders.list({ ...page, ...(productBillingType && { product_billing_type: productBillingType }) }, as),
  )

/** @throws METERS_LIST_FAILED */
export const listMeters = (scope: Scope, caller: Caller, page: PortalPage) =>
  list(scope, caller, errors.METERS_LIST_FAILED, (portal, as) => portal.customerMeters.list(page, as))

/** The caller's subscriptions, or those of a reference that the caller may manage. */
export async function listSubscriptions(
  scope: Scope,
  caller: Caller,
  { referenceId, active, ...page }: PortalPage & { active?: boolean | undefined; referenceId?: string | undefined },
): Promise<Listed> {
  const query = { ...page, ...(active !== undefined && { active }) }
  if (referenceId === undefined) {
    return list(scope, caller, errors.POLAR_SUBSCRIPTIONS_LIST_FAILED, (portal, as) =>
      portal.subscriptions.list(query, as),
    )
  }
  await requireReference(scope, caller, referenceId)
  return orElse(errors.SUBSCRIPTIONS_LIST_WITH_REFERENCEID_FAILED, async () =>
    listed(
      await askProvider(scope, listAnswer, ({ subscriptions }) =>
        subscriptions.list({ ...query, metadata: { referenceId } }),
      ),
    ),
  )
}
