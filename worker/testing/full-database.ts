import { env } from './harness.ts'

/** `until-deleted`: SQLite reuses the pages that a batch of deletions frees. `always`: no deletion frees any. */
type Fullness = 'never' | 'until-deleted' | 'always'

const original = Symbol('original')
const text = Symbol('text')

/** A database that answers writes as a full one does, and reads as usual. */
export class FullDatabase {
  /** The writes that were refused since `fill`. */
  refused = 0
  #state: Fullness = 'never'

  fill(state: Fullness): void {
    this.#state = state
    this.refused = 0
  }

  readonly binding: D1Database = this.#connection(env.DB)

  #allow(queries: readonly string[]): void {
    const written = queries.filter((query) => /^\s*(?:insert|update|delete|replace|with)\b/i.test(query))
    if (this.#state === 'never' || written.length === 0) return
    if (this.#state === 'until-deleted' && written.every((query) => /^\s*delete\b/i.test(query))) {
      this.#state = 'never'
      return
    }
    this.refused++
    throw new Error('D1_ERROR: database or disk is full: SQLITE_FULL')
  }

  #statement(prepared: D1PreparedStatement, query: string): D1PreparedStatement {
    return new Proxy(prepared, {
      get: (from, key) => {
        if (key === original) return from
        if (key === text) return query
        const value = Reflect.get(from, key) as unknown
        if (typeof value !== 'function') return value
        if (key === 'bind') return (...given: unknown[]) => this.#statement(value.apply(from, given), query)
        return async (...given: unknown[]) => {
          this.#allow([query])
          return value.apply(from, given)
        }
      },
    })
  }

  #connection<T extends object>(connection: T): T {
    return new Proxy(connection, {
      get: (from, key) => {
        const value = Reflect.get(from, key) as unknown
        if (typeof value !== 'function') return value
        if (key === 'prepare') return (query: string) => this.#statement(value.call(from, query), query)
        if (key === 'withSession') return (bookmark: string) => this.#connection(value.call(from, bookmark))
        if (key !== 'batch') return value.bind(from)
        return async (statements: Record<symbol, unknown>[]) => {
          this.#allow(statements.map((one) => String(one[text])))
          return value.call(
            from,
            statements.map((one) => one[original]),
          )
        }
      },
    })
  }
}
