import { Fault } from '../kit/errors.ts'
import { minutes, ms } from '../kit/time.ts'

/** The parts of the maximum size from which on the deployment protects its sign-ins (decision 320). */
export const sizeLevels = { notice: 0.7, shortened: 0.85, reserved: 0.95 } as const

/** How long (s) an isolate believes an error of a full database, whatever maximum is configured. */
const fullFor = minutes(5)

/** The database has no room for a write. A retry may succeed once the cron trigger has shortened the history. */
export class DatabaseFull extends Fault {
  override name = 'DatabaseFull'
  constructor(cause: unknown) {
    super('D1', cause, retryWhenFull)
  }
}

/** The call must not write at the size of the database. A Fault, so that no use case blames its caller for it. */
export class AlmostFull extends DatabaseFull {
  override name = 'AlmostFull'
  constructor() {
    super(undefined)
  }
}

/** Seconds until the next run of the cron trigger that shortens the history. */
export const retryWhenFull = minutes(5)

/** SQLite's code and text, and the text of D1. */
export const isFullError = (thrown: unknown): boolean =>
  thrown instanceof Error && /SQLITE_FULL|database or disk is full|maximum (?:DB|database) size/i.test(thrown.message)

/**
 * The size of the database as the last result that this isolate received states it. D1 does not count pages that deleted
 * rows have freed. An isolate without a result knows none.
 */
export class DatabaseSize {
  #bytes: number | null = null
  #fullUntil = 0

  get bytes(): number | null {
    return this.#bytes
  }

  /** @param meta of a result; results of simulated databases may lack it */
  note(meta: Partial<D1Meta> | undefined): void {
    if (meta?.size_after) this.#bytes = meta.size_after
  }

  /** D1 has refused a write. The configured maximum may be that of another plan. */
  noteFull(): void {
    this.#fullUntil = Date.now() + ms(fullFor)
  }

  /** The used part of the maximum; 1 while D1 refuses writes, and 0 if nothing is known. */
  fullness(maximumBytes: number): number {
    return Date.now() < this.#fullUntil ? 1 : (this.#bytes ?? 0) / maximumBytes
  }
}
