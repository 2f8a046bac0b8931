const steps = [1, 2, 3, 4, 5, 6, 8, 10]
/** From 20 on, half of the axis is a whole number with these, too. */
const fineSteps = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]

/** The end of an axis: a round, even number that is at least as large as the largest value. */
export function roundedMax(largest: number): number {
  const half = Math.max(1, largest / 2)
  const power = 10 ** Math.floor(Math.log10(half))
  return 2 * power * (power >= 10 ? fineSteps : steps).find((step) => step * power >= half)!
}

/** Numbers of several names as one number for each name, the largest first. */
export function mergeByName<T extends { name: string; counts: (number | null)[] }>(series: readonly T[]): T[] {
  const merged = new Map<string, T>()
  for (const one of series) {
    const before = merged.get(one.name)
    const counts = before ? before.counts.map((count, at) => sumOf([count, one.counts[at] ?? null])) : one.counts
    merged.set(one.name, { ...(before ?? one), counts })
  }
  return [...merged.values()].sort((a, b) => (sumOf(b.counts) ?? 0) - (sumOf(a.counts) ?? 0))
}

/** Null if all numbers are unknown. */
export const sumOf = (counts: readonly (number | null)[]): number | null =>
  counts.reduce((sum, count) => (count === null ? sum : (sum ?? 0) + count), null)
