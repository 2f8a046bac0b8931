import type { Filter } from 'scim2-parse-filter'
import { scimError } from './scim.errors.ts'

/** Bounds of a filter: characters, comparisons (D1 allows 100 bound parameters), and depth. */
const max = { length: 4096, comparisons: 20, depth: 10 }

/** Parses a filter (RFC 7644, section 3.4.2.2). The library loads on first use. @throws invalidFilter */
export async function parseFilter(text: string): Promise<Filter> {
  if (text.length > max.length) throw scimError('SCIM_INVALID_FILTER', 'The filter is too long')
  // The parser is recursive: the depth is checked before.
  if (depthOf(text) > max.depth) throw scimError('SCIM_INVALID_FILTER', 'The filter is nested too deeply')
  const { parse } = await import('scim2-parse-filter')
  let filter: Filter
  try {
    filter = parse(standardized(text))
  } catch {
    throw scimError('SCIM_INVALID_FILTER')
  }
  if (comparisonsOf(filter) > max.comparisons) {
    throw scimError('SCIM_INVALID_FILTER', `The filter has more than ${max.comparisons} comparisons`)
  }
  return filter
}

/** A text in quotation marks. One without its end extends to the end, so that no other match begins in it. */
const literal = '"(?:[^"\\\\]|\\\\[\\s\\S])*(?:"|\\\\?$)'
const partAfterValues = new RegExp(
  `${literal}|\\[((?:${literal}|[^"[\\]])*)\\]\\.([$\\w]+)\\s+(pr\\b|[a-z]{2}\\s+(?:${literal}|[^\\s")]+))`,
  'gi',
)
const bareWord = new RegExp(`${literal}|\\b(eq|ne|co|sw|ew|gt|ge|lt|le)(\\s+)([^\\s"()[\\]]+)`, 'gi')

/**
 * The deviations of Entra ID in the grammar of RFC 7644: a part after a value filter, as in
 * `emails[type eq "work"].value eq "…"`, which the parser would not relate to the same value, and texts without quotation marks.
 */
const standardized = (text: string): string =>
  text
    .replace(bareWord, (found, op?: string, space?: string, word?: string) =>
      word === undefined || /^(true|false|null|-?\d+(\.\d+)?)$/.test(word)
        ? found
        : `${op}${space}${JSON.stringify(word)}`,
    )
    .replace(partAfterValues, (found, inner?: string, part?: string, rest?: string) =>
      part === undefined ? found : `[(${inner}) and ${part} ${rest}]`,
    )

const tokens = new RegExp(`${literal}|[[(\\])]|\\bnot\\b`, 'gi')

function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const [token] of text.matchAll(tokens)) {
    if (token === '(' || token === '[' || /^not$/i.test(token)) depth += 1
    else if (token === ')' || token === ']') depth -= 1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

function comparisonsOf(filter: Filter): number {
  switch (filter.op) {
    case 'and':
    case 'or':
      return filter.filters.reduce((sum, one) => sum + comparisonsOf(one), 0)
    case 'not':
      return comparisonsOf(filter.filter)
    case '[]':
      return comparisonsOf(filter.valFilter)
    default:
      return 1
  }
}
