import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import { money } from '../../lib/money.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Section } from '../../ui/section.tsx'
import { Badge } from '../../ui/small.tsx'
import { EmptyState, ErrorPanel, Loaded, Note } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Day } from '../../ui/time.tsx'
import { BackToProduct, useReturnAddress } from './back.tsx'
import {
  type Order,
  refreshBilling,
  type Subscription,
  useBenefits,
  useBillingState,
  useKnownSubscriptions,
  useMeters,
  useOrders,
  useSubscriptions,
} from './billing-data.ts'
import { Benefits, Meters } from './included.tsx'
import { OrderDocuments } from './order-documents.tsx'
import { planTexts } from './plans.texts.ts'
import { Plans } from './plans.tsx'
import { billingTexts } from './texts.ts'

/** Purchases and products. Each section loads separately, so that a failure of the provider affects one only. */
export default function Billing() {
  const t = useTexts(billingTexts)
  const language = useLanguage()
  const [query] = useSearchParams()
  const checkoutId = query.get('checkout_id')
  const asOf = useBillingState().data?.asOf
  const portal = useAction(() => auth.customer.portal())
  useReturnAddress()
  return (
    <Page
      title={t.title}
      intro={t.intro}
      actions={
        <Button busy={portal.busy} onClick={portal.run} title={t.portalHint}>
          {t.portal}
        </Button>
      }
    >
      {portal.error && <ErrorPanel error={portal.error} errors={t.errors} />}
      {checkoutId && <Returned checkoutId={checkoutId} />}
      {asOf && <Note>{t.asOf(asOf.toLocaleString(language, { dateStyle: 'long', timeStyle: 'short' }))}</Note>}
      <Plans />
      <Nothing />
      <Subscriptions />
      <Meters />
      <Benefits />
      <Orders />
    </Page>
  )
}

const pollInterval = 2000
const timeout = 60_000

/** After a checkout: waits until the payment is confirmed. */
function Returned({ checkoutId }: { checkoutId: string }) {
  const t = useTexts(billingTexts)
  const [isOverdue, setOverdue] = useState(false)
  const { data, refetch } = useOrders()
  const done = data?.some((order) => order.checkoutId === checkoutId) ?? false
  useEffect(() => {
    const timer = setTimeout(() => setOverdue(true), timeout)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    if (done) refreshBilling()
    if (done || isOverdue) return
    const timer = setInterval(() => void refetch(), pollInterval)
    return () => clearInterval(timer)
  }, [done, isOverdue, refetch])
  return (
    <Note tone={done ? 'success' : 'accent'} live>
      {done ? t.bought : isOverdue ? t.waitingLong : t.waiting}
      {done && <BackToProduct />}
    </Note>
  )
}

/** In place of the parts below, which are not there while they are empty. */
function Nothing() {
  const t = useTexts(billingTexts)
  const parts = [useSubscriptions(), useMeters(), useBenefits(), useOrders()]
  return parts.every(({ data }) => data?.length === 0) && <EmptyState>{t.nothing}</EmptyState>
}

const tones: Record<string, 'success' | 'danger' | 'accent'> = {
  active: 'success',
  trialing: 'accent',
  past_due: 'danger',
  unpaid: 'danger',
  incomplete: 'danger',
}

function Subscriptions() {
  const t = useTexts(billingTexts)
  const subscriptions = useKnownSubscriptions()
  if (subscriptions.data?.length === 0) return null
  return (
    <Section id="subscriptions" title={t.subscriptions}>
      <Loaded of={subscriptions} errors={t.errors}>
        {(list) => (
          <ul className="grid gap-4">
            {list.map((subscription) => (
              <Line key={subscription.id} {...subscription} />
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  )
}

function Line({ status, product, amount, currency, recurringInterval, ...dates }: Subscription) {
  const t = useTexts(billingTexts)
  const language = useLanguage()
  const day = (date: Date) => date.toLocaleDateString(language, { dateStyle: 'long' })
  const { endedAt, endsAt, currentPeriodEnd, cancelAtPeriodEnd } = dates
  const end = endsAt ?? (cancelAtPeriodEnd ? currentPeriodEnd : null)
  const runs = status === 'active' || status === 'trialing'
  return (
    <li className="grid gap-1">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        {product.name} <Badge tone={tones[status] ?? 'neutral'}>{t.states[status] ?? status}</Badge>
      </p>
      <p className="text-soft">
        {t.price(money(amount, currency, language), t.intervals[recurringInterval] ?? recurringInterval)}
      </p>
      {endedAt ? (
        <p className="text-soft">{t.ended(day(endedAt))}</p>
      ) : end ? (
        <p className="text-soft">{t.ends(day(end))}</p>
      ) : (
        runs && currentPeriodEnd && <p className="text-soft">{t.renews(day(currentPeriodEnd))}</p>
      )}
    </li>
  )
}

function Orders() {
  const t = useTexts(billingTexts)
  const language = useLanguage()
  const { document: documents } = useTexts(planTexts)
  const orders = useOrders()
  const sum = ({ totalAmount, currency }: Order) => money(totalAmount, currency, language)
  const state = ({ status, refundedAmount, currency }: Order) => (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Badge tone={status === 'paid' ? 'success' : 'neutral'}>{t.orderStates[status] ?? status}</Badge>
      {refundedAmount > 0 && <span className="text-soft">{t.refunded(money(refundedAmount, currency, language))}</span>}
    </span>
  )
  const columns: Column<Order>[] = [
    {
      key: 'what',
      label: t.what,
      lead: true,
      cell: (order) => (
        <>
          {order.product?.name ?? order.id}
          {/* The other cells fold on a phone. */}
          <span className="flex flex-wrap items-center gap-2 min-[40em]:hidden">
            {sum(order)} {state(order)}
          </span>
        </>
      ),
    },
    { key: 'date', label: t.date, cell: ({ createdAt }) => <Day date={createdAt} /> },
    { key: 'status', label: t.status, cell: state },
    { key: 'amount', label: t.amount, align: 'end', cell: sum },
  ]
  const withDocuments: Column<Order>[] = [
    ...columns,
    { key: 'documents', label: documents, cell: (order) => <OrderDocuments order={order} /> },
  ]
  if (orders.data?.length === 0) return null
  return (
    <Section id="orders" title={t.orders}>
      <Loaded of={orders} errors={t.errors}>
        {(list) => <Table caption={t.orders} columns={withDocuments} rows={list} rowKey={({ id }) => id} />}
      </Loaded>
    </Section>
  )
}
