import type { User } from '../../../identity/model/users.table.ts'
import { contributed } from '../../../identity/registry.ts'
import type { Scope } from '../../../identity/scope.ts'
import { comparedAddress } from '../../../kit/email-address.ts'
import { read } from '../../../platform/statements.ts'
import { adminErrors as errors } from '../admin.errors.ts'
import type { UsersFilter, UsersQuery } from './list-users.contract.ts'
import { countCap, lastSignInOf, type UserPage, userPageReads, usersEverywhere } from './list-users.store.ts'
import { type Cursor, filterValueOf, readCursor, type SortField, writeCursor } from './user-query.ts'

const defaultLimit = 100

export type ListedUser = User & { lastSignInAt: Date | null }

export interface ListedUsers {
  users: ListedUser[]
  total: number
  totalIsCapped: boolean
  nextCursor: string | null
}

/** @throws INVALID_CURSOR */
export async function listUsers(scope: Scope, query: UsersQuery): Promise<ListedUsers> {
  if (query.search) return searchEverywhere(scope, query, query.search)
  const page = readPage(scope, query)
  const { limit, sort } = page
  // One additional row shows whether another page follows.
  const { ties, beyond, counted } = await read(scope.db, userPageReads(scope.db, { ...page, limit: limit + 1 }))
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

/** Reads one row more than the limit, which shows whether others match. There are no further pages. */
async function searchEverywhere(scope: Scope, query: UsersQuery, search: string): Promise<ListedUsers> {
  const limit = query.limit || defaultLimit
  const lower = search.toLowerCase()
  const number = search.replace(/[\s()./-]/g, '').replace(/^00/, '+')
  const text = {
    name: search,
    email: lower,
    username: lower,
    phoneNumber: /^\+?\d{2,}$/.test(number) ? number.replace(/^\+?/, '+') : null,
    id: search,
  }
  const which = {
    filter: readFilter(query),
    limit: limit + 1,
    lastSignIn: lastSignInOf(contributed(scope, 'wayIn', 'lastUse')),
  }
  const { found } = await read(scope.db, { found: usersEverywhere(scope.db, text, which) })
  return {
    users: found.slice(0, limit),
    total: Math.min(found.length, limit),
    totalIsCapped: found.length > limit,
    nextCursor: null,
  }
}

/** All users that match, in pages. @throws EXPORT_IS_TOO_LARGE if a search in everything finds more than one page */
export async function* userPages(scope: Scope, filter: UsersFilter, limit: number): AsyncGenerator<ListedUser[]> {
  if (filter.search) {
    const { users, totalIsCapped } = await searchEverywhere(scope, { ...filter, limit }, filter.search)
    if (totalIsCapped) throw errors.EXPORT_IS_TOO_LARGE()
    yield users
    return
  }
  for (let page: UserPage | null = { ...readPage(scope, filter), limit: limit + 1 }; page; ) {
    const { counted: _, ...reads } = userPageReads(scope.db, page)
    const { ties, beyond } = await read(scope.db, reads)
    const found = [...ties, ...beyond]
    const users = found.slice(0, limit)
    const last = users.at(-1)
    yield users
    page = last && found.length > limit ? { ...page, after: cursorOf(last, page.sort) } : null
  }
}

const cursorOf = (user: User, { by, descending }: UserPage['sort']): Cursor => ({
  by,
  descending,
  value: by === 'createdAt' ? user.createdAt.getTime() : user[by],
  id: user.id,
})

function readPage(scope: Scope, query: UsersQuery): UserPage {
  const search = readSearch(query)
  const cursor = query.cursor === undefined ? null : readCursor(query.cursor)
  if (query.cursor !== undefined && !cursor) throw errors.INVALID_CURSOR()
  // SQLite reads a range in the order of its index unless the query has another order.
  const natural: SortField = search?.operator === 'starts_with' ? search.field : 'createdAt'
  return {
    search,
    filter: readFilter(query),
    sort: cursor ?? { by: query.sortBy ?? natural, descending: query.sortDirection === 'desc' },
    limit: query.limit || defaultLimit,
    offset: query.offset ?? 0,
    after: cursor,
    lastSignIn: lastSignInOf(contributed(scope, 'wayIn', 'lastUse')),
  }
}

function readSearch({ searchValue, searchField, searchOperator }: UsersQuery): UserPage['search'] {
  if (!searchValue) return null
  const field = searchField ?? 'email'
  return {
    field,
    operator: searchOperator ?? 'contains',
    // Addresses are stored in lower case.
    value: field === 'email' ? comparedAddress(searchValue) : searchValue,
  }
}

function readFilter({ filterField, filterValue, filterOperator }: UsersQuery): UserPage['filter'] {
  if (!filterField || filterValue === undefined) return null
  const value = filterValueOf(filterField, filterValue)
  return value === null ? null : { field: filterField, operator: filterOperator ?? 'eq', value }
}
