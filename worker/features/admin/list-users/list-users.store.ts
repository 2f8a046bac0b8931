import { and, getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { users } from '../../../identity/model/users.table.ts'
import type { Database } from '../../../platform/database.ts'
import { tableCounts } from './user-count.table.ts'
import type { FilterField, FilterOperator, SearchField, SearchOperator, SortField } from './user-query.ts'

/** Queries about lists of users. Every value of a caller is a bound parameter. Searches do not use LIKE. */

/** The columns of a page. */
export interface UserPage {
  search: { field: SearchField; operator: SearchOperator; value: string } | null
  filter: { field: FilterField; operator: FilterOperator; value: string | number } | null
  sort: { by: SortField; descending: boolean }
  limit: number
  offset: number
  /** The user after whom the page begins: the value in the order, and the id. */
  after: { value: string | number; id: string } | null
  lastSignIn: SQL | null
}

/** Each order has an index, with the id as its last column. */
const orders: Record<SortField, SQL> = {
  createdAt: sql`${users.createdAt}`,
  name: sql`${users.name} collate nocase`,
  email: sql`${users.email}`,
  id: sql`${users.id}`,
}

/** A user with the time of their last sign-in. @param lastSignIn the subquery; null without the feature that stores it */
const columnsOf = (lastSignIn: SQL | null) => ({
  ...getTableColumns(users),
  lastSignInAt: sql<Date | null>`${lastSignIn ?? sql`null`}`.mapWith(users.createdAt).as('last_sign_in_at'),
})

/** The last sign-in of the user of a row, from the feature that stores it. */
export const lastSignInOf = (contributions: readonly ((userId: SQLWrapper) => SQL)[]): SQL | null =>
  contributions[0]?.(users.id) ?? null

/** `starts_with` reads a range of the index; the other two operators compare every candidate row. */
function searched({ field, operator, value }: NonNullable<UserPage['search']>): SQL {
  const column = orders[field]
  if (operator === 'contains') return sql`instr(lower(${users[field]}), lower(${value})) > 0`
  if (operator === 'ends_with') return sql`substr(lower(${users[field]}), -length(${value})) = lower(${value})`
  // Every string that begins with the value sorts before the value followed by the last code point.
  return sql`${column} >= ${value} and ${column} < ${`${value}\u{10ffff}`}`
}

/** The columns of the search over everything, each with an index. */
export interface Everywhere {
  name: string
  email: string
  username: string
  /** Null if the text cannot be a number. */
  phoneNumber: string | null
  id: string
}

/**
 * For a batch: users by name. Each index yields at most `limit` candidates, so that the search of one letter costs as much
 * as any other. Fewer rows than `limit` are all users that match.
 */
export function usersEverywhere(
  db: Database,
  text: Everywhere,
  { filter, limit, lastSignIn }: Pick<UserPage, 'filter' | 'limit' | 'lastSignIn'>,
) {
  const column = { name: orders.name, email: orders.email, username: users.username, phoneNumber: users.phoneNumber }
  const branches = Object.entries(column).flatMap(([field, by]) => {
    const value = text[field as keyof typeof column]
    return value === null ? [] : [candidates(sql`${by} >= ${value} and ${by} < ${`${value}\u{10ffff}`}`, by)]
  })
  branches.push(candidates(sql`${users.id} = ${text.id}`, orders.id))
  function candidates(fits: SQL, by: SQLWrapper): SQL {
    const where = and(fits, filter ? filtered(filter) : undefined)
    return sql`select id from (select ${users.id} as id from ${users} where ${where} order by ${by} limit ${limit})`
  }
  return (
    db
      .select(columnsOf(lastSignIn))
      .from(users)
      .where(sql`${users.id} in (${sql.join(branches, sql` union `)})`)
      // The plus keeps SQLite from walking the index of the order.
      .orderBy(sql`+${users.name} collate nocase`, users.id)
      .limit(limit)
  )
}

const comparisons: Record<Exclude<FilterOperator, 'contains'>, SQL> = {
  eq: sql.raw('='),
  ne: sql.raw('<>'),
  lt: sql.raw('<'),
  lte: sql.raw('<='),
  gt: sql.raw('>'),
  gte: sql.raw('>='),
}

function filtered({ field, operator, value }: NonNullable<UserPage['filter']>): SQL {
  const column = users[field]
  const condition =
    operator === 'contains'
      ? sql`instr(lower(${column}), lower(${String(value)})) > 0`
      : sql`${column} ${comparisons[operator]} ${value}`
  return sql`(${condition}${indexHint({ field, operator, value })})`
}

/** SQLite uses a partial index only if the statement repeats its condition. */
function indexHint({ field, operator, value }: NonNullable<UserPage['filter']>): SQL {
  const isNotPlain = operator === 'eq' ? value !== 'user' : !'user'.includes(String(value).toLowerCase())
  if (field === 'role' && (operator === 'eq' || operator === 'contains') && isNotPlain) {
    return sql` and ${users.role} <> 'user'`
  }
  return field === 'banned' && operator === 'eq' && value === 1 ? sql` and ${users.banned} = 1` : sql.empty()
}

/**
 * The two halves of a page, and the number of matches: first users with the same value and a later id, then those with
 * later values. Both are ranges of one index, so that a late page costs as much as the first one.
 */
export function userPageReads(db: Database, page: UserPage) {
  const { sort, limit, offset, after, lastSignIn } = page
  const order = orders[sort.by]
  const direction = sql.raw(sort.descending ? 'desc' : 'asc')
  const beyond = sql.raw(sort.descending ? '<' : '>')
  const fits = and(page.search ? searched(page.search) : undefined, page.filter ? filtered(page.filter) : undefined)
  const select = (where: SQL | undefined) =>
    db
      .select(columnsOf(lastSignIn))
      .from(users)
      .where(and(fits, where))
      .orderBy(sql`${order} ${direction}`, sql`${users.id} ${direction}`)
      .limit(limit)
      .offset(after ? 0 : offset)
  return {
    ties: select(after ? sql`${order} = ${after.value} and ${users.id} ${beyond} ${after.id}` : sql`0`),
    beyond: select(after ? sql`${order} ${beyond} ${after.value}` : undefined),
    counted: fits ? cappedCount(db, fits) : userCount(db),
  }
}

/** The largest `total` of a search or filter, because a count reads every row that it counts. */
export const countCap = 1000

const cappedCount = (db: Database, fits: SQL) =>
  db
    .select({ value: sql<number>`count(*)`.as('value') })
    .from(sql`(select 1 from ${users} where ${fits} limit ${countCap + 1})`)

const userCount = (db: Database) =>
  db
    .select({ value: sql<number>`${tableCounts.value}`.as('value') })
    .from(tableCounts)
    .where(sql`${tableCounts.name} = 'users'`)
