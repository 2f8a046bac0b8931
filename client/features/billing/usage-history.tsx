import { useId } from 'react'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { useUsageHistory } from './billing-data.ts'
import { planTexts } from './plans.texts.ts'

const height = 56
const step = 10

/** The usage of a meter on each of the last days, as bars and as a table. Nothing while the provider fails. */
export function UsageHistory({ meterId, name }: { meterId: string; name: string }) {
  const t = useTexts(planTexts)
  const language = useLanguage()
  const id = useId()
  const { data, error } = useUsageHistory(meterId)
  // Has the height of the chart, so that nothing below it moves.
  if (!data) return error ? null : <div className="h-25" />
  const { days, total } = data
  const most = Math.max(...days.map(({ units }) => units), 0)
  if (most <= 0) return <p className="text-sm text-soft">{t.noHistory}</p>
  const number = (units: number) => units.toLocaleString(language)
  // A day of UTC is the same day everywhere.
  const dayOf = (day: string, month: 'short' | 'long' = 'long') =>
    new Date(`${day}T00:00:00Z`).toLocaleDateString(language, { day: 'numeric', month, timeZone: 'UTC' })
  const busiest = days.find(({ units }) => units === most)!
  return (
    <figure className="grid gap-1.5">
      <figcaption id={id} className="text-sm text-soft">
        {t.historyOf(number(total), number(most), dayOf(busiest.day))}
      </figcaption>
      <svg
        role="img"
        aria-label={`${name}: ${t.historyOf(number(total), number(most), dayOf(busiest.day))}`}
        viewBox={`0 0 ${days.length * step} ${height}`}
        preserveAspectRatio="none"
        className="h-14 w-full rtl:-scale-x-100"
      >
        <line x1="0" x2={days.length * step} y1={height - 0.5} y2={height - 0.5} className="stroke-line" />
        {days.map(({ day, units }, at) => {
          const bar = units > 0 ? Math.max(2, (units / most) * (height - 2)) : 0
          return (
            <rect
              key={day}
              x={at * step + 1.5}
              y={height - bar}
              width={step - 3}
              height={bar}
              className="fill-accent-fill"
            >
              <title>{`${dayOf(day)}: ${number(units)}`}</title>
            </rect>
          )
        })}
      </svg>
      <div aria-hidden className="flex justify-between text-xs text-soft">
        <span>{dayOf(days[0]!.day, 'short')}</span>
        <span>{dayOf(days.at(-1)!.day, 'short')}</span>
      </div>
      <details>
        <summary className="inline-flex min-h-10 items-center rounded text-sm text-soft hover:text-ink">
          {t.asTable}
        </summary>
        <table className="w-full max-w-80 text-sm">
          <caption className="sr-only">{`${name}, ${t.history}`}</caption>
          <thead>
            <tr>
              <th scope="col" className="py-1 text-start font-medium text-soft">
                {t.day}
              </th>
              <th scope="col" className="py-1 text-end font-medium text-soft">
                {t.units}
              </th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, units }) => (
              <tr key={day} className="border-t">
                <td className="py-1">{dayOf(day)}</td>
                <td className="py-1 text-end tabular-nums">{number(units)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
