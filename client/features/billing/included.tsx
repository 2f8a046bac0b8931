import { useId } from 'react'
import { cx } from '../../lib/cx.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Section } from '../../ui/section.tsx'
import { Badge } from '../../ui/small.tsx'
import { Loaded } from '../../ui/state.tsx'
import { type Meter, useKnownBenefits, useMeters } from './billing-data.ts'
import { billingTexts } from './texts.ts'
import { UsageHistory } from './usage-history.tsx'

/** The benefits of purchases, of six kinds. */
export function Benefits() {
  const t = useTexts(billingTexts)
  const benefits = useKnownBenefits()
  if (benefits.data?.length === 0) return null
  return (
    <Section id="benefits" title={t.benefits}>
      <Loaded of={benefits} errors={t.errors}>
        {(list) => (
          <ul className="grid gap-3">
            {list.map(({ id, isGranted, benefit }) => (
              <li key={id} className="flex flex-wrap items-center gap-2">
                <bdi>{benefit.description}</bdi>
                <Badge tone={isGranted ? 'accent' : 'neutral'}>
                  {isGranted ? (t.kinds[benefit.type] ?? t.kinds.custom) : t.revoked}
                </Badge>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  )
}

export function Meters() {
  const t = useTexts(billingTexts)
  const meters = useMeters()
  if (meters.data?.length === 0) return null
  return (
    <Section id="usage" title={t.meters}>
      <Loaded of={meters} errors={t.errors}>
        {(list) => (
          <ul className="grid gap-5">
            {list.map((meter) => (
              <Bar key={meter.id} {...meter} />
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  )
}

function Bar({ meterId, consumedUnits: used, creditedUnits: included, meter }: Meter) {
  const t = useTexts(billingTexts)
  const id = useId()
  const language = useLanguage()
  const number = (units: number) => units.toLocaleString(language)
  const over = used - included
  const words = included > 0 ? t.used(number(used), number(included)) : t.usedOnly(number(used))
  return (
    <li className="grid gap-1.5">
      <p className="flex flex-wrap justify-between gap-2">
        <span id={id} className="font-medium">
          {meter.name}
        </span>
        <span className="text-soft tabular-nums">{words}</span>
      </p>
      {included > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: browsers draw <meter> in colours of their own
        <div
          role="meter"
          aria-labelledby={id}
          aria-valuemin={0}
          aria-valuemax={included}
          aria-valuenow={Math.min(used, included)}
          aria-valuetext={words}
          className="h-2.5 overflow-hidden rounded-full bg-sunken"
        >
          <div
            className={cx('h-full rounded-full', over > 0 ? 'bg-danger-fill' : 'bg-accent-fill')}
            style={{ width: `${Math.min(100, (used / included) * 100)}%` }}
          />
        </div>
      )}
      {included > 0 && over > 0 && <p className="text-sm text-danger">{t.over(number(over))}</p>}
      <UsageHistory meterId={meterId} name={meter.name} />
    </li>
  )
}
