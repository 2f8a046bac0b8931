import type { Line } from './line.ts'

/** The pages of a source that are loaded. */
export interface Source {
  lines: Line[]
  /** The time back to which a source with a further page is searched, if it can be older than its last line. */
  searchedTo?: Date | null | undefined
  /** Loads the next page; null after the last one. */
  more: { run(): void; busy: boolean } | null
}

/**
 * The lines of several sources, the newest first. Where a source has further pages, the lines of others that are older than
 * its last loaded line wait for them: lines never appear above others.
 */
export function merged(sources: readonly Source[]): Source {
  const ends = sources.flatMap(({ lines, searchedTo, more }) =>
    more ? [{ at: (searchedTo ?? lines.at(-1)?.date)?.getTime() ?? Infinity, more }] : [],
  )
  const horizon = Math.max(...ends.map(({ at }) => at))
  const lines = sources
    .flatMap((source) => source.lines)
    .filter(({ date }) => date.getTime() >= horizon)
    .sort((a, b) => b.date.getTime() - a.date.getTime())
  return { lines, more: ends.find(({ at }) => at === horizon)?.more ?? null }
}
