import { and, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { users } from '../../../identity/model/users.table.ts'
import type { Database } from '../../../platform/database.ts'
import { named } from '../../../platform/statements.ts'
import { tableCounts } from '../../../platform/table-counts.table.ts'
import { comparedFilter, findingOf, orders, type UserFilter, type UserSearch } from './user-conditions.store.ts'
import type { SortField } from './user-query.ts'

/** Queries about lists of users. Every value of a caller is a bound parameter. Searches do not use LIKE. */

/** The columns of a page. */
export interface UserPage {
  search: UserSearch | null
  filter: UserFilter | null
  sort: { by: SortField; descending: boolean }
  limit: number
  offset: number
  /** The user after whom the page begins: the value in the order, and the id. */
  after: { value: string | number; id: string } | null
  lastSignIn: SQL | null
}

/** A condition without an index is compared with at most so many users in one request. */
export const userSearchWindow = 10_000

/** The largest `total` of a search or filter, because a count reads every row that it counts. */
export const countCap = 1000

/** A user with the time of their last sign-in. @param lastSignIn the subquery; null without the feature that stores it */
const columnsOf = (lastSignIn: SQL | null) => ({
  ...named(users, 'user'),
  lastSignInAt: sql<Date | null>`${lastSignIn ?? sql`null`}`.mapWith(users.createdAt).as('last_sign_in_at'),
})

/** The last sign-in of the user of a row, from the feature that stores it. */
export const lastSignInOf = (contributions: readonly ((userId: SQLWrapper) => SQL)[]): SQL | null =>
  contributions[0]?.(users.id) ?? null

/** The columns of the search over everything, each with an index. */
export interface Everywhere {
  name: string
  email: string
  username: string
  /** Null if the text cannot be a number. */
  phoneNumber: string | null
  id: string
}

/** Users of one index that a filter is compared with, of the five of the search over everything. */
const everywhereWindow = userSearchWindow / 5

/**
 * For a batch: users by name. Each index yields at most `limit` candidates, so that the search of one letter costs as much
 * as any other. Fewer rows than `limit` are all users that match, unless an index has more users than a filter is compared with.
 */
export function usersEverywhere(
  db: Database,
  text: Everywhere,
  { filter, limit, lastSignIn }: Pick<UserPage, 'filter' | 'limit' | 'lastSignIn'>,
) {
  const column = { name: orders.name, email: orders.email, username: users.username, phoneNumber: users.phoneNumber }
  const ranges = Object.entries(column).flatMap(([field, by]) => {
    const value = text[field as keyof typeof column]
    return value === null ? [] : [{ by, fits: sql`${by} >= ${value} and ${by} < ${`${value}\u{10ffff}`}` }]
  })
  const candidates = ({ by, fits }: { by: SQLWrapper; fits: SQL }, most: number) =>
    sql`select * from ${users} where ${fits} order by ${by} limit ${most}`
  const branches = [...ranges, { by: orders.id, fits: sql`${users.id} = ${text.id}` }].map((range) =>
    filter
      ? sql`select id from (select ${users.id} as id from (${candidates(range, everywhereWindow)}) as ${users} where ${comparedFilter(filter)} limit ${limit})`
      : sql`select id from (${candidates(range, limit)})`,
  )
  const goesOn = ranges.map(
    ({ by, fits }) =>
      sql`exists (select 1 from ${users} where ${fits} order by ${by} limit 1 offset ${everywhereWindow})`,
  )
  return {
    found: db
      .select(columnsOf(lastSignIn))
      .from(users)
      .where(sql`${users.id} in (${sql.join(branches, sql` union `)})`)
      // The plus keeps SQLite from walking the index of the order.
      .orderBy(sql`+${users.name} collate nocase`, users.id)
      .limit(limit),
    ends: db
      .select({ early: sql<number>`${filter ? sql.join(goesOn, sql` or `) : sql`0`}`.as('early') })
      .from(sql`(select 1)`),
  }
}

/** The statements that find the users of a page, see `UserFinding`. */
function partsOf({ search, filter, sort, limit, offset, after }: UserPage) {
  const { indexed, range, compared } = findingOf(search, filter, sort, after !== null)
  const order = orders[sort.by]
  const direction = sql.raw(sort.descending ? 'desc' : 'asc')
  const beyond = sql.raw(sort.descending ? '<' : '>')
  const sorted = sql`order by ${order} ${direction}, ${users.id} ${direction}`
  const isLimited = compared.length > 0 || range.length > 0
  const most = isLimited ? userSearchWindow : limit + offset
  const walk = (columns: SQL, where: SQL | undefined, size: number) =>
    sql`select ${columns} from ${users} where ${and(...indexed, where) ?? sql`1`} ${sorted} limit ${size}`
  const set = (columns: SQL, size: number) => sql`select ${columns} from ${users} where ${and(...range)} limit ${size}`
  /**
   * The users in the order of the list: first those with the value of the last user before and a later id, then those with
   * later values. Both are ranges of one index, so that a late page costs as much as the first one.
   */
  function candidates(columns: SQL, from: UserPage['after'], size: number): SQL {
    if (range.length > 0) return set(columns, size)
    if (from === null) return walk(columns, undefined, size)
    const ties = walk(columns, sql`${order} = ${from.value} and ${users.id} ${beyond} ${from.id}`, size)
    const later = walk(columns, sql`${order} ${beyond} ${from.value}`, size)
    return sql`select * from (${ties}) union all select * from (${later}) limit ${size}`
  }
  const isAfter =
    range.length > 0 && after !== null
      ? sql`(${order} ${beyond} ${after.value} or (${order} = ${after.value} and ${users.id} ${beyond} ${after.id}))`
      : undefined
  return {
    isLimited,
    isSorted: range.length === 0,
    sorted,
    fits: and(...compared, isAfter),
    matches: and(...compared),
    candidates: (columns: SQL, from = after, size = most) => candidates(columns, from, size),
    order,
  }
}

/** A page, and the number of matches among the users that are compared. */
export function userPageReads(db: Database, page: UserPage) {
  const { isLimited, isSorted, sorted, fits, matches, candidates } = partsOf(page)
  const { search, filter, limit, offset, after, lastSignIn } = page
  // Rows of a limited subquery arrive in its order: an ORDER BY would read all of them before the first.
  const order = isSorted ? sql.empty() : sorted
  const first = partsOf({ ...page, after: null }).candidates(sql`*`, null, isLimited ? userSearchWindow : countCap + 1)
  return {
    found: db
      .select(columnsOf(lastSignIn))
      .from(sql`(${candidates(sql`*`)}) as ${users}`)
      .where(sql`${fits ?? sql`1`} ${order}`)
      .limit(limit)
      .offset(after ? 0 : offset),
    counted: search || filter ? cappedCount(db, first, matches) : userCount(db),
    all: userCount(db),
  }
}

const cappedCount = (db: Database, candidates: SQL, fits: SQL | undefined) =>
  db
    .select({ value: sql<number>`count(*)`.as('value') })
    .from(sql`(select 1 from (${candidates}) as ${users} where ${fits ?? sql`1`} limit ${countCap + 1})`)

const userCount = (db: Database) =>
  db
    .select({ value: sql<number>`${tableCounts.value}`.as('value') })
    .from(tableCounts)
    .where(sql`${tableCounts.name} = 'users'`)

/** Whether every user who may fit is compared with the conditions: not if the page is limited and users follow. */
export const comparesAll = (page: UserPage, allUsers: number): boolean =>
  allUsers <= userSearchWindow || !partsOf(page).isLimited

/** The last user of the window from `after`, and of the first window, if users follow. Only for users that have an order. */
export function windowReads(db: Database, page: UserPage) {
  const end = (from: UserPage['after']) => {
    const { candidates, order } = partsOf({ ...page, after: from })
    const columns = sql`${order} as place, ${users.id} as id`
    return db
      .select({ value: sql<string | number>`place`.as('value'), id: sql<string>`id`.as('id') })
      .from(sql`(${candidates(columns, from, userSearchWindow + 1)})`)
      .limit(2)
      .offset(userSearchWindow - 1)
  }
  return { end: end(page.after), first: end(null) }
}

export const isInOrder = (page: UserPage): boolean => partsOf(page).isSorted
