import type { Scope } from '../../identity/scope.ts'
import { dayOf } from '../../kit/time.ts'
import type { Rows } from '../../platform/statements.ts'
import { startOf } from './count-days.ts'
import { countsOf, periods, presentCounts, progressRow } from './insights.store.ts'
import type { ShownCountName } from './insights.table.ts'

/** Numbers of a moment: a day without one was not counted. Of other counts it had none. */
const isMeasured = (name: ShownCountName): boolean => name === 'active' || name === 'undelivered'

const daysOf = (scope: Scope, length: number) => {
  const last = dayOf(scope.now())
  return { first: last - length + 1, last }
}

/** For one batch. */
export function insightReads(scope: Scope, length: number) {
  const { first, last } = daysOf(scope, length)
  return {
    counts: countsOf(scope.db, first, last),
    progress: progressRow(scope.db),
    ...presentCounts(scope.db, last - 60),
  }
}

/**
 * Numbers of a moment are stored once an hour. Those of the day that is being counted come from the present rows: otherwise
 * the overview would show the sign-ins of the last minutes beside the active users of an hour ago.
 */
function countsOfNow({ progress, active, undelivered }: Rows<ReturnType<typeof insightReads>>) {
  const until = progress[0]?.until
  if (!until) return []
  const day = dayOf(new Date(until.getTime() - 1))
  const activeSince = (first: number) =>
    active.filter((one) => one.day >= first).reduce((sum, { count }) => sum + count, 0)
  return [
    ...Object.entries(periods).map(([label, length]) => ({
      day,
      name: 'active' as const,
      label,
      count: activeSince(day - length + 1),
    })),
    { day, name: 'undelivered' as const, label: '', count: undelivered[0]?.count ?? 0 },
  ]
}

export function presentInsights(scope: Scope, length: number, rows: Rows<ReturnType<typeof insightReads>>) {
  const { first, last } = daysOf(scope, length)
  const series = new Map<string, { name: ShownCountName; label: string; counts: (number | null)[] }>()
  for (const { day, name, label, count } of [...rows.counts, ...countsOfNow(rows)]) {
    const key = `${name} ${label}`
    let one = series.get(key)
    if (!one) {
      one = { name, label, counts: Array.from({ length }, () => (isMeasured(name) ? null : 0)) }
      series.set(key, one)
    }
    if (day >= first) one.counts[day - first] = count
  }
  const written = (day: number) => startOf(day).toISOString().slice(0, 10)
  return {
    from: written(first),
    to: written(last),
    takenBaseUrl: scope.settings.baseUrlIsTaken ? scope.settings.baseUrl : null,
    countedAt: rows.progress[0]?.until ?? null,
    series: [...series.values()],
  }
}
