import { and, not, sql } from 'drizzle-orm'
import { Fault, faultIn } from '../kit/errors.ts'
import { takenColumn } from '../platform/database.ts'
import { DatabaseFull } from '../platform/database-size.ts'
import { type Condition, demand, isRead, runBatch, type Statement, unmetDemand } from '../platform/statements.ts'
import { tooManyChanges } from './audit/audit-budget.ts'
import { auditStatements } from './audit/audit-statement.ts'
import { oldestHistory } from './history.ts'
import { forgetJobs, jobStatements, noteWrittenJobs, startJobs } from './jobs/jobs.ts'
import type { AuditEntry } from './model/audit-context.ts'
import type { EventRows, EventType, FactsOf } from './model/events.ts'
import type { JobOptions } from './model/job-kind.ts'
import { notifyAuditPages } from './notify-tabs.ts'
import type { Scope } from './scope.ts'
import { unchanged } from './unchanged.ts'
import { isUnused, usedStatement } from './used-records.ts'
import type { BatchError, Handle, RowOf, RunOptions, SingleUse, Work } from './work.ts'

/** Data that the batch relies on has changed since the read. A retry reads the current state. */
export class Overtaken extends Fault {
  override name = 'Overtaken'
  constructor() {
    super('the current state', undefined, 1)
  }
}

type Part =
  | Run<unknown>
  | { type: 'condition'; condition: Condition; error: BatchError }
  | { type: 'already'; condition: Condition }
  | { type: 'use'; record: SingleUse; error: BatchError }
  | { type: 'event'; event: EventType; rows: () => EventRows }
  | { type: 'record'; entry: AuditEntry | null }

type Announcement = (scope: Scope) => Promise<void>

/** What the first batch of a request that writes has in addition; null after it, and for most requests. */
interface FirstBatch {
  pending: { readonly condition: Condition; readonly error: BatchError; readonly statement: Statement } | null
}

const noFirstBatch = (): FirstBatch => ({ pending: null })

export const firstBatchOf = (scope: Scope): FirstBatch => scope.once(noFirstBatch)

/**
 * The only way to write. D1 has no interactive transactions: a use case collects its writes and commits them as one
 * batch.
 * @param stale the error if data that the batch relies on was used or changed after the read
 */
export const unitOfWork = (scope: Scope, stale: BatchError = () => new Overtaken()): Work =>
  new UnitOfWork(scope, stale)

class UnitOfWork implements Work {
  readonly #parts: Part[] = []
  readonly #unique = new Map<string, BatchError>()
  readonly #announcements: Announcement[] = []
  /** Of the written records. */
  readonly #recordedIn = new Set<string>()
  #preserved: { condition: Condition; error: BatchError } | null = null

  constructor(
    readonly scope: Scope,
    readonly stale: BatchError,
  ) {}

  run<S extends Statement>(
    given: S | readonly S[],
    { unlessUnchanged, unlessAlready, afterCommit }: RunOptions<RowOf<S>> = {},
  ): Handle<RowOf<S>> {
    const statements: readonly S[] = Array.isArray(given) ? given : [given as S]
    const { except } = unlessUnchanged === true ? {} : (unlessUnchanged ?? {})
    const same = unlessUnchanged ? unchanged(this.scope.db, statements[0]!, except) : null
    const already = and(same?.condition, unlessAlready)
    if (already) this.#parts.push({ type: 'already', condition: sql`(${already})` })
    const run = new Run<RowOf<S>>(statements, this.stale, afterCommit, same?.rows)
    this.#parts.push(run)
    return run
  }

  require(condition: Condition, error: BatchError = this.stale): void {
    this.#parts.push({ type: 'condition', condition, error })
  }

  use(record: SingleUse, error: BatchError = this.stale): void {
    this.#parts.push({ type: 'use', record, error })
  }

  unique(column: string, error: BatchError): void {
    this.#unique.set(column, error)
  }

  preserve(condition: Condition, error: BatchError): void {
    this.#preserved = { condition, error }
  }

  announce<E extends EventType>(
    event: E,
    rows: () => EventRows,
    facts?: FactsOf[E] | (() => readonly FactsOf[E][]),
  ): void {
    this.#parts.push({ type: 'event', event, rows })
    if (facts === undefined) return
    this.#announcements.push(async (scope) => {
      const list = typeof facts === 'function' ? facts() : [facts]
      for (const one of list) {
        for (const reactions of scope.lifecycle.reactions) await reactions[event]?.(scope, one)
      }
    })
  }

  defer(kind: string, payload: unknown, options?: JobOptions): void {
    const statements = jobStatements(this.scope, kind, payload, options)
    // A use case that throws before the commit never awaits the promise.
    statements.catch(() => undefined)
    this.#parts.push(new Run(statements, this.stale))
  }

  audit(entry: AuditEntry | null): void {
    this.#parts.push({ type: 'record', entry })
  }

  async commit(then?: () => Promise<void> | void): Promise<void> {
    try {
      await this.#write()
    } catch (thrown) {
      if (!(thrown instanceof NothingChanged)) throw thrown
      return this.#settleUnchanged(then)
    }
    this.#receive()
    startJobs(this.scope)
    for (const id of this.#recordedIn) notifyAuditPages(this.scope, id)
    await then?.()
    for (const announce of this.#announcements) await announce(this.scope)
  }

  /** Nothing was written: no job starts, and nothing is announced. */
  async #settleUnchanged(then?: () => Promise<void> | void): Promise<void> {
    forgetJobs(this.scope)
    const reads: [read: Statement, run: Run<unknown>][] = []
    for (const part of this.#parts) {
      if (part.type !== 'statements') continue
      const last = (await part.statements).at(-1)
      const read = part.present ?? (last && isRead(last) ? last : null)
      if (read) reads.push([read, part])
      else part.received = []
    }
    if (reads.length > 0) this.scope.io.declare({ d1: 1 })
    const results = await runBatch(
      this.scope.db,
      reads.map(([read]) => read),
    )
    for (const [at, [, run]] of reads.entries()) run.received = results[at] as unknown[]
    this.#receive()
    await then?.()
  }

  #receive(): void {
    for (const part of this.#parts) if (part.type === 'statements') part.finish()
  }

  async #write(): Promise<void> {
    // The first result of an isolate may have come after the check before the use case.
    this.scope.io.requireRoom()
    const preserved = this.#preserved
    if (!preserved) return this.#send(null)
    try {
      await this.#send('after')
    } catch (thrown) {
      if (!(thrown instanceof NotPreserved)) throw thrown
      // If the condition is false before the batch too, the batch has nothing to preserve.
      this.scope.io.declare({ d1: 1 })
      await this.#send('before')
    }
  }

  /**
   * @param preserving checks the preserved condition: that it holds after the batch, or that it is false before the
   * batch
   */
  async #send(preserving: 'before' | 'after' | null): Promise<void> {
    const { db } = this.scope
    const statements: Statement[] = []
    const runs: [index: number, run: Run<unknown>][] = []
    const conditions: BatchError[] = []
    const uses = this.#parts.filter((part) => part.type === 'use')
    const require = (condition: Condition, error: BatchError) => {
      statements.push(demand(db, condition, String(conditions.length)))
      conditions.push(error)
    }
    const record = (entry: AuditEntry) => {
      const { statements: written, mayChange } = this.#record(entry)
      statements.push(...written)
      if (mayChange) require(mayChange, tooManyChanges)
    }
    const preserved = this.#preserved
    if (preserved && preserving === 'before') require(not(preserved.condition), preserved.error)
    const already = this.#parts.filter((part) => part.type === 'already')
    for (const part of this.#parts) {
      if (part.type === 'condition') require(part.condition, part.error)
      else if (part.type === 'already') {
        // Later changes are compared with what was there before the first one.
        const isUnchanged = and(...already.map(({ condition }) => condition))!
        if (part === already[0]) require(not(isUnchanged), () => new NothingChanged())
      } else if (part.type === 'use') {
        // The index does not identify which of several records was used.
        if (uses.length > 1) require(isUnused(this.scope, part.record), part.error)
        statements.push(usedStatement(this.scope, part.record))
      } else if (part.type === 'record') {
        if (part.entry) record(part.entry)
      } else if (part.type === 'event') statements.push(...this.#recorded(part.event, part.rows))
      else {
        const own = await part.statements
        statements.push(...own)
        if (own.length > 0) runs.push([statements.length - 1, part])
        else part.received = []
        if (part.refusal) require(rowsChanged, part.refusal)
      }
    }
    if (this.#needsRecord(statements.length > 0)) record({})
    const first = statements.some((statement) => !isRead(statement)) ? firstBatchOf(this.scope).pending : null
    if (first) {
      require(first.condition, first.error)
      statements.push(first.statement)
    }
    if (preserved && preserving === 'after') require(preserved.condition, () => new NotPreserved())
    let results: unknown[]
    try {
      results = await runWithRoom(this.scope, statements)
    } catch (thrown) {
      throw await this.#meaningOf(thrown, conditions, uses[0]?.error)
    }
    if (first) firstBatchOf(this.scope).pending = null
    noteWrittenJobs(this.scope, statements, results)
    for (const [index, run] of runs) run.received = results[index] as unknown[]
  }

  #recorded(event: EventType, rows: () => EventRows): Statement[] {
    return this.scope.lifecycle.recording.flatMap((step) => step(this.scope, event, rows))
  }

  #record(entry: AuditEntry): ReturnType<typeof auditStatements> {
    const { organizationId = this.scope.auditing.organizationId } = entry
    if (typeof organizationId === 'string') this.#recordedIn.add(organizationId)
    return auditStatements(this.scope, entry)
  }

  /**
   * A batch of a request that changes something has an audit record, whether or not the use case describes one. No
   * other code writes records.
   */
  #needsRecord(writes: boolean): boolean {
    if (!writes || this.scope.auditing.action === null) return false
    return !this.#parts.some(({ type }) => type === 'record')
  }

  /** The error for a batch that D1 refused. */
  async #meaningOf(thrown: unknown, conditions: BatchError[], used?: BatchError): Promise<unknown> {
    const unmet = unmetDemand(thrown)
    if (unmet !== null) return (conditions[Number(unmet || -1)] ?? this.stale)()
    const column = takenColumn(thrown)
    if (column === null) return thrown
    if (column === 'used_records.name') return (used ?? this.stale)()
    const error = this.#unique.get(column) ?? this.#unique.get('*')
    return error ? error() : thrown
  }
}

const madeRoom = () => ({ isTried: false })

/**
 * Runs a batch. If the database is full, a call that may write then deletes some history, once in a request, and tries
 * again: a sign-in, a sign-out and a change of security need few rows.
 */
async function runWithRoom(scope: Scope, statements: readonly Statement[]): Promise<unknown[]> {
  try {
    return await runBatch(scope.db, statements)
  } catch (thrown) {
    const tries = scope.once(madeRoom)
    if (!(faultIn(thrown) instanceof DatabaseFull) || tries.isTried) throw thrown
    scope.io.requireRoom()
    tries.isTried = true
    scope.io.declare({ d1: 2 })
    scope.log('error', 'database-full', { bytes: scope.shared.size.bytes })
    await runBatch(scope.db, oldestHistory(scope))
    return runBatch(scope.db, statements)
  }
}

/** Holds directly after a statement that has changed a row. */
const rowsChanged: Condition = sql`changes() > 0`

class Run<Row> implements Handle<Row, Row> {
  readonly type = 'statements'
  /** The rows of the last statement. */
  received: Row[] | undefined
  /** The error if the last statement changes no row. */
  refusal: BatchError | undefined
  readonly finish: () => void

  /** @param present reads the rows if the batch writes nothing */
  constructor(
    readonly statements: readonly Statement[] | Promise<readonly Statement[]>,
    readonly stale: BatchError,
    afterCommit?: (rows: Row[]) => void,
    readonly present?: Statement | null,
  ) {
    this.finish = () => afterCommit?.(this.rows)
  }

  get rows(): Row[] {
    if (!this.received) throw new Error('The rows of a statement can be read after the commit.')
    return this.received
  }

  get row(): Row {
    return this.rows[0]!
  }

  orFail(error: BatchError = this.stale): this {
    this.refusal = error
    return this
  }
}

class NotPreserved extends Error {}
class NothingChanged extends Error {}
