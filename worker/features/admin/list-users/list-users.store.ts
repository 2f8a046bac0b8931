import { and, type SQL, sql } from 'drizzle-orm'
import { users } from '../../../identity/users/users.table.ts'
import type { Database } from '../../../platform/database.ts'
import { tableCounts } from './user-count.table.ts'
import type { FilterField, FilterOperator, SearchField, SearchOperator, SortField } from './user-query.ts'

/** Queries about lists of users. Every value that somebody typed is a bound parameter, and no LIKE is used. */

/** What a page holds. */
export interface UserPage {
  search: { field: SearchField; operator: SearchOperator; value: string } | null
  filter: { field: FilterField; operator: FilterOperator; value: string | number } | null
  sort: { by: SortField; descending: boolean }
  limit: number
  offset: number
  /** The user after whom the page begins, by their value in the order and their id. */
  after: { value: string | number; id: string } | null
}

/** Every order has an index that holds it, with the id as its last column. */
const orders: Record<SortField, SQL> = {
  createdAt: sql`${users.createdAt}`,
  name: sql`${users.name} collate nocase`,
  email: sql`${users.email}`,
  id: sql`${users.id}`,
}

/** `starts_with` is a range of the index; the other two read what they are asked about. */
function searched({ field, operator, value }: NonNullable<UserPage['search']>): SQL {
  const column = orders[field]
  if (operator === 'contains') return sql`instr(lower(${users[field]}), lower(${value})) > 0`
  if (operator === 'ends_with') return sql`substr(lower(${users[field]}), -length(${value})) = lower(${value})`
  // Nothing that begins with the value sorts after the last character that there is.
  return sql`${column} >= ${value} and ${column} < ${`${value}\u{10ffff}`}`
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

/** A partial index is used only where the statement itself says what the index is about. */
function indexHint({ field, operator, value }: NonNullable<UserPage['filter']>): SQL {
  const isNotPlain = operator === 'eq' ? value !== 'user' : !'user'.includes(String(value).toLowerCase())
  if (field === 'role' && (operator === 'eq' || operator === 'contains') && isNotPlain) {
    return sql` and ${users.role} <> 'user'`
  }
  return field === 'banned' && operator === 'eq' && value === 1 ? sql` and ${users.banned} = 1` : sql.empty()
}

/**
 * For one batch: two halves of a page, and the number of users that fit. A page after a user begins with those who
 * have the same value in the order and a later id, and goes on with the values after it: two ranges of one index, so
 * that a late page costs what the first one does.
 */
export function userPageStatements(db: Database, page: UserPage) {
  const { sort, limit, offset, after } = page
  const order = orders[sort.by]
  const direction = sql.raw(sort.descending ? 'desc' : 'asc')
  const beyond = sql.raw(sort.descending ? '<' : '>')
  const fits = and(page.search ? searched(page.search) : undefined, page.filter ? filtered(page.filter) : undefined)
  const select = (where: SQL | undefined) =>
    db
      .select()
      .from(users)
      .where(and(fits, where))
      .orderBy(sql`${order} ${direction}`, sql`${users.id} ${direction}`)
      .limit(limit)
      .offset(after ? 0 : offset)
  return [
    select(after ? sql`${order} = ${after.value} and ${users.id} ${beyond} ${after.id}` : sql`0`),
    select(after ? sql`${order} ${beyond} ${after.value}` : undefined),
    fits ? cappedCount(db, fits) : userCount(db),
  ] as const
}

/** Counting more than this tells nobody anything, and reads every row that it counts. */
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
