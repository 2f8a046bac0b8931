const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** A duration (s) as a sentence says it: `5 minutes`, `1 Stunde`; in the largest unit that tells it exactly. */
export function inWords(duration: number, language: string): string {
  const [unit, length] = units.find(([, length]) => duration % length === 0) ?? ['second', 1]
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(duration / length)
}
