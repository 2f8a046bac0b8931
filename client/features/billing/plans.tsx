import { Check } from 'lucide-react'
import { useId, useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { auth, useConfig } from '../../lib/api.ts'
import { cx } from '../../lib/cx.ts'
import { money } from '../../lib/money.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/section.tsx'
import { Badge } from '../../ui/small.tsx'
import { ErrorPanel, Note, Skeleton } from '../../ui/state.tsx'
import { type Plan, useBillingState, useOrders, usePlans } from './billing-data.ts'
import { planTexts } from './plans.texts.ts'
import { billingTexts } from './texts.ts'

type Period = 'month' | 'year'

/** The configured products with their prices; the provider hosts the checkout. */
export function Plans() {
  const t = useTexts(planTexts)
  const { plans: title, errors } = useTexts(billingTexts)
  const language = useLanguage()
  const configured = useConfig().billing?.products ?? []
  const { data, error, refetch } = usePlans()
  const { data: state } = useBillingState()
  const orders = useOrders().data
  const buy = useAction((slug: string, currency?: string) => auth.checkout({ slug, ...(currency && { currency }) }))
  const [chosen, choose] = useState<Period | null>(null)
  if (configured.length === 0) return null
  const held = new Set(state?.activeSubscriptions.map(({ productId }) => productId as string))
  const sold = data?.plans.filter(({ isArchived, productId }) => !isArchived || held.has(productId)) ?? []
  const periods = (['month', 'year'] as const).filter((period) => sold.some((plan) => isOf(plan, period)))
  const ownPeriod = periods.find((period) => sold.some((plan) => held.has(plan.productId) && isOf(plan, period)))
  const period = chosen ?? ownPeriod ?? 'month'
  const shown =
    periods.length < 2 ? sold : sold.filter((plan) => isOf(plan, period) || !periods.some((one) => isOf(plan, one)))
  const free = shown.filter(({ productId }) => !held.has(productId))
  // One solid button: of the recommended plan, or of the first. Not while the user holds the recommended one.
  const leading = shown.some(({ recommended, productId }) => recommended && held.has(productId))
    ? undefined
    : (free.find(({ recommended }) => recommended) ?? (held.size === 0 ? free[0] : undefined))
  return (
    <Section id="plans" title={title}>
      {buy.error && <ErrorPanel error={buy.error} errors={errors} />}
      {data?.asOf && (
        <Note tone="warning">
          {t.asOf(data.asOf.toLocaleString(language, { dateStyle: 'long', timeStyle: 'short' }))}
        </Note>
      )}
      {periods.length === 2 && <PeriodSwitch period={period} onChoose={choose} />}
      {data ? (
        <ul className="grid gap-4 sm:grid-cols-[repeat(auto-fit,minmax(16rem,1fr))]">
          {shown.map((plan) => (
            <PlanCard
              key={plan.slug}
              plan={plan}
              isHeld={held.has(plan.productId)}
              wasBought={!plan.interval && (orders?.some(({ productId }) => productId === plan.productId) ?? false)}
              leads={plan === leading}
              busy={buy.busy}
              onBuy={() => buy.run(plan.slug, currenciesOf(plan).length > 1 ? basePrice(plan)?.currency : undefined)}
            />
          ))}
        </ul>
      ) : error ? (
        <ErrorPanel error={error} errors={errors} onRetry={() => void refetch()} />
      ) : (
        <Skeleton lines={8} />
      )}
      {held.size > 0 && <p className="text-sm text-soft">{t.change}</p>}
    </Section>
  )
}

type Price = Plan['prices'][number]

const isOf = ({ interval, intervalCount }: Plan, period: Period) => interval === period && intervalCount === 1

const currenciesOf = ({ prices }: Plan) => [...new Set(prices.map(({ currency }) => currency))]

/** The price of the first currency without those of meters. */
const basePrice = ({ prices }: Plan) => prices.find(({ kind }) => kind !== 'metered')

function PeriodSwitch({ period, onChoose }: { period: Period; onChoose(period: Period): void }) {
  const t = useTexts(planTexts)
  const name = useId()
  return (
    <fieldset className="flex w-fit gap-1 rounded border p-1">
      <legend className="sr-only">{t.period}</legend>
      {(['month', 'year'] as const).map((one) => (
        <label
          key={one}
          className={cx(
            'grid min-h-10 place-items-center rounded px-4 has-focus-visible:outline-2 has-focus-visible:outline-accent',
            one === period ? 'bg-sunken font-medium text-ink' : 'text-soft hover:text-ink',
          )}
        >
          <input type="radio" name={name} className="sr-only" checked={one === period} onChange={() => onChoose(one)} />
          {one === 'month' ? t.monthly : t.yearly}
        </label>
      ))}
    </fieldset>
  )
}

interface CardProps {
  plan: Plan
  isHeld: boolean
  wasBought: boolean
  leads: boolean
  busy: boolean
  onBuy(): void
}

function PlanCard({ plan, isHeld, wasBought, leads, busy, onBuy }: CardProps) {
  const t = useTexts(planTexts)
  const { figure, note, action } = usePriceTexts(plan, wasBought)
  const language = useLanguage()
  const id = useId()
  const { name, description, trial, benefits, prices, recommended } = plan
  const price = basePrice(plan)
  const currency = price?.currency ?? prices[0]?.currency
  const amountOf = ({ amount, currency, tiers }: Price) => {
    const one = money(amount ?? 0, currency, language, 'exact')
    return tiers ? t.from(one) : one
  }
  const metered = prices.filter((price) => price.kind === 'metered' && price.currency === currency)
  return (
    <li
      aria-labelledby={id}
      className={cx('grid content-between gap-5 rounded-lg border p-5', recommended && 'border-accent')}
    >
      <div className="grid content-start gap-3">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          <span id={id}>{name}</span>
          {isHeld ? (
            <Badge tone="success">{t.current}</Badge>
          ) : wasBought ? (
            <Badge tone="success">{t.bought}</Badge>
          ) : (
            recommended && <Badge tone="accent">{t.recommended}</Badge>
          )}
        </p>
        {figure && (
          <p className="flex flex-wrap items-baseline gap-x-1.5">
            <span className="text-2xl font-semibold tracking-tight tabular-nums">{figure}</span>
            {note && <span className="text-soft">{note}</span>}
          </p>
        )}
        {price && <Tiers price={price} />}
        {trial && <p className="text-sm text-soft">{t.trial(t.spans[trial.interval](trial.count))}</p>}
        {description && (
          <p className="text-soft">
            <bdi>{description}</bdi>
          </p>
        )}
        {(benefits.length > 0 || metered.length > 0) && (
          <ul aria-label={t.includes} className="grid gap-1.5">
            {benefits.map((benefit) => (
              <li key={benefit.id} className="flex gap-2">
                <Check aria-hidden size={18} className="mt-0.5 flex-none text-success" />
                <bdi>{benefit.description}</bdi>
              </li>
            ))}
            {metered.map((price) => (
              <li key={price.unit} className="text-sm text-soft">
                {t.metered(amountOf(price), price.unit ?? '')}
                <Tiers price={price} />
              </li>
            ))}
          </ul>
        )}
      </div>
      <Button wide look={leads ? 'primary' : 'secondary'} busy={busy && !isHeld} disabled={isHeld} onClick={onBuy}>
        {isHeld ? t.current : action}
      </Button>
    </li>
  )
}

/** The prices of a plan that depend on the quantity, in lines. */
function Tiers({ price: { tiers = [], currency } }: { price: Price }) {
  const t = useTexts(planTexts)
  const language = useLanguage()
  const count = new Intl.NumberFormat(language)
  if (tiers.length === 0) return null
  return (
    <ul aria-label={t.tiers} className="grid w-fit grid-cols-[auto_auto] gap-x-4 text-sm text-soft tabular-nums">
      {tiers.map(({ upTo, amount }, at) => {
        const first = count.format((tiers[at - 1]?.upTo ?? 0) + 1)
        return (
          <li key={first} className="col-span-2 grid grid-cols-subgrid">
            <span>{upTo === null ? t.tierFrom(first) : t.tierTo(first, count.format(upTo))}</span>
            <span className="text-end">{money(amount, currency, language, 'exact')}</span>
          </li>
        )
      })}
    </ul>
  )
}

/** The price as a figure with a note, and the text of the button. */
function usePriceTexts(plan: Plan, wasBought: boolean): { figure: string | null; note: string | null; action: string } {
  const t = useTexts(planTexts)
  const { buy } = useTexts(billingTexts)
  const language = useLanguage()
  const { name, interval, intervalCount, trial } = plan
  const price = basePrice(plan)
  const per = interval && `/ ${t.intervals[interval](intervalCount)}`
  const plain = interval ? t.subscribeTo(name) : buy(name)
  const amount = price?.amount ? money(price.amount, price.currency, language, 'short') : null
  if (price?.kind === 'free') return { figure: t.free, note: null, action: t.start(name) }
  if (price?.kind === 'custom') {
    return { figure: amount ? t.from(amount) : t.youChoose, note: amount && per, action: plain }
  }
  if ((price?.kind === 'seat' || price?.kind === 'unit') && price.amount) {
    const one = money(price.amount, price.currency, language, 'exact')
    const of = price.kind === 'seat' ? t.perSeat : t.perUnit
    return { figure: price.tiers ? t.from(one) : one, note: [of, per].filter(Boolean).join(' '), action: plain }
  }
  if (price?.kind === 'other') return { figure: null, note: null, action: plain }
  if (!amount) return { figure: null, note: null, action: plain }
  const whole = per ? `${amount} ${per}` : amount
  const action = trial
    ? t.tryFree(t.spans[trial.interval](trial.count))
    : interval
      ? t.subscribe(whole)
      : wasBought
        ? t.buyAgain(whole)
        : t.buy(whole)
  return { figure: amount, note: per ?? t.once, action }
}
