import type { Language } from './language.ts'

/** Durations are numbers of seconds, as the protocol's options are; these names keep bare numbers out of the code. */
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

/** A duration (s) as a sentence says it: `5 minutes`, `1 Stunde`, `90 minutes`; in the largest unit that tells it exactly. */
export function inWords(duration: number, language: Language): string {
  const [unit, length] = units.find(([, length]) => duration % length === 0) ?? ['second', 1]
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(duration / length)
}

/** A duration (s) in milliseconds. */
export const ms = (duration: number): number => duration * 1000

/** The moment `duration` seconds after `from`. */
export const after = (from: Date, duration: number): Date => new Date(from.getTime() + ms(duration))
