import {
  Column,
  fillPlaceholders,
  getTableColumns,
  is,
  type Query,
  QueryPromise,
  type SQL,
  sql,
  Table,
} from 'drizzle-orm'
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import type { RunnableQuery } from 'drizzle-orm/runnable-query'
import type { Circuit } from './circuit.ts'
import { DatabaseFull, type DatabaseSize, isFullError } from './database-size.ts'
import type { IoCount } from './io.ts'

export type Database = DrizzleD1Database<Record<string, never>>

/** The part of a D1 binding that drizzle uses. */
type Connection = Pick<D1DatabaseSession, 'prepare' | 'batch'>

/**
 * An error of SQLite: a violated constraint or a mistake of ours. Any other error, and a violated foreign key (the row
 * was deleted after it was read), is an outage: a retry sees the current state.
 */
const isVerdict = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  !thrown.message.includes('FOREIGN KEY') &&
  /constraint failed|bad JSON path|SQLITE_(?:ERROR|CONSTRAINT)|no such/.test(thrown.message)

/** Calls of one request. */
type Reach = <T>(work: () => Promise<T>) => Promise<T>

/** @param isPatient see openDatabase. A call after one that was answered is: its database is not silent. */
function reachThrough(circuit: Circuit, size: DatabaseSize, isPatient: boolean): Reach {
  let isAnswered = isPatient
  return async (work) => {
    const result = await circuit.call(() => work().catch((thrown) => passFull(size, thrown)), isAnswered, isVerdict)
    isAnswered = true
    const last = Array.isArray(result) ? result.at(-1) : result
    size.note((last as Partial<D1Result> | null | undefined)?.meta)
    return result
  }
}

/** @throws the error of a write; DatabaseFull if D1 has no room for it */
function passFull(size: DatabaseSize, thrown: unknown): never {
  if (!isFullError(thrown)) throw thrown
  size.noteFull()
  throw new DatabaseFull(thrown)
}

/** A statement that counts a round trip when it runs outside a batch. */
class CountedStatement {
  constructor(
    readonly statement: D1PreparedStatement,
    private readonly io: IoCount,
    private readonly reach: Reach,
  ) {}
  bind(...values: unknown[]) {
    return new CountedStatement(this.statement.bind(...values), this.io, this.reach)
  }
  run() {
    this.io.d1++
    return this.reach(() => this.statement.run())
  }
  all() {
    this.io.d1++
    return this.reach(() => this.statement.all())
  }
  raw() {
    this.io.d1++
    return this.reach(() => this.statement.raw())
  }
  first() {
    this.io.d1++
    return this.reach(() => this.statement.first())
  }
}

const counted = (connection: Connection, io: IoCount, reach: Reach) => ({
  prepare: (query: string) => new CountedStatement(connection.prepare(query), io, reach),
  batch: (statements: CountedStatement[]) => {
    io.d1++
    return reach(() => connection.batch(statements.map(({ statement }) => statement)))
  },
})

/**
 * Opens a D1 session, in which replicas show the caller's own writes.
 * @param from a bookmark, or where to start
 * @param shared what the isolate knows of its database
 * @param isPatient whether the first call may take as long as the later ones (circuit.ts)
 */
export function openDatabase(
  binding: D1Database,
  io: IoCount,
  from: string,
  { circuit, size }: { circuit: Circuit; size: DatabaseSize },
  isPatient: boolean,
): { db: Database; bookmark(): string | null } {
  const session = binding.withSession(from)
  return {
    db: drizzle(counted(session, io, reachThrough(circuit, size, isPatient)) as unknown as D1Database),
    bookmark: () => session.getBookmark(),
  }
}

/** The column (`table.column`) whose value was taken, if that is the reason of the failed write; otherwise null. */
export function takenColumn(thrown: unknown): string | null {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const column = /UNIQUE constraint failed: (\w+\.\w+)/.exec(error.message)?.[1]
    if (column) return column
  }
  return null
}

/** The selection of a cached query: rows of whole tables, or single columns. */
type Selection = Record<string, Table | Column>

type Selected<S extends Selection> = {
  [K in keyof S]: S[K] extends Table ? S[K]['$inferSelect'] : S[K] extends Column ? S[K]['_']['data'] | null : never
}

/** For `select()` or `returning()`. */
type Columns<S extends Selection> = { [K in keyof S]: SQL.Aliased }

/** Only writes SQL; it has no connection. */
const draft = drizzle({} as D1Database) as unknown as Database

type Decode = (value: unknown) => unknown

const decodeColumn =
  (column: Column): Decode =>
  (value) =>
    value === null ? null : column.mapFromDriverValue(value)

/** Decodes a row of a table from a JSON array. A LEFT JOIN without a match gives null: the first column is the key. */
function decodeTable(table: Table): Decode {
  // Every request decodes rows of forty columns. The columns that need no decoding are found once.
  const columns = Object.entries(getTableColumns(table)).map(([name, column]) => ({
    name,
    decode: column.mapFromDriverValue === Column.prototype.mapFromDriverValue ? null : decodeColumn(column),
  }))
  return (text) => {
    const values = JSON.parse(String(text)) as unknown[]
    if (values[0] === null) return null
    const row: Record<string, unknown> = {}
    for (let at = 0; at < columns.length; at++) {
      const { name, decode } = columns[at]!
      row[name] = decode ? decode(values[at]) : values[at]
    }
    return row
  }
}

/**
 * D1 returns rows of a batch as objects, and naming forty values takes longer than parsing them. D1 allows 32 arguments
 * of a function, so a table with more columns cannot be selected in this form.
 */
const asJsonArray = (table: Table): SQL => sql`json_array(${sql.join(Object.values(getTableColumns(table)), sql`, `)})`

/** A query with its values. It runs when it is awaited, or as a statement of a batch. */
export type Runnable<Row> = QueryPromise<Row[]> & RunnableQuery<Row[], 'sqlite'>

/** A query with its values that needs no drizzle to run. */
class CachedQuery<Row> extends QueryPromise<Row[]> implements RunnableQuery<Row[], 'sqlite'> {
  declare readonly _: { readonly dialect: 'sqlite'; readonly result: Row[] }
  constructor(
    private readonly client: D1Database,
    private readonly query: Query,
    private readonly decode: (row: readonly unknown[]) => Row,
  ) {
    super()
  }
  /** The part of a batch statement that drizzle uses. D1 returns rows of a batch as objects. */
  _prepare() {
    return {
      getQuery: () => this.query,
      stmt: this.client.prepare(this.query.sql),
      mapResult: ({ results }: D1Result<Record<string, unknown>>) =>
        results.map((row) => this.decode(Object.values(row))),
    }
  }
  async execute(): Promise<Row[]> {
    const { sql: text, params } = this.query
    // Not `raw`, whose answer does not state the size of the database.
    const { results } = await this.client
      .prepare(text)
      .bind(...params)
      .all<Record<string, unknown>>()
    return results.map((row) => this.decode(Object.values(row)))
  }
}

/**
 * A query whose SQL is written once an isolate, for the few that nearly every request runs: drizzle takes longer to
 * write it than D1 to run it. @param selection the shape of a row; a LEFT JOIN without a match is null
 * @param write with `sql.placeholder(name)` for every value; it selects or returns `columns`
 */
export function cachedQuery<S extends Selection>(
  selection: S,
  write: (db: Database, columns: Columns<S>) => { toSQL(): Query },
): (db: Database, values: Readonly<Record<string, unknown>>) => Runnable<Selected<S>> {
  const query = cachedQueryFor(selection, write)
  return (db, values) => query(db, query, values)
}

/**
 * The same for a query with a part that has a few variants.
 * @param write gets the variant: the same object has the same SQL
 */
export function cachedQueryFor<S extends Selection, V extends object>(
  selection: S,
  write: (db: Database, columns: Columns<S>, variant: V) => { toSQL(): Query },
): (db: Database, variant: V, values: Readonly<Record<string, unknown>>) => Runnable<Selected<S>> {
  const parts = Object.entries(selection).map(([name, part]) => {
    const isTable = is(part, Table)
    const column = isTable ? asJsonArray(part) : sql`${part}`
    return { name, column: column.as(name), decode: isTable ? decodeTable(part) : decodeColumn(part) }
  })
  const columns = Object.fromEntries(parts.map(({ name, column }) => [name, column])) as Columns<S>
  const decode = (row: readonly unknown[]) => {
    const selected: Record<string, unknown> = {}
    for (let at = 0; at < parts.length; at++) selected[parts[at]!.name] = parts[at]!.decode(row[at])
    return selected as Selected<S>
  }
  const written = new WeakMap<V, Query>()
  return (db, variant, values) => {
    let query = written.get(variant)
    if (!query) {
      query = write(draft, columns, variant).toSQL()
      written.set(variant, query)
    }
    const params = fillPlaceholders(query.params, values)
    return new CachedQuery((db as Database & { $client: D1Database }).$client, { ...query, params }, decode)
  }
}
