import { base64url, fromBase64url } from './base64.ts'

/** Pages of a list, newest first. A page begins after the row with this time (ms) and id. */
export interface CursorPosition {
  createdAt: number
  id: string
}

/** The place of a cursor; null for the first page. @throws `error` for an invalid cursor */
export function readPlace(cursor: string | undefined, error: () => Error): CursorPosition | null {
  if (cursor === undefined) return null
  try {
    const [createdAt, id] = JSON.parse(fromBase64url(cursor)) as unknown[]
    if (Number.isSafeInteger(createdAt) && typeof id === 'string') return { createdAt: createdAt as number, id }
  } catch {}
  throw error()
}

/**
 * The page of a query that compares its rows: it reads a window of them, and one more, and the page has those that match. It may
 * have fewer than `limit` although another page follows.
 * @param window null for a query whose rows all match: it reads `limit`
 * @returns the page, and if another one follows the row after which it begins
 */
export function comparedPage<R>(
  rows: readonly R[],
  { limit, window, isMatch }: { limit: number; window: number | null; isMatch(row: R): boolean },
): { page: R[]; end: R | null } {
  const read = rows.slice(0, window ?? limit)
  const page = (window === null ? read : read.filter(isMatch)).slice(0, limit)
  const end = page.length === limit ? page.at(-1) : read.at(-1)
  return { page, end: end === undefined || end === rows.at(-1) ? null : end }
}

/** The page of a query that reads one row more than `limit`, and the cursor of the next page; null for the last one. */
export function cutPage<R extends { createdAt: Date }>(
  rows: readonly R[],
  limit: number,
  idOf: (row: R) => string | number,
): { page: R[]; nextCursor: string | null } {
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return { page, nextCursor: last ? cursorAt(last, idOf(last)) : null }
}

/** A page begins after this row. */
export const cursorAt = ({ createdAt }: { createdAt: Date }, id: string | number): string =>
  base64url(JSON.stringify([createdAt.getTime(), String(id)]))
