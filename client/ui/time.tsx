import { useNow } from '../lib/clock.ts'
import { useLanguage } from '../lib/texts/texts.ts'

const units: [Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** Rounds almost complete units up: an invitation for two days expires "in 2 days", not "in 47 hours". */
const nearly = 0.97

/** "Now" of Intl reads as a fragment after "Last used". */
const justNow: Record<string, string> = { en: 'just now', de: 'gerade eben' }

/** "3 hours ago", "in 2 days", "just now", rounded. */
export function relativeTime(date: Date, now: number, language: string): string {
  const seconds = (date.getTime() - now) / 1000
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length * nearly) return format.format(Math.round(seconds / length), unit)
  }
  return justNow[language] ?? format.format(0, 'second')
}

/** A relative time; the exact one is in `<time>` and in its title. */
export function Time({ date }: { date: Date }) {
  const language = useLanguage()
  const now = useNow(60_000)
  const exact = date.toLocaleString(language, { dateStyle: 'long', timeStyle: 'short' })
  return (
    <time dateTime={date.toISOString()} title={exact}>
      {relativeTime(date, now, language)}
    </time>
  )
}

/** A day, such as "4 May 2026". @param short with an abbreviated month, for tables */
export function Day({ date, short }: { date: Date; short?: boolean }) {
  const language = useLanguage()
  return (
    <time dateTime={date.toISOString()}>
      {date.toLocaleDateString(language, { dateStyle: short ? 'medium' : 'long' })}
    </time>
  )
}

/**
 * What happened and when, in one line of a phone, or the time alone where both have no room: what does not fit is above the
 * line. A narrower screen is one with large letters: there both are shown, in two lines.
 */
export const Since = ({ what, date }: { what: string; date: Date }) => (
  <span className="flex flex-wrap gap-x-1 whitespace-nowrap min-[22rem]:h-lh min-[22rem]:flex-wrap-reverse min-[22rem]:content-end min-[22rem]:overflow-hidden">
    <span>{what}</span>
    <Time date={date} />
  </span>
)
