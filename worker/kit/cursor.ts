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

/** The page of a query that reads one row more than `limit`, and the cursor of the next page; null for the last one. */
export function cutPage<R extends { createdAt: Date }>(
  rows: readonly R[],
  limit: number,
  idOf: (row: R) => string | number,
): { page: R[]; nextCursor: string | null } {
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return { page, nextCursor: last ? base64url(JSON.stringify([last.createdAt.getTime(), String(idOf(last))])) : null }
}
