import { ChartColumn, Table2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/section.tsx'
import { insightsTexts } from './insights.texts.ts'
import { roundedMax, sumOf } from './scale.ts'

export interface Series {
  name: string
  /** One number for each day; null if it is unknown. */
  counts: (number | null)[]
}

export type Tone = 'accent' | 'danger' | 'warning'

interface ChartProps {
  title: string
  hint?: string
  /** The large number beside the title. @default the sum of all numbers */
  figure?: ReactNode
  days: Date[]
  /** Stacked in the chart, columns of the table. */
  series: Series[]
  /** The series that the chart shows, if not all. */
  drawn?: Series[]
  /** `days` are hours. */
  hourly?: boolean
  /** One colour for all series. */
  tone?: Tone
  children?: ReactNode
}

/** A chart of bars by day, with a table behind it. */
export function Chart({ title, hint, figure, days, series, drawn = series, hourly, tone, children }: ChartProps) {
  const t = useTexts(insightsTexts)
  const language = useLanguage()
  const [isTable, setTable] = useState(false)
  const total = sumOf(series.flatMap(({ counts }) => counts)) ?? 0
  return (
    <Section>
      {/* Cards of one row have one height, and their content is at the top. */}
      <div className="grid grid-cols-1 content-start gap-5">
        <div className="grid gap-0.5">
          <div className="flex items-start justify-between gap-x-2">
            <h2 className="min-w-0 text-base font-semibold">{title}</h2>
            <Button
              look="quiet"
              className="-me-3 -mt-2 flex-none px-3 text-sm"
              aria-label={`${isTable ? t.asChart : t.asTable}: ${title}`}
              onClick={() => setTable(!isTable)}
            >
              {isTable ? <ChartColumn aria-hidden size={16} /> : <Table2 aria-hidden size={16} />}
              {isTable ? t.asChart : t.asTable}
            </Button>
          </div>
          {hint && <p className="-mt-1 text-sm text-soft">{hint}</p>}
        </div>
        {figure ?? <p className="text-2xl font-semibold tabular-nums">{total.toLocaleString(language)}</p>}
        {isTable ? (
          <Numbers title={title} days={days} series={series} hourly={hourly} />
        ) : (
          <Bars title={title} days={days} series={drawn} hourly={hourly} tone={tone} />
        )}
        {children}
      </div>
    </Section>
  )
}

const fills = ['fill-accent-fill', 'fill-success', 'fill-warning', 'fill-danger', 'fill-edge']
const dots = ['bg-accent-fill', 'bg-success', 'bg-warning', 'bg-danger', 'bg-edge']
const tones: Record<Tone, string> = { accent: 'fill-accent-fill', danger: 'fill-danger', warning: 'fill-warning' }

/** The number of series with a colour of their own. */
const maxColours = fills.length

/** The height of the bars in pixels. */
const height = 150

/** The smallest series as one, if there are more series than colours. */
function withOther(series: Series[], name: string): Series[] {
  if (series.length <= maxColours) return series
  const [shown, others] = [series.slice(0, maxColours - 1), series.slice(maxColours - 1)]
  const counts = others[0]!.counts.map((_, at) => sumOf(others.map((other) => other.counts[at] ?? null)))
  return [...shown, { name, counts }]
}

/** Days are those of UTC, hours those of the reader. */
function useDay(hourly = false) {
  const language = useLanguage()
  return (day: Date, month: 'short' | 'long' = 'short') =>
    hourly
      ? day.toLocaleString(language, { weekday: month, hour: 'numeric', minute: '2-digit' })
      : day.toLocaleDateString(language, { day: 'numeric', month, timeZone: 'UTC' })
}

function Bars({
  title,
  days,
  series: all,
  hourly,
  tone,
}: Pick<ChartProps, 'title' | 'days' | 'series' | 'hourly' | 'tone'>) {
  const t = useTexts(insightsTexts)
  const language = useLanguage()
  const written = useDay(hourly)
  const series = withOther(all, t.other)
  const sums = days.map((_, at) => sumOf(series.map(({ counts }) => counts[at] ?? null)) ?? 0)
  const largest = Math.max(0, ...sums)
  const end = roundedMax(largest)
  const [first, last] = [days[0]!, days.at(-1)!]
  const total = sums.reduce((sum, count) => sum + count, 0).toLocaleString(language)
  const label = [
    `${title}: ${(hourly ? t.summaryOfHours : t.summary)(total, written(first, 'long'), written(last, 'long'))}`,
    largest > 0 && t.peak(largest.toLocaleString(language), written(days[sums.indexOf(largest)]!, 'long')),
  ]
  const compact = new Intl.NumberFormat(language, { notation: 'compact' })
  const width = 100 / days.length
  return (
    <div className="grid gap-3">
      {/* Time runs from left to right in every language. */}
      <div dir="ltr" className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-xs text-soft tabular-nums">
        <div aria-hidden className="-my-2 flex flex-col justify-between text-end leading-4">
          {[end, end / 2, 0].map((value) => (
            <span key={value}>{compact.format(value)}</span>
          ))}
        </div>
        <svg role="img" aria-label={label.filter(Boolean).join(' ')} width="100%" height={height}>
          {[0, 0.5, 1].map((part) => (
            <line
              key={part}
              x1="0"
              x2="100%"
              y1={line(part)}
              y2={line(part)}
              className={part === 1 ? 'stroke-edge' : 'stroke-line'}
            />
          ))}
          {days.map((day, at) => {
            let top = height - 0.5
            return (
              <g key={day.getTime()}>
                <title>
                  {[`${written(day)}: ${sums[at]!.toLocaleString(language)}`, ...parts(series, at)].join('\n')}
                </title>
                {/* The whole column shows the numbers of its day. */}
                <rect x={`${at * width}%`} y="0" width={`${width}%`} height={height} className="fill-transparent" />
                {series.map(({ name, counts }, index) => {
                  const tall = ((counts[at] ?? 0) / end) * (height - 1)
                  top -= tall
                  return (
                    tall > 0 && (
                      <rect
                        key={name}
                        x={`${(at + 0.12) * width}%`}
                        width={`${width * 0.76}%`}
                        y={top}
                        height={tall}
                        className={tone ? tones[tone] : fills[index]}
                      />
                    )
                  )
                })}
              </g>
            )
          })}
        </svg>
        <div aria-hidden className="col-start-2 flex justify-between pt-1.5">
          {[first, days[Math.floor((days.length - 1) / 2)]!, last].map((day) => (
            <span key={day.getTime()}>{written(day)}</span>
          ))}
        </div>
      </div>
      {!tone && series.length > 1 && (
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-soft">
          {series.map(({ name, counts }, index) => (
            <li key={name} className="flex items-center gap-1.5">
              <span aria-hidden className={cx('size-2.5 rounded-full', dots[index])} />
              {name} <span className="tabular-nums text-ink">{(sumOf(counts) ?? 0).toLocaleString(language)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
  function parts(shown: Series[], at: number): string[] {
    if (shown.length < 2) return []
    return shown
      .filter(({ counts }) => counts[at])
      .map(({ name, counts }) => `${name}: ${counts[at]!.toLocaleString(language)}`)
  }
}

/** The position of a line of the grid, on whole pixels. */
const line = (part: number): number => Math.round(part * (height - 1)) + 0.5

/** The newest day first. */
function Numbers({ title, days, series, hourly }: Pick<ChartProps, 'title' | 'days' | 'series' | 'hourly'>) {
  const t = useTexts(insightsTexts)
  const language = useLanguage()
  const written = useDay(hourly)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section aria-label={title} tabIndex={0} className="bleed relative max-h-72 overflow-auto">
      <table className="table-cells w-full border-collapse text-sm tabular-nums">
        <caption className="sr-only">{title}</caption>
        <thead>
          <tr className="border-b">
            <th scope="col" className="text-start font-medium text-soft">
              {hourly ? t.hour : t.day}
            </th>
            {series.map(({ name }) => (
              <th key={name} scope="col" className="text-end font-medium text-soft">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days
            .map((day, at) => (
              <tr key={day.getTime()} className="border-b last:border-b-0">
                <th scope="row" className="text-start font-normal whitespace-nowrap">
                  <time dateTime={hourly ? day.toISOString() : day.toISOString().slice(0, 10)}>{written(day)}</time>
                </th>
                {series.map(({ name, counts }) => (
                  <td key={name} className="text-end">
                    {counts[at]?.toLocaleString(language) ?? '–'}
                  </td>
                ))}
              </tr>
            ))
            .reverse()}
        </tbody>
      </table>
    </section>
  )
}
