import type { User } from '../../../identity/model/users.table.ts'
import { contributed } from '../../../identity/registry.ts'
import type { Scope } from '../../../identity/scope.ts'
import { comparedAddress } from '../../../kit/email-address.ts'
import { read } from '../../../platform/statements.ts'
import { adminErrors as errors } from '../admin.errors.ts'
import type { UsersFilter, UsersQuery } from './list-users.contract.ts'
import {
  comparesAll,
  countCap,
  isInOrder,
  lastSignInOf,
  type UserPage,
  userPageReads,
  userSearchWindow,
  usersEverywhere,
  windowReads,
} from './list-users.store.ts'
import { type Cursor, filterValueOf, readCursor, type SortField, writeCursor } from './user-query.ts'

const defaultLimit = 100

export type ListedUser = User & { lastSignInAt: Date | null }

export interface ListedUsers {
  users: ListedUser[]
  total: number
  totalIsCapped: boolean
  /** The page ended after so many users were compared; `nextCursor` continues, if the users have an order. */
  comparedUsers: number | null
  nextCursor: string | null
}

/** @throws INVALID_CURSOR */
export async function listUsers(scope: Scope, query: UsersQuery): Promise<ListedUsers> {
  if (query.search) return searchEverywhere(scope, query, query.search)
  const page = readPage(scope, query)
  const { counted, ...rest } = await readUsers(scope, page)
  const value = counted[0]?.value ?? 0
  const capped = (page.search !== null || page.filter !== null) && value > countCap
  return {
    ...presentPage(page, rest),
    total: capped ? countCap : value,
    totalIsCapped: capped || (rest.windows?.first.length ?? 0) > 1,
  }
}

/** A page, and where the windows end unless all users are compared or more than the page and the count can have are found. */
async function readUsers(scope: Scope, page: UserPage) {
  // One additional row shows whether another page follows.
  const { all, ...rows } = await read(scope.db, userPageReads(scope.db, { ...page, limit: page.limit + 1 }))
  const isFull = rows.found.length > page.limit && (rows.counted[0]?.value ?? 0) > countCap
  const isWhole = isFull || comparesAll(page, all[0]?.value ?? 0)
  return { ...rows, windows: isWhole ? null : await read(scope.db, windowReads(scope.db, page)) }
}

function presentPage(
  page: UserPage,
  { found, windows }: Pick<Awaited<ReturnType<typeof readUsers>>, 'found' | 'windows'>,
) {
  const { limit, sort } = page
  const users = found.slice(0, limit)
  const last = users.at(-1)
  if (last && found.length > limit) return { users, comparedUsers: null, nextCursor: writeCursor(cursorOf(last, sort)) }
  // A second row follows the last one of the window.
  const end = windows && windows.end.length > 1 ? windows.end[0]! : null
  return {
    users,
    comparedUsers: end && userSearchWindow,
    nextCursor: end && isInOrder(page) ? writeCursor({ ...sort, ...end }) : null,
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
  const { found, ends } = await read(scope.db, usersEverywhere(scope.db, text, which))
  return {
    users: found.slice(0, limit),
    total: Math.min(found.length, limit),
    totalIsCapped: found.length > limit || Boolean(ends[0]?.early),
    comparedUsers: ends[0]?.early ? userSearchWindow : null,
    nextCursor: null,
  }
}

/** All users that match, in pages. @throws EXPORT_IS_TOO_LARGE if a search without further pages does not find all */
export async function* userPages(scope: Scope, filter: UsersFilter, limit: number): AsyncGenerator<ListedUser[]> {
  if (filter.search) {
    const { users, totalIsCapped } = await searchEverywhere(scope, { ...filter, limit }, filter.search)
    if (totalIsCapped) throw errors.EXPORT_IS_TOO_LARGE()
    yield users
    return
  }
  for (let page: UserPage | null = { ...readPage(scope, filter), limit }; page; ) {
    const { users, comparedUsers, nextCursor } = presentPage(page, await readUsers(scope, page))
    if (comparedUsers !== null && nextCursor === null) throw errors.EXPORT_IS_TOO_LARGE()
    yield users
    page = nextCursor === null ? null : { ...page, after: readCursor(nextCursor) }
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
