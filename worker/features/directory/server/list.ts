import type { Scope } from '../../../identity/scope.ts'
import { base64url, fromBase64url } from '../../../kit/base64.ts'
import { AppError } from '../../../kit/errors.ts'
import type { Connection } from '../../enterprise/model/connections.table.ts'
import { directoryPageSize, listResponse } from '../protocol/discovery.ts'
import { parseFilter } from '../protocol/filter.ts'
import { readProjection } from '../protocol/project.ts'
import { scimError } from '../protocol/scim.errors.ts'
import type { Data } from '../protocol/values.ts'
import type { SearchPosition } from '../search.store.ts'
import { allResources, type Resources } from './resources.ts'

/** Beyond every list; the database takes no number of any size. */
const largest = 1_000_000_000

/** @throws invalidValue */
function wholeNumber(name: string, value: unknown, fallback: number, min: number): number {
  if (value === undefined || value === '') return fallback
  const number = Number(value)
  if (!Number.isInteger(number)) throw scimError('SCIM_INVALID_VALUE', `${name} must be a whole number`)
  return Math.max(min, Math.min(number, largest))
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null)

/** @throws invalidCursor */
function readCursor(cursor: string): SearchPosition {
  try {
    const [value, id] = JSON.parse(fromBase64url(cursor)) as unknown[]
    const isValue = typeof value === 'string' || Number.isSafeInteger(value)
    if (isValue && typeof id === 'string') return [value as string | number, id]
  } catch {}
  throw scimError('SCIM_INVALID_CURSOR')
}

/** The parameters of a list. @param given the query, or the body of a search */
async function readList(given: Data) {
  const filter = textOf(given.filter)
  return {
    limit: Math.min(directoryPageSize.max, wholeNumber('count', given.count, directoryPageSize.default, 0)),
    startIndex: wholeNumber('startIndex', given.startIndex, 1, 1),
    filter: filter === null ? null : await parseFilter(filter),
    sortBy: textOf(given.sortBy),
    descending: textOf(given.sortOrder)?.toLowerCase() === 'descending',
  }
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
  const { limit, startIndex, ...which } = await readList(given)
  const byCursor = given.cursor !== undefined
  const cursor = textOf(given.cursor)
  const projection = readProjection(given)
  const { rows, total } = await resources.find(scope, {
    connectionId: connection.id,
    ...which,
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

/**
 * A page of users, followed by groups (RFC 7644, section 3.4.2.1). A type that has no attribute of the filter has no results.
 * The page is found by `startIndex`; `sortBy` is ignored.
 */
export async function searchAll(scope: Scope, connection: Connection, given: Data): Promise<Data> {
  if (given.cursor !== undefined) {
    throw scimError('SCIM_INVALID_CURSOR', 'A search in all resources has no cursor')
  }
  const { limit, startIndex, filter } = await readList(given)
  const projection = readProjection(given)
  const found: Data[] = []
  const refusals: unknown[] = []
  let total = 0
  for (const resources of allResources) {
    try {
      const page = await resources.find(scope, {
        ...{ connectionId: connection.id, filter, sortBy: null, descending: false, after: null },
        limit: limit - found.length,
        offset: Math.max(0, startIndex - 1 - total),
      })
      const rows = page.rows.map(({ row }) => row)
      const shown = await resources.show(scope, connection, rows, projection)
      found.push(...shown.map(({ body }) => body))
      total += page.total
    } catch (thrown) {
      if (!(thrown instanceof AppError) || thrown.code !== 'SCIM_INVALID_FILTER') throw thrown
      refusals.push(thrown)
    }
  }
  if (refusals.length === allResources.length) throw refusals[0]
  return {
    schemas: [listResponse],
    totalResults: total,
    itemsPerPage: found.length,
    startIndex,
    Resources: found,
  }
}
