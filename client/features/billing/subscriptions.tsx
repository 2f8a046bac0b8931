import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Section } from '../../ui/page.tsx'
import { Badge } from '../../ui/small.tsx'
import { Loaded } from '../../ui/state.tsx'
import { money, type Subscription, useSubscriptions } from './billing-data.ts'
import { billingTexts } from './texts.ts'

const tones: Record<string, 'success' | 'danger' | 'accent'> = {
  active: 'success',
  trialing: 'accent',
  past_due: 'danger',
  unpaid: 'danger',
  incomplete: 'danger',
}

/** Each with its state, its price and what comes next. */
export function Subscriptions() {
  const t = useTexts(billingTexts)
  const subscriptions = useSubscriptions()
  return (
    <Section title={t.subscriptions}>
      <Loaded of={subscriptions} errors={t.errors}>
        {(list) =>
          list.length === 0 ? (
            <p className="text-soft">{t.noSubscriptions}</p>
          ) : (
            <ul className="grid gap-4">
              {list.map((subscription) => (
                <Line key={subscription.id} {...subscription} />
              ))}
            </ul>
          )
        }
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
