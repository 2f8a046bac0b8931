import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Section } from '../../ui/page.tsx'
import { Badge } from '../../ui/small.tsx'
import { Loaded } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Day } from '../../ui/time.tsx'
import { money, type Order, useOrders } from './billing-data.ts'
import { billingTexts } from './texts.ts'

/** What was paid, and what was refunded. */
export function Orders() {
  const t = useTexts(billingTexts)
  const language = useLanguage()
  const orders = useOrders(false)
  const columns: Column<Order>[] = [
    { key: 'what', label: t.what, lead: true, cell: ({ product, id }) => product?.name ?? id },
    { key: 'date', label: t.date, cell: ({ createdAt }) => <Day date={createdAt} /> },
    {
      key: 'status',
      label: t.status,
      cell: ({ status, refundedAmount, currency }) => (
        <span className="inline-flex flex-wrap items-center gap-2">
          <Badge tone={status === 'paid' ? 'success' : 'neutral'}>{t.orderStates[status] ?? status}</Badge>
          {refundedAmount > 0 && (
            <span className="text-soft">{t.refunded(money(refundedAmount, currency, language))}</span>
          )}
        </span>
      ),
    },
    {
      key: 'amount',
      label: t.amount,
      align: 'end',
      cell: ({ totalAmount, currency }) => money(totalAmount, currency, language),
    },
  ]
  return (
    <Section title={t.orders}>
      <Loaded of={orders} errors={t.errors}>
        {(list) =>
          list.length === 0 ? (
            <p className="text-soft">{t.noOrders}</p>
          ) : (
            <Table caption={t.orders} columns={columns} rows={list} rowKey={({ id }) => id} />
          )
        }
      </Loaded>
    </Section>
  )
}
