import { type SQL, sql } from 'drizzle-orm'
import { users } from '../../../identity/model/users.table.ts'
import type { FilterField, FilterOperator, SearchField, SearchOperator, SortField } from './user-query.ts'

/** The conditions of a list of users, by what they cost. Every value of a caller is a bound parameter. */

export interface UserSearch {
  field: SearchField
  operator: SearchOperator
  value: string
}

export interface UserFilter {
  field: FilterField
  operator: FilterOperator
  value: string | number
}

/** Each order has an index, with the id as its last column. */
export const orders: Record<SortField, SQL> = {
  createdAt: sql`${users.createdAt}`,
  name: sql`${users.name} collate nocase`,
  email: sql`${users.email}`,
  id: sql`${users.id}`,
}

type Part = 'unique' | 'lower' | 'upper' | 'partial' | 'compared'

/** A condition, and the index that it is a range of: the order `of`, or that of its column. */
interface Condition {
  part: Part
  of: SortField | null
  fits: SQL
  /** The same without an index. */
  compares: SQL
}

const condition = (part: Part, of: SortField | null, column: SQL, rest: SQL): Condition => ({
  part,
  of,
  fits: sql`${column} ${rest}`,
  compares: sql`+${column} ${rest}`,
})

const comparing = (fits: SQL): Condition => ({ part: 'compared', of: null, fits, compares: fits })

/** Every string that begins with the value sorts before the value followed by the last code point. */
const searched = ({ field, operator, value }: UserSearch): Condition[] => {
  if (operator === 'contains') return [comparing(sql`instr(lower(${users[field]}), lower(${value})) > 0`)]
  if (operator === 'ends_with') {
    return [comparing(sql`substr(lower(${users[field]}), -length(${value})) = lower(${value})`)]
  }
  return [
    condition('lower', field, orders[field], sql`>= ${value}`),
    condition('upper', field, orders[field], sql`< ${`${value}\u{10ffff}`}`),
  ]
}

const comparisons: Record<Exclude<FilterOperator, 'contains'>, SQL> = {
  eq: sql.raw('='),
  ne: sql.raw('<>'),
  lt: sql.raw('<'),
  lte: sql.raw('<='),
  gt: sql.raw('>'),
  gte: sql.raw('>='),
}

/** The filter as a condition that each user is compared with. */
export function comparedFilter({ field, operator, value }: UserFilter): SQL {
  const column = users[field]
  return operator === 'contains'
    ? sql`instr(lower(${column}), lower(${String(value)})) > 0`
    : sql`+${column} ${comparisons[operator]} ${value}`
}

const uniqueFields: readonly FilterField[] = ['id', 'email', 'username', 'phoneNumber']

function filtered(filter: UserFilter): Condition[] {
  const { field, operator, value } = filter
  const compared = comparing(comparedFilter(filter))
  if (operator === 'eq' && uniqueFields.includes(field)) {
    return [condition('unique', null, sql`${users[field]}`, sql`= ${value}`)]
  }
  // Names that are equal without case are a range, of which the equal ones are part.
  if (operator === 'eq' && field === 'name') {
    return [...equal('name', value), compared]
  }
  if (field === 'banned' && operator === 'eq' && value === 1) return [partial(sql`${users.banned} = 1`)]
  const isNotPlain = operator === 'eq' ? value !== 'user' : !'user'.includes(String(value).toLowerCase())
  if (field === 'role' && (operator === 'eq' || operator === 'contains') && isNotPlain) {
    return [partial(sql`${users.role} <> 'user'`), compared]
  }
  if (operator === 'eq' && field === 'createdAt') return equal(field, value)
  if (['lt', 'lte', 'gt', 'gte'].includes(operator) && (field === 'createdAt' || field === 'email' || field === 'id')) {
    const part = operator.startsWith('l') ? 'upper' : 'lower'
    return [condition(part, field, orders[field], sql`${comparisons[operator as 'lt']} ${value}`)]
  }
  return [compared]
}

/** Both bounds, so that a page after a user reads no user before it. */
const equal = (field: SortField, value: string | number): Condition[] => [
  condition('lower', field, orders[field], sql`>= ${value}`),
  condition('upper', field, orders[field], sql`<= ${value}`),
]

/** A partial index has the order of the creation. */
const partial = (fits: SQL): Condition => ({ part: 'partial', of: 'createdAt', fits, compares: fits })

/** How the users of a list are found. */
export interface UserFinding {
  /** Conditions that an index meets in the order of the list: users that do not fit are not read. */
  indexed: SQL[]
  /** A range of an index with another order. Its users are read, compared and sorted. */
  range: SQL[]
  /** Conditions that each user is compared with. */
  compared: SQL[]
}

/**
 * @param isAfter whether the page begins after a user, whose position is then the bound of the range on that side: SQLite
 * would use one of two bounds, perhaps the wider one
 */
export function findingOf(
  search: UserSearch | null,
  filter: UserFilter | null,
  sort: { by: SortField; descending: boolean },
  isAfter: boolean,
): UserFinding {
  const conditions = [...(search ? searched(search) : []), ...(filter ? filtered(filter) : [])]
  const replaced = isAfter && (sort.descending ? 'upper' : 'lower')
  const finding: UserFinding = { indexed: [], range: [], compared: [] }
  const seen = new Set<Part>()
  const ofOthers: Condition[] = []
  for (const one of conditions) {
    if (one.part === 'compared') finding.compared.push(one.fits)
    else if (one.part === 'unique') finding.indexed.push(one.fits)
    else if (one.of !== sort.by) ofOthers.push(one)
    else if (seen.has(one.part)) finding.compared.push(one.compares)
    else finding.indexed.push(one.part === replaced ? one.compares : one.fits)
    seen.add(one.part)
  }
  // One index: that of the order if it has a range, otherwise the first of the others.
  const own = finding.indexed.length === 0 ? ofOthers[0]?.of : undefined
  for (const one of ofOthers) {
    if (own && one.of === own) finding.range.push(one.fits)
    else finding.compared.push(one.compares)
  }
  return finding
}
