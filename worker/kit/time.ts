import type { Language } from './language.ts'

/** Durations are numbers of seconds, as in the protocol. These names replace literal numbers in the code. */
export const seconds = (n: number): number => n
export const minutes = (n: number): number => n * 60
export const hours = (n: number): number => n * 3600
export const days = (n: number): number => n * 86_400

const units = [
  ['day', days(1)],
  ['hour', hours(1)],
  ['minute', minutes(1)],
  ['second', seconds(1)],
] as const

/** Formats a duration (s) for a sentence in the largest exact unit: `5 minutes`, `1 Stunde`, `90 minutes`. */
export function inWords(duration: number, language: Language): string {
  const [unit, length] = units.find(([, length]) => duration % length === 0) ?? ['second', 1]
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(duration / length)
}

/** The rest of a countdown (s): `45 seconds`, and from 90 seconds in whole minutes, rounded up. */
export const countdownInWords = (left: number, language: Language): string =>
  inWords(left > 90 ? minutes(Math.ceil(left / 60)) : left, language)

/** A duration (s) in milliseconds. */
export const ms = (duration: number): number => duration * 1000

/** The number of the day of a time, in UTC. */
export const dayOf = (time: Date): number => Math.floor(time.getTime() / ms(days(1)))

/** The time `duration` seconds after `from`. */
export const after = (from: Date, duration: number): Date => new Date(from.getTime() + ms(duration))

/** Formats a time for a sentence, in UTC: `3 December 2026 at 15:30`. The sentence must name the time zone. */
export const momentInWords = (moment: Date, language: Language): string =>
  moment.toLocaleString(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
