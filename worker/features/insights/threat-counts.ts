import type { Scope } from '../../identity/scope.ts'
import { days, hours, ms } from '../../kit/time.ts'
import type { Rows } from '../../platform/statements.ts'
import { maxReasons, type threatPeriods } from './insights.contract.ts'
import { progressRow, threatCounts } from './insights.store.ts'
import { assessmentNames, threatNames } from './insights.table.ts'

type Period = (typeof threatPeriods)[number]

const periods = {
  hours: { step: ms(hours(1)), length: 48 },
  days: { step: ms(days(1)), length: 30 },
}

/** The number of the first hour or day. */
const firstOf = (scope: Scope, period: Period): number => {
  const { step, length } = periods[period]
  return Math.floor(scope.now().getTime() / step) - length + 1
}

/** For one batch. */
export function threatCountReads(scope: Scope, period: Period) {
  const firstDay = Math.floor((firstOf(scope, period) * periods[period].step) / ms(days(1)))
  return {
    ...threatCounts(scope.db, firstDay, period === 'hours' ? firstOf(scope, period) : Number.MAX_SAFE_INTEGER),
    progress: progressRow(scope.db),
  }
}

export function presentThreatCounts(scope: Scope, period: Period, rows: Rows<ReturnType<typeof threatCountReads>>) {
  const { step, length } = periods[period]
  const first = firstOf(scope, period)
  const places = period === 'hours' ? rows.hours.map((row) => ({ ...row, at: row.hour })) : []
  const counted = period === 'hours' ? places : rows.days.map((row) => ({ ...row, at: row.day }))
  const series = threatNames.map((name) => {
    const counts = Array.from({ length }, () => 0)
    for (const row of counted)
      if (row.name === name && counts[row.at - first] !== undefined) counts[row.at - first]! += row.count
    return { name, counts }
  })
  return {
    from: new Date(first * step),
    countedAt: rows.progress[0]?.until ?? null,
    series,
    reasons: reasonsOf(rows.days),
  }
}

/** A sign-in with several reasons counts for each. */
function reasonsOf(rows: Rows<ReturnType<typeof threatCountReads>>['days']) {
  const reasons = new Map<string, Record<(typeof assessmentNames)[number], number>>()
  for (const { name, label, count } of rows) {
    const assessment = assessmentNames.find((one) => one === name)
    if (!assessment) continue
    for (const reason of label.split(' ').filter(Boolean)) {
      const sums = reasons.get(reason) ?? { challenged: 0, answered: 0, noticed: 0, refused: 0 }
      sums[assessment] += count
      reasons.set(reason, sums)
    }
  }
  return [...reasons]
    .map(([reason, sums]) => ({ reason, ...sums }))
    .sort((a, b) => b.challenged + b.refused - a.challenged - a.refused || b.noticed - a.noticed)
    .slice(0, maxReasons)
}
