import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import type { Result } from '../../lib/auth/types.ts'
import { refreshQueries, useQuery } from '../../lib/queries.ts'
import type { Loadable } from '../../ui/state.tsx'

export interface Subscription {
  id: string
  status: string
  amount: number
  currency: string
  recurringInterval: string
  currentPeriodEnd: Date | null
  cancelAtPeriodEnd: boolean
  endsAt: Date | null
  endedAt: Date | null
  checkoutId: string | null
  product: { id: string; name: string }
}

export interface Order {
  id: string
  createdAt: Date
  status: string
  totalAmount: number
  refundedAmount: number
  currency: string
  checkoutId: string | null
  productId: string | null
  paid: boolean
  receiptNumber: string | null
  product: { name: string } | null
}

export interface Benefit {
  id: string
  isGranted: boolean
  benefit: { type: string; description: string }
}

export interface Meter {
  id: string
  meterId: string
  consumedUnits: number
  creditedUnits: number
  meter: { name: string }
}

const query = { limit: 100 }

/** The contract leaves the fields of an item to the billing provider; the types above name those that the screens use. */
async function itemsOf<Item>(answer: Promise<Result<{ result: { items: unknown[] } }>>): Promise<Result<Item[]>> {
  const { data, error } = await answer
  return error ? { data: null, error } : { data: data.result.items as Item[], error: null }
}

export const useBillingState = (enabled = true) => useQuery(['billing', 'state'], () => auth.customer.state(), enabled)

export const useSubscriptions = () =>
  useQuery(['billing', 'subscriptions'], () => itemsOf<Subscription>(auth.customer.subscriptions.list({ query })))

export const useOrders = () =>
  useQuery(['billing', 'orders'], () => itemsOf<Order>(auth.customer.orders.list({ query })))

export const useBenefits = () =>
  useQuery(['billing', 'benefits'], () => itemsOf<Benefit>(auth.customer.benefits.list({ query })))

export type Plan = AnswerOf<'/customer/plans/list'>['plans'][number]

export const usePlans = () => useQuery(['billing', 'plans'], () => auth.customer.plans.list())

export const useUsageHistory = (meterId: string) =>
  useQuery(['billing', 'history', meterId], () => auth.usage.meters.history({ query: { meterId } }))

export const useMeters = () => useQuery(['billing', 'meters'], () => itemsOf<Meter>(auth.usage.meters.list({ query })))

/** While the provider fails: the active subscriptions of the stored state, with names of the stored products. */
export function useKnownSubscriptions(): Loadable<Subscription[]> {
  const listed = useSubscriptions()
  const { data: state } = useBillingState()
  const { data: known } = usePlans()
  if (!listed.error || listed.data || !state?.asOf) return listed
  const data = state.activeSubscriptions.map((one) => {
    const id = one.productId as string
    const name = known?.plans.find(({ productId }) => productId === id)?.name ?? id
    return { ...one, endedAt: null, product: { id, name } } as unknown as Subscription
  })
  return { ...listed, data, error: null }
}

/** The same for benefits. */
export function useKnownBenefits(): Loadable<Benefit[]> {
  const listed = useBenefits()
  const { data: state } = useBillingState()
  const { data: known } = usePlans()
  if (!listed.error || listed.data || !state?.asOf || !known) return listed
  const described = known.plans.flatMap(({ benefits }) => benefits)
  const data = state.grantedBenefits.flatMap(({ id, benefitId }) => {
    const benefit = described.find((one) => one.id === benefitId)
    return benefit ? [{ id, isGranted: true, benefit }] : []
  })
  return { ...listed, data, error: null }
}

export const refreshBilling = () => refreshQueries('billing')
