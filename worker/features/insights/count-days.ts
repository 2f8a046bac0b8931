import type { Scope } from '../../identity/scope.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { dayOf, days, hours, minutes, ms } from '../../kit/time.ts'
import { read } from '../../platform/statements.ts'
import {
  countWindow,
  deleteActiveDaysBefore,
  deleteCountsBefore,
  deleteHoursBefore,
  deleteInactive,
  firstSince,
  nthTimes,
  progressRow,
  startAt,
  storeActive,
  storeUndelivered,
  type Window,
} from './insights.store.ts'

const oneDay = ms(days(1))

export const startOf = (day: number): Date => new Date(day * oneDay)

/** A row can be committed this long (s) after the time that it contains. */
const lag = minutes(2)
/** How far back (days) the first run begins. */
const backfill = 90
/** The maximum number of rows of each source in a window. */
const windowSize = 2000
/** The maximum numbers of windows in a run of the cron trigger: of all, and of those that end with their size. */
const maxWindows = 30
const maxFull = 15
/** How long (days) counts are kept. */
const keptDays = 400
/** How many days the numbers of hours are kept. */
const keptHours = 7
/** Users who were last active before this number of days are in no count. */
const keptActive = 31
const deletedAtOnce = 5000

/**
 * Counts what has happened since the last run, in windows of one day at most, and each row once. The charts of the
 * console read these counts only.
 */
export async function countDays(scope: Scope): Promise<void> {
  const horizon = new Date(scope.now().getTime() - ms(lag))
  let from = await progressOf(scope, horizon)
  for (let count = 0, full = 0; count < maxWindows && full < maxFull && from < horizon; count++) {
    const { until, isFull } = await countNext(scope, from, horizon)
    from = until
    if (isFull) full++
  }
  const today = dayOf(horizon)
  await deleteCountsBefore(scope.db, today - keptDays).run()
  await deleteHoursBefore(scope.db, (today - keptHours) * 24).run()
  await deleteActiveDaysBefore(scope.db, today - keptActive).run()
  await deleteInactive(scope.db, today - keptActive, deletedAtOnce).run()
}

/** The first run begins with the day of the first user or event. */
async function progressOf({ db }: Scope, horizon: Date): Promise<Date> {
  const { progress, user, event } = await read(db, {
    progress: progressRow(db),
    ...firstSince(db, startOf(dayOf(horizon) - backfill)),
  })
  if (progress[0]) return progress[0].until
  const first = Math.min(...[user[0]?.at, event[0]?.at, horizon].map((time) => (time ?? horizon).getTime()))
  const start = startOf(dayOf(new Date(first)))
  await startAt(db, start).run()
  return start
}

/** Counts the next window. */
async function countNext(scope: Scope, from: Date, horizon: Date): Promise<{ until: Date; isFull: boolean }> {
  const { db } = scope
  const day = dayOf(from)
  const end = startOf(day + 1)
  const whole: Window = { day, from, until: end < horizon ? end : horizon }
  // The window ends after the n-th row of the source with most rows.
  const nth = Object.values(await read(db, nthTimes(db, whole, windowSize))).flat()
  const until = new Date(Math.min(whole.until.getTime(), ...nth.map(({ at }) => Number(at) + 1)))
  const work = unitOfWork(scope)
  work.run(countWindow(db, { ...whole, until }))
  if (isDue(from, until)) {
    work.run(storeActive(db, day))
    // The number of undelivered mails is known for the present only.
    if (horizon.getTime() - until.getTime() < ms(hours(1))) work.run(storeUndelivered(db, day))
  }
  await work.commit()
  return { until, isFull: nth.length > 0 }
}

/** Numbers that need more than the window are stored at the beginning and the end of a day, and once an hour. */
const isDue = (from: Date, until: Date): boolean =>
  from.getTime() % oneDay === 0 ||
  Math.floor(from.getTime() / ms(hours(1))) < Math.floor(until.getTime() / ms(hours(1)))
