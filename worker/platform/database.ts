import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import { bounded, patience } from './bounded.ts'
import type { IoCount } from './io.ts'

export type Database = DrizzleD1Database<Record<string, never>>

/** What drizzle asks of a D1 binding. */
type Connection = Pick<D1DatabaseSession, 'prepare' | 'batch'>

/**
 * What SQLite says about a statement that was understood: a violated constraint or a mistake of ours. Everything else
 * is a database that could not be reached. So is what a row refers to and is gone since it was read, such as the person
 * themselves: whoever tries again is told how it is by then.
 */
const isVerdict = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  !thrown.message.includes('FOREIGN KEY') &&
  /constraint failed|bad JSON path|SQLITE_(?:ERROR|CONSTRAINT)|no such/.test(thrown.message)

const reach = <T>(work: () => Promise<T>): Promise<T> => bounded('D1', patience.necessity, work, isVerdict)

/** A statement that counts a round trip whenever it is run by itself. */
class CountedStatement {
  constructor(
    readonly statement: D1PreparedStatement,
    private readonly io: IoCount,
  ) {}
  bind(...values: unknown[]) {
    return new CountedStatement(this.statement.bind(...values), this.io)
  }
  run() {
    this.io.d1++
    return reach(() => this.statement.run())
  }
  all() {
    this.io.d1++
    return reach(() => this.statement.all())
  }
  raw() {
    this.io.d1++
    return reach(() => this.statement.raw())
  }
  first() {
    this.io.d1++
    return reach(() => this.statement.first())
  }
}

const counted = (connection: Connection, io: IoCount) => ({
  prepare: (query: string) => new CountedStatement(connection.prepare(query), io),
  batch: (statements: CountedStatement[]) => {
    io.d1++
    return reach(() => connection.batch(statements.map(({ statement }) => statement)))
  },
})

/**
 * Opens the database once for a request, through the D1 Sessions API, so that reads may come from a replica and
 * still see the caller's own writes.
 * @param from a bookmark of an earlier request, `first-primary` or `first-unconstrained`
 */
export function openDatabase(
  binding: D1Database,
  io: IoCount,
  from: string,
): { db: Database; bookmark(): string | null } {
  const session = binding.withSession(from)
  return {
    db: drizzle(counted(session, io) as unknown as D1Database),
    bookmark: () => session.getBookmark(),
  }
}

/** The column (`table.column`) whose value was taken already, when that is why a write failed; otherwise null. */
export function takenColumn(thrown: unknown): string | null {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const column = /UNIQUE constraint failed: (\w+\.\w+)/.exec(error.message)?.[1]
    if (column) return column
  }
  return null
}

/** Whether a write failed because a unique value was taken. */
export const isUniqueViolation = (thrown: unknown): boolean => takenColumn(thrown) !== null
