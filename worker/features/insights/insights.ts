import type { Scope } from '../../identity/scope.ts'
import { dayOf } from '../../kit/time.ts'
import type { Rows } from '../../platform/statements.ts'
import { startOf } from './count-days.ts'
import { countsOf, progressRow } from './insights.store.ts'
import type { CountName } from './insights.table.ts'

/** Numbers of a moment: a day without one was not counted. Of other counts it had none. */
const isMeasured = (name: CountName): boolean => name === 'active' || name === 'undelivered'

const daysOf = (scope: Scope, length: number) => {
  const last = dayOf(scope.now())
  return { first: last - length + 1, last }
}

/** For one batch. */
export function insightReads(scope: Scope, length: number) {
  const { first, last } = daysOf(scope, length)
  return { counts: countsOf(scope.db, first, last), progress: progressRow(scope.db) }
}

export function presentInsights(scope: Scope, length: number, rows: Rows<ReturnType<typeof insightReads>>) {
  const { first, last } = daysOf(scope, length)
  const series = new Map<string, { name: CountName; label: string; counts: (number | null)[] }>()
  for (const { day, name, label, count } of rows.counts) {
    const key = `${name} ${label}`
    let one = series.get(key)
    if (!one) {
      one = { name, label, counts: Array.from({ length }, () => (isMeasured(name) ? null : 0)) }
      series.set(key, one)
    }
    one.counts[day - first] = count
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
