import { useRef, useState } from 'react'
import { Link, useSearch } from 'wouter'
import { auth, useConfig } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { cx } from '../../lib/cx.ts'
import { idOfMethod } from '../../lib/methods.ts'
import { useQuery } from '../../lib/queries.ts'
import { messageOf, useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Page } from '../../ui/member-page.tsx'
import { EmptyState, Loaded, Note, Skeleton } from '../../ui/state.tsx'
import { Chart, type Series } from './chart.tsx'
import { insightsTexts } from './insights.texts.ts'
import { mergeByName } from './scale.ts'

type Insights = AnswerOf<'/admin/insights'>

const ranges = ['7', '30', '90'] as const

/** Sign-ups, sign-ins and mails of the last days. The address contains the period. */
export default function Overview() {
  const t = useTexts(insightsTexts)
  const core = useTexts()
  const language = useLanguage()
  const asked = new URLSearchParams(useSearch()).get('days')
  const days = ranges.find((range) => range === asked) ?? '30'
  const insights = useQuery(['insights', days], () => auth.admin.insights({ query: { days } }))
  // The numbers of the previous period stay until these have loaded.
  const previous = useRef(insights.data)
  if (insights.data) previous.current = insights.data
  const shown = insights.data ?? (insights.isPending ? previous.current : null)
  const counted = shown?.countedAt?.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <Page title={t.title} intro={t.intro} actions={<Ranges chosen={days} />}>
      {shown?.takenBaseUrl && <Note tone="danger">{t.takenBaseUrl(shown.takenBaseUrl)}</Note>}
      {insights.error?.status === 403 ? (
        <EmptyState>{messageOf(insights.error, core)}</EmptyState>
      ) : (
        <Loaded of={{ ...insights, data: shown }} skeleton={<Skeleton lines={12} />}>
          {(numbers) => (numbers.series.length === 0 ? <EmptyState>{t.none}</EmptyState> : <Charts of={numbers} />)}
        </Loaded>
      )}
      {counted && <p className="text-sm text-soft">{t.countedUntil(counted)}</p>}
    </Page>
  )
}

function Ranges({ chosen }: { chosen: string }) {
  const t = useTexts(insightsTexts)
  return (
    <nav aria-label={t.range} className="flex rounded border bg-surface shadow-faint">
      {ranges.map((range) => (
        <Link
          key={range}
          href={range === '30' ? '/admin' : `/admin?days=${range}`}
          replace
          aria-current={range === chosen || undefined}
          className={cx(
            'inline-flex min-h-10 items-center rounded px-3.5 hover:bg-sunken',
            range === chosen ? 'bg-sunken font-medium' : 'text-soft',
          )}
        >
          {t.days(Number(range))}
        </Link>
      ))}
    </nav>
  )
}

const dayLength = 86_400_000

function Charts({ of: { from, series, to } }: { of: Insights }) {
  const t = useTexts(insightsTexts)
  const { providers } = useConfig()
  const start = Date.parse(from)
  const length = (Date.parse(to) - start) / dayLength + 1
  const days = Array.from({ length }, (_, at) => new Date(start + at * dayLength))
  const nameOf = (method: string): string => {
    const id = idOfMethod(method)
    return (
      (t.methods as Partial<Record<string, string | null>>)[id] ??
      providers.find((provider) => provider.id === id)?.name ??
      id.charAt(0).toUpperCase() + id.slice(1)
    )
  }
  const named = (name: Insights['series'][number]['name'], label: (given: string) => string): Series[] =>
    series.filter((one) => one.name === name).map((one) => ({ name: label(one.label), counts: one.counts }))
  const nothing = (name: string): Series => ({ name, counts: days.map(() => 0) })
  const orNothing = (list: Series[], name: string) => (list.length > 0 ? list : [nothing(name)])
  const signUps = named('sign-up', (label) => (label === 'guest' ? t.guests : t.accounts))
  const undelivered = orNothing(
    named('undelivered', () => t.undelivered),
    t.undelivered,
  )
  return (
    <div className="grid grid-cols-1 gap-6 xl:grid-cols-2">
      <Chart title={t.signUps} days={days} series={orNothing(signUps, t.accounts)} />
      <Chart title={t.signIns} days={days} series={orNothing(mergeByName(named('sign-in', nameOf)), t.signIns)} />
      <Chart
        title={t.failures}
        hint={t.failuresHint}
        days={days}
        series={orNothing(mergeByName(named('sign-in-failed', nameOf)), t.failures)}
        tone="danger"
      />
      <Active days={days} series={series} />
      <div className="grid grid-cols-1 xl:col-span-2">
        <Chart
          title={t.undelivered}
          hint={t.undeliveredHint}
          days={days}
          series={undelivered}
          figure={<Figure value={latest(undelivered[0]!.counts)} />}
          tone="warning"
        >
          <Link href="/admin/undelivered" className="link justify-self-start">
            {t.undeliveredList}
          </Link>
        </Chart>
      </div>
    </div>
  )
}

/** The last known number. */
const latest = (counts: (number | null)[]): number => counts.findLast((count) => count !== null) ?? 0

function Figure({ value }: { value: number }) {
  const language = useLanguage()
  return <p className="text-2xl font-semibold tabular-nums">{value.toLocaleString(language)}</p>
}

const periods = ['day', 'week', 'month'] as const

/** The latest numbers are buttons that choose the period of the bars. */
function Active({ days, series }: { days: Date[]; series: Insights['series'] }) {
  const t = useTexts(insightsTexts)
  const language = useLanguage()
  const [chosen, setChosen] = useState<(typeof periods)[number]>('day')
  const all = periods.map((period) => ({
    name: t.periods[period],
    counts:
      series.find(({ name, label }) => name === 'active' && label === period)?.counts ?? days.map(() => null as null),
  }))
  return (
    <Chart
      title={t.active}
      hint={t.activeHint}
      days={days}
      series={all}
      drawn={[all[periods.indexOf(chosen)]!]}
      tone="accent"
      figure={
        <div className="-mx-2 flex flex-wrap gap-1">
          {periods.map((period, at) => (
            <button
              key={period}
              type="button"
              aria-pressed={period === chosen}
              onClick={() => setChosen(period)}
              className={cx(
                'grid min-h-10 justify-items-start rounded px-2 py-0.5 hover:bg-sunken',
                period === chosen && 'bg-sunken',
              )}
            >
              <span className="text-2xl font-semibold tabular-nums">
                {all[at]!.counts.some((count) => count !== null)
                  ? latest(all[at]!.counts).toLocaleString(language)
                  : '–'}
              </span>
              <span className="text-sm text-soft">{t.periods[period]}</span>
            </button>
          ))}
        </div>
      }
    />
  )
}
