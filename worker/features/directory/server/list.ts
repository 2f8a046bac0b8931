import type { Scope } from '../../../identity/scope.ts'
import { base64url, fromBase64url } from '../../../kit/base64.ts'
import type { Connection } from '../../enterprise/model/connections.table.ts'
import { listResponse, pageSize } from '../protocol/discovery.ts'
import { parseFilter } from '../protocol/filter.ts'
import { readProjection } from '../protocol/project.ts'
import { scimError } from '../protocol/scim.errors.ts'
import type { Data } from '../protocol/values.ts'
import type { Place } from '../search/search.store.ts'
import type { Resources } from './resources.ts'

/** @throws invalidValue */
function wholeNumber(name: string, value: unknown, fallback: number, min: number): number {
  if (value === undefined || value === '') return fallback
  const number = Number(value)
  if (!Number.isInteger(number)) throw scimError('SCIM_INVALID_VALUE', `${name} must be a whole number`)
  return Math.max(min, number)
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null)

/** @throws invalidCursor */
function readCursor(cursor: string): Place {
  try {
    const [value, id] = JSON.parse(fromBase64url(cursor)) as unknown[]
    const isValue = typeof value === 'string' || Number.isSafeInteger(value)
    if (isValue && typeof id === 'string') return [value as string | number, id]
  } catch {}
  throw scimError('SCIM_INVALID_CURSOR')
}

/**
 * A page of resources (RFC 7644, section 3.4.2): by `startIndex` and `count`, or by `cursor` (RFC 9865).
 * @param given the query, or the body of a search
 */
export async function listResources(
  scope: Scope,
  connection: Connection,
  resources: Resources,
  given: Data,
): Promise<Data> {
  const limit = Math.min(pageSize.max, wholeNumber('count', given.count, pageSize.default, 0))
  const startIndex = wholeNumber('startIndex', given.startIndex, 1, 1)
  const byCursor = given.cursor !== undefined
  const cursor = textOf(given.cursor)
  const filter = textOf(given.filter)
  const projection = readProjection(given)
  const { rows, total } = await resources.find(scope, {
    connectionId: connection.id,
    filter: filter === null ? null : await parseFilter(filter),
    sortBy: textOf(given.sortBy),
    descending: textOf(given.sortOrder)?.toLowerCase() === 'descending',
    limit: byCursor ? limit + 1 : limit,
    offset: byCursor ? 0 : startIndex - 1,
    after: cursor === null ? null : readCursor(cursor),
  })
  const page = rows.slice(0, limit)
  const shown = await resources.show(
    scope,
    connection,
    page.map(({ row }) => row),
    projection,
  )
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    schemas: [listResponse],
    totalResults: total,
    itemsPerPage: shown.length,
    ...(byCursor ? (last ? { nextCursor: base64url(JSON.stringify(last.place)) } : {}) : { startIndex }),
    Resources: shown.map(({ body }) => body),
  }
}
