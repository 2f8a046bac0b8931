import { useQuery } from '@tanstack/react-query'
import { auth } from '../../lib/api.ts'
import { unwrap } from '../../lib/call-error.ts'
import { queryClient } from '../../lib/queries.ts'

/** What the billing provider tells, as far as the screen shows it. */

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
  product: { name: string } | null
}

export interface Benefit {
  id: string
  isGranted: boolean
  benefit: { type: string; description: string }
}

export interface Meter {
  id: string
  consumedUnits: number
  creditedUnits: number
  meter: { name: string }
}

const most = { limit: 100 }

export const useBillingState = () =>
  useQuery({ queryKey: ['billing', 'state'], queryFn: () => unwrap(auth.customer.state()) })

export const useSubscriptions = () =>
  useQuery({
    queryKey: ['billing', 'subscriptions'],
    queryFn: async () =>
      (await unwrap(auth.customer.subscriptions.list({ query: most }))).result.items as unknown as Subscription[],
  })

/** @param every how often (ms) it is asked again; false: once */
export const useOrders = (every: number | false) =>
  useQuery({
    queryKey: ['billing', 'orders'],
    refetchInterval: every,
    queryFn: async () => (await unwrap(auth.customer.orders.list({ query: most }))).result.items as unknown as Order[],
  })

export const useBenefits = () =>
  useQuery({
    queryKey: ['billing', 'benefits'],
    queryFn: async () =>
      (await unwrap(auth.customer.benefits.list({ query: most }))).result.items as unknown as Benefit[],
  })

export const useMeters = () =>
  useQuery({
    queryKey: ['billing', 'meters'],
    queryFn: async () => (await unwrap(auth.usage.meters.list({ query: most }))).result.items as unknown as Meter[],
  })

export const askAgain = () => queryClient.invalidateQueries({ queryKey: ['billing'] })

/** An amount in minor units, as people write it. */
export function money(amount: number, currency: string, language: string): string {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency: currency.toUpperCase() })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(amount / 10 ** digits)
}
