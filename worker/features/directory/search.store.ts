import { and, asc, type Column, count, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { Filter } from 'scim2-parse-filter'
import type { Database } from '../../platform/database.ts'
import { named, read, rowExists } from '../../platform/statements.ts'
import { type DirectoryGroup, directoryGroups, directoryGroupMembers as memberships } from './model/groups.table.ts'
import { type DirectoryUser, directoryUsers } from './model/users.table.ts'
import { findAttribute, findTarget, type PathTarget, quoted } from './protocol/paths.ts'
import { type Attribute, groupType, type ResourceType, userType } from './protocol/schemas.ts'
import { scimError } from './protocol/scim.errors.ts'
import { readBoolean } from './protocol/values.ts'

/** How the attributes of a type are stored. */
interface Source {
  type: ResourceType
  table: typeof directoryUsers | typeof directoryGroups
  /** Columns by path. */
  columns: Readonly<Record<string, SQL | Column>>
  /** Attributes whose values are rows: the condition that a row exists, and the columns of the row. */
  rows: Readonly<Record<string, { exists(which: SQL): SQL; columns: Readonly<Record<string, SQL | Column>> }>>
}

const users: Source = {
  type: userType,
  table: directoryUsers,
  columns: {
    id: directoryUsers.id,
    externalId: directoryUsers.externalId,
    userName: directoryUsers.userName,
    active: directoryUsers.active,
    'meta.created': directoryUsers.createdAt,
    'meta.lastModified': directoryUsers.updatedAt,
    'meta.resourceType': sql`'User'`,
  },
  rows: {
    groups: {
      exists: (which) =>
        sql`exists (select 1 from ${memberships} inner join ${directoryGroups}
          on ${directoryGroups.id} = ${memberships.groupId}
          where ${memberships.entryId} = ${directoryUsers.id} and ${which})`,
      columns: { value: memberships.groupId, display: directoryGroups.displayName, type: sql`'direct'` },
    },
  },
}

const groups: Source = {
  type: groupType,
  table: directoryGroups,
  columns: {
    id: directoryGroups.id,
    externalId: directoryGroups.externalId,
    displayName: directoryGroups.displayName,
    'meta.created': directoryGroups.createdAt,
    'meta.lastModified': directoryGroups.updatedAt,
    'meta.resourceType': sql`'Group'`,
  },
  rows: {
    members: {
      exists: (which) => rowExists(memberships, and(eq(memberships.groupId, directoryGroups.id), which)),
      columns: { value: memberships.entryId, type: sql`'User'` },
    },
  },
}

const invalid = (path: string) => scimError('SCIM_INVALID_FILTER', `${quoted(path)} cannot be compared in this way`)

/** The condition of a filter (RFC 7644, section 3.4.2.2). @throws invalidFilter */
function conditionOf(source: Source, filter: Filter): SQL {
  switch (filter.op) {
    case 'and':
    case 'or': {
      const parts = filter.filters.map((one) => conditionOf(source, one))
      return sql`(${sql.join(parts, filter.op === 'and' ? sql` and ` : sql` or `)})`
    }
    case 'not':
      return sql`not coalesce(${conditionOf(source, filter.filter)}, 0)`
    case '[]': {
      const target = requireTarget(source, filter.attrPath)
      if (!target.attribute.multiValued || target.sub) throw invalid(filter.attrPath)
      return someValue(source, target, (partOf) => itemCondition(target.attribute, filter.valFilter, partOf))
    }
    default: {
      const target = requireTarget(source, filter.attrPath)
      const { attribute, sub } = target
      if (attribute.multiValued) {
        if (filter.op === 'pr' && !sub) return someValue(source, target, () => sql`1`)
        const part = sub ?? findAttribute(attribute.subAttributes ?? [], 'value')
        if (!part) throw invalid(filter.attrPath)
        return someValue(source, target, (partOf) => comparison(filter, part, partOf(part)))
      }
      if (filter.op === 'pr' || attribute.type !== 'complex' || sub) {
        return comparison(filter, sub ?? attribute, expressionOf(source, target))
      }
      // Entra ID compares the manager.
      const part = findAttribute(attribute.subAttributes ?? [], 'value')
      if (!part) throw invalid(filter.attrPath)
      return comparison(filter, part, expressionOf(source, { ...target, sub: part }))
    }
  }
}

type Known = PathTarget & { attribute: Attribute }

function requireTarget({ type }: Source, path: string): Known {
  const target = findTarget(type, path)
  if (!target?.attribute) throw scimError('SCIM_INVALID_FILTER', `unknown attribute ${quoted(path)}`)
  return target as Known
}

type PartOf = (part: Attribute) => SQL

function itemCondition(attribute: Attribute, filter: Filter, partOf: PartOf): SQL {
  switch (filter.op) {
    case 'and':
    case 'or': {
      const parts = filter.filters.map((one) => itemCondition(attribute, one, partOf))
      return sql`(${sql.join(parts, filter.op === 'and' ? sql` and ` : sql` or `)})`
    }
    case 'not':
      return sql`not coalesce(${itemCondition(attribute, filter.filter, partOf)}, 0)`
    case '[]':
      throw scimError('SCIM_INVALID_FILTER')
    default: {
      const part = findAttribute(attribute.subAttributes ?? [], filter.attrPath)
      if (!part) throw invalid(filter.attrPath)
      return comparison(filter, part, partOf(part))
    }
  }
}

/** A path into the JSON of an entry. The names come from the schemas, never from a request. */
const jsonPath = (...names: string[]) => sql.raw(`'$${names.map((name) => `."${name}"`).join('')}'`)

const ownerOf = ({ extension }: PathTarget) => (extension === null ? [] : [extension])

/** Holds if a value of a multi-valued attribute meets a condition. */
function someValue(source: Source, target: Known, which: (partOf: PartOf) => SQL): SQL {
  const { attribute } = target
  const rows = target.extension === null ? source.rows[attribute.name] : undefined
  if (rows) return rows.exists(which((part) => sql`${rows.columns[part.name] ?? sql`null`}`))
  const condition = which((part) => sql`json_extract(item.value, ${jsonPath(part.name)})`)
  return sql`exists (select 1 from json_each(${directoryUsers.data}, ${jsonPath(...ownerOf(target), attribute.name)})
    as item where ${condition})`
}

/** A single value. */
function expressionOf(source: Source, target: Known): SQL {
  const { attribute, sub, extension } = target
  const column = extension === null ? source.columns[[attribute.name, sub?.name].filter(Boolean).join('.')] : undefined
  if (column) return sql`${column}`
  if (source.table !== directoryUsers || attribute.mutability === 'readOnly') return sql`null`
  const names = [...ownerOf(target), attribute.name, ...(sub ? [sub.name] : [])]
  return sql`json_extract(${directoryUsers.data}, ${jsonPath(...names)})`
}

type Comparison = Exclude<Filter, { op: 'and' | 'or' | 'not' | '[]' }>

const lowerAscii = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

function comparison(filter: Filter, { name, type, caseExact }: Attribute, value: SQL): SQL {
  const { op, attrPath, compValue } = filter as Comparison & { compValue?: string | number | boolean | null }
  if (op === 'pr') return sql`coalesce(${value}, '') not in ('', '[]')`
  if (compValue === null || compValue === undefined) {
    if (op !== 'eq' && op !== 'ne') throw invalid(attrPath)
    return op === 'eq' ? sql`${value} is null` : sql`${value} is not null`
  }
  if (type === 'boolean') {
    const wanted = readBoolean(compValue)
    if (wanted === null || (op !== 'eq' && op !== 'ne')) throw invalid(attrPath)
    return sql`coalesce(${value}, 0) ${sql.raw(op === 'eq' ? '=' : '<>')} ${wanted ? 1 : 0}`
  }
  if (type === 'dateTime') {
    const wanted = Date.parse(String(compValue))
    if (Number.isNaN(wanted) || !(op in operators)) throw invalid(attrPath)
    return sql`${value} ${operators[op as keyof typeof operators]} ${wanted}`
  }
  // `userName` is stored in lower case.
  const isFolded = name === 'userName'
  const text = String(compValue)
  const wanted = isFolded ? text.toLowerCase() : caseExact ? text : lowerAscii(text)
  const found = isFolded || caseExact ? value : sql`lower(${value})`
  switch (op) {
    case 'co':
      return sql`instr(${found}, ${wanted}) > 0`
    case 'sw':
      return sql`substr(${found}, 1, length(${wanted})) = ${wanted}`
    case 'ew':
      return wanted === '' ? sql`${value} is not null` : sql`substr(${found}, -length(${wanted})) = ${wanted}`
    case 'ne':
      return sql`${found} is not ${wanted}`
    default:
      return sql`${found} ${operators[op as keyof typeof operators]} ${wanted}`
  }
}

const operators = {
  eq: sql.raw('='),
  ne: sql.raw('is not'),
  gt: sql.raw('>'),
  ge: sql.raw('>='),
  lt: sql.raw('<'),
  le: sql.raw('<='),
}

export interface Search {
  connectionId: string
  filter: Filter | null
  sortBy: string | null
  descending: boolean
  limit: number
  /** Rows to skip, or the last row of the page before. */
  offset: number
  after: SearchPosition | null
}

/** The sorted value and the id of a row. */
export type SearchPosition = [value: string | number, id: string]

interface Found<Row> {
  rows: { row: Row; place: SearchPosition }[]
  total: number
}

async function find(db: Database, source: Source, search: Search): Promise<Found<unknown>> {
  const { table } = source
  const { connectionId, filter, sortBy, descending, limit, offset, after } = search
  const sort = sortBy === null ? sql`${table.createdAt}` : sortedValue(source, sortBy)
  const which = and(eq(table.connectionId, connectionId), filter ? conditionOf(source, filter) : undefined)
  const beyond = sql.raw(descending ? '<' : '>')
  const isAfter =
    after && sql`(${sort} ${beyond} ${after[0]} or (${sort} = ${after[0]} and ${table.id} ${beyond} ${after[1]}))`
  const order = descending ? desc : asc
  const { rows, totals } = await read(db, {
    rows: db
      .select({ row: named(table, 'row'), sort: sql<string | number>`${sort}`.as('sort') })
      .from(table)
      .where(and(which, isAfter ?? undefined))
      .orderBy(order(sql`sort`), order(table.id))
      .limit(limit)
      .offset(offset),
    totals: db
      .select({ total: count().as('total') })
      .from(table)
      .where(which),
  })
  return {
    rows: rows.map(({ row, sort: value }) => ({ row, place: [value, row.id as unknown as string] })),
    total: totals[0]?.total ?? 0,
  }
}

/** The sorted value: of several, the first one. @throws invalidPath */
function sortedValue(source: Source, path: string): SQL {
  const target = findTarget(source.type, path)
  if (!target?.attribute || (target.extension === null && source.rows[target.attribute.name])) {
    throw scimError('SCIM_INVALID_PATH', `The list cannot be sorted by ${quoted(path)}`)
  }
  const known = target as Known
  const { attribute, sub } = known
  if (!attribute.multiValued) {
    const value = expressionOf(source, known)
    const { type, caseExact } = sub ?? attribute
    return type === 'string' && !caseExact ? sql`coalesce(lower(${value}), '')` : sql`coalesce(${value}, '')`
  }
  const path0 = jsonPath(...ownerOf(known), attribute.name)
  const part = jsonPath(sub?.name ?? 'value')
  return sql`coalesce((select lower(json_extract(item.value, ${part})) from json_each(${directoryUsers.data}, ${path0})
    as item order by coalesce(json_extract(item.value, '$.primary'), 0) desc, item.key limit 1), '')`
}

export const findUsers = (db: Database, search: Search) => find(db, users, search) as Promise<Found<DirectoryUser>>

export const findGroups = (db: Database, search: Search) => find(db, groups, search) as Promise<Found<DirectoryGroup>>
