import type { Condition, Statement } from '../platform/statements.ts'
import type { AuditEntry } from './model/audit-context.ts'
import type { EventRows, EventType, FactsOf } from './model/events.ts'
import type { JobOptions } from './model/job-kind.ts'

/** The error of a refused batch. */
export type BatchError = () => Error | Promise<Error>

/** A link, a code or a pending sign-in. Only one batch can use it. */
export interface SingleUse {
  /** Names the kind, such as `magic-link`. */
  kind: string
  token: string
  /** The use is stored until this time. */
  expiresAt: Date
}

/** A statement of a unit of work. The rows that it returned can be read after the commit. */
export interface Handle<Row, First = Row | undefined> {
  readonly rows: Row[]
  readonly row: First
  /** The batch fails if the statement changes no row. @param error the default is the error of the unit */
  orFail(error?: BatchError): Handle<Row, Row>
}

/**
 * A batch whose purpose is already fulfilled writes nothing: no record, no event and no job. It is fulfilled if all
 * conditions of its statements hold; they are compared with what was stored before the batch.
 */
export interface RunOptions<Row> {
  /**
   * The statement, an UPDATE of one row, changes no value. Its rows can be read in both cases.
   * @param except columns that follow from the time of the request
   */
  unlessUnchanged?: true | { except: readonly string[] }
  unlessAlready?: Condition
  /** Changes values in memory after the commit, such as cookies and caches. Also runs if the batch writes nothing. */
  afterCommit?: (rows: Row[]) => void
}

export type RowOf<S extends Statement> = S['_']['result'] extends readonly (infer Row)[] ? Row : never

/**
 * The writes of a use case: one batch. Statements, conditions and events keep their order. The database commits the
 * whole batch or nothing.
 */
export interface Work {
  /** Adds a statement, or several. @returns the handle of the last one */
  run<S extends Statement>(statements: S | readonly S[], options?: RunOptions<RowOf<S>>): Handle<RowOf<S>>
  /** Adds a condition that must hold at this place of the batch. @param error the default is the error of the unit */
  require(condition: Condition, error?: BatchError): void
  /**
   * Uses a record once: the database refuses a second batch that uses it. @param error the default is the error of the
   * unit
   */
  use(record: SingleUse, error?: BatchError): void
  /**
   * Declares the error of a violated unique index. @param column its first column (`users.email`), or `*` for all
   * others
   */
  unique(column: `${string}.${string}` | '*', error: BatchError): void
  /**
   * Declares a condition that must hold after the batch if it holds before. One per unit. A refused batch costs a
   * second round trip.
   */
  preserve(condition: Condition, error: BatchError): void
  /**
   * Records an event for features that write rows about it (webhooks, billing, logout). Call it where the rows of the
   * event exist: after an insertion or update, before a deletion.
   * @param rows the event's rows in SQL, evaluated only when a feature records the event
   * @param facts the facts for reactions and the product's hooks after the commit; a function is called after it
   */
  announce<E extends EventType>(
    event: E,
    rows: () => EventRows,
    facts?: FactsOf[E] | (() => readonly FactsOf[E][]),
  ): void
  /** Inserts a job. Its handler runs after the response and is retried until it succeeds. */
  defer<P>(kind: string, payload: P extends PromiseLike<unknown> ? never : P, options?: JobOptions): void
  /**
   * Describes the effect in the audit log: one record for each call, at this place of the batch. Without a call the batch
   * of a request that changes something has a record with what the request states (identity/audit/).
   * @param entry null: the batch changes and grants nothing that a record describes. A comment gives the reason.
   */
  audit(entry: AuditEntry | null): void
  /**
   * Writes everything in one batch, then runs `afterCommit` of its statements, `then`, the reactions and the product's hooks.
   * @throws the error of the violated condition or index; Fault if D1 is unreachable
   */
  commit(then?: () => Promise<void> | void): Promise<void>
}
