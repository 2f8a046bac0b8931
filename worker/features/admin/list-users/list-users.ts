import type { Scope } from '../../../identity/scope.ts'
import type { User } from '../../../identity/users/users.table.ts'
import { adminErrors as errors } from '../admin.errors.ts'
import type { UsersQuery } from './list-users.contract.ts'
import { countCap, type UserPage, userPageStatements } from './list-users.store.ts'
import { type Cursor, filterValueOf, readCursor, type SortField, writeCursor } from './user-query.ts'

const defaultLimit = 100

export interface ListedUsers {
  users: User[]
  total: number
  totalIsCapped: boolean
  nextCursor: string | null
}

/** @throws INVALID_CURSOR */
export async function listUsers(scope: Scope, query: UsersQuery): Promise<ListedUsers> {
  const page = readPage(query)
  const { limit, sort } = page
  // One more than is shown tells whether there is another page.
  const [ties, beyond, counted] = await scope.db.batch(userPageStatements(scope.db, { ...page, limit: limit + 1 }))
  const found = [...ties, ...beyond]
  const users = found.slice(0, limit)
  const last = users.at(-1)
  const value = counted[0]?.value ?? 0
  const capped = (page.search !== null || page.filter !== null) && value > countCap
  return {
    users,
    total: capped ? countCap : value,
    totalIsCapped: capped,
    nextCursor: last && found.length > limit ? writeCursor(cursorOf(last, sort)) : null,
  }
}

const cursorOf = (user: User, { by, descending }: UserPage['sort']): Cursor => ({
  by,
  descending,
  value: by === 'createdAt' ? user.createdAt.getTime() : user[by],
  id: user.id,
})

function readPage(query: UsersQuery): UserPage {
  const search = readSearch(query)
  const cursor = query.cursor === undefined ? null : readCursor(query.cursor)
  if (query.cursor !== undefined && !cursor) throw errors.INVALID_CURSOR()
  // A range of an index is read in the order of the index, unless another one is asked for.
  const natural: SortField = search?.operator === 'starts_with' ? search.field : 'createdAt'
  return {
    search,
    filter: readFilter(query),
    sort: cursor ?? { by: query.sortBy ?? natural, descending: query.sortDirection === 'desc' },
    limit: query.limit || defaultLimit,
    offset: query.offset ?? 0,
    after: cursor,
  }
}

function readSearch({ searchValue, searchField, searchOperator }: UsersQuery): UserPage['search'] {
  if (!searchValue) return null
  const field = searchField ?? 'email'
  return {
    field,
    operator: searchOperator ?? 'contains',
    // Addresses are stored in lower case.
    value: field === 'email' ? searchValue.toLowerCase() : searchValue,
  }
}

function readFilter({ filterField, filterValue, filterOperator }: UsersQuery): UserPage['filter'] {
  if (!filterField || filterValue === undefined) return null
  const value = filterValueOf(filterField, filterValue)
  return value === null ? null : { field: filterField, operator: filterOperator ?? 'eq', value }
}
