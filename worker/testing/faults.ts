import { env } from 'cloudflare:workers'
import type { Env } from '../platform/env.ts'
import { unmetDemand } from '../platform/statements.ts'

/**
 * Bindings with simulated failures. They count every I/O call. The selected call fails before its execution or, with a
 * lost response, after it.
 */
export interface Fault {
  /** The number of the call since `arm`, from 1. */
  at: number
  /** `late`: the caller gives up, and the call runs when the test calls `arrive`. */
  when: 'before' | 'after' | 'late'
}

export class FaultInjector {
  private armed: Fault | null = null
  private only: string | null = null
  private frozen: string | null = null
  private readonly late: (() => Promise<unknown>)[] = []
  private meanwhile: { at: number; work: () => Promise<unknown> } | null = null
  private kind = 0
  /** Whether each of `calls` only reads: then it is the same for its caller whether it fails before or after. */
  readonly reads: boolean[] = []
  /** Whether a call that does not only read was executed since `arm` or `watch`. */
  wrote = false
  /** The calls of the bindings since `arm` or `watch`, in order: `D1 batch`, `KV get`, `COUNTER hit`, ... */
  readonly calls: string[] = []

  /** Counts the next calls and lets one of them fail. */
  arm(fault: Fault): void {
    this.watch()
    this.armed = fault
    this.kind++
  }

  /** Rejects every call whose name has this prefix before its execution. */
  outage(of: string): void {
    this.watch()
    this.only = of
  }

  /** Every call whose name has this prefix gets no answer, and is not executed. */
  freeze(of: string): void {
    this.watch()
    this.frozen = of
  }

  /** Runs `work` just before one of the next calls, counted from 1. The result is a deterministic race. */
  before(at: number, work: () => Promise<unknown>): void {
    this.watch()
    this.meanwhile = { at, work }
  }

  /** Counts the next calls and lets all of them pass. */
  watch(): void {
    this.armed = null
    this.only = null
    this.frozen = null
    this.meanwhile = null
    this.calls.length = 0
    this.reads.length = 0
    this.wrote = false
  }

  /** Runs the delayed calls. A batch whose conditions do not hold writes nothing. */
  async arrive(): Promise<void> {
    for (const work of this.late.splice(0)) {
      await work().catch((thrown) => {
        if (unmetDemand(thrown) === null) throw thrown
      })
    }
  }

  private async run<T>(what: string, work: () => Promise<T>, isRead = readingCalls.has(what)): Promise<T> {
    this.calls.push(what)
    this.reads.push(isRead)
    if (this.frozen !== null && what.startsWith(this.frozen)) return new Promise(() => {})
    if (this.meanwhile?.at === this.calls.length) await this.meanwhile.work()
    const fails = this.armed?.at === this.calls.length || (this.only !== null && what.startsWith(this.only))
    if (fails && this.armed?.when === 'late') this.late.push(work)
    if (fails && this.armed?.when !== 'after') throw this.failure(`injected: ${what} is out of reach`)
    this.wrote ||= !isRead
    const result = await work()
    if (fails) throw this.failure(`injected: the answer of ${what} is lost`)
    return result
  }

  /** An error as the platform throws it: one kind after the other, with each armed fault. */
  private failure(what: string): Error {
    const { text, ...properties } = failures[this.kind % failures.length]!
    return Object.assign(new Error(`${what}: ${text}`), properties)
  }

  /** The bindings for a TestApp. */
  bindings(): Pick<Env, 'DB' | 'KV' | 'ONE_TIME' | 'COUNTER' | 'ENDED_SESSIONS' | 'LIVE' | 'ARCHIVE'> {
    const { DB, KV, ARCHIVE, ONE_TIME, COUNTER, ENDED_SESSIONS, LIVE } = env as unknown as Env
    return {
      DB: this.database(DB),
      KV: this.methods('KV', KV, ['get', 'put', 'delete', 'list']),
      ARCHIVE: this.methods('R2', ARCHIVE!, ['get', 'put', 'delete', 'list']),
      ONE_TIME: this.objects('ONE_TIME', ONE_TIME),
      COUNTER: this.objects('COUNTER', COUNTER),
      ENDED_SESSIONS: this.objects('ENDED_SESSIONS', ENDED_SESSIONS),
      LIVE: this.objects('LIVE', LIVE),
    }
  }

  private methods<T extends object>(name: string, target: T, failing: string[]): T {
    return new Proxy(target, {
      get: (from, key) => {
        const value = Reflect.get(from, key) as unknown
        if (typeof value !== 'function') return value
        if (!failing.includes(String(key))) return value.bind(from)
        return (...given: unknown[]) => this.run(`${name} ${String(key)}`, () => value.apply(from, given))
      },
    })
  }

  private database(target: D1Database): D1Database {
    const statement = (prepared: D1PreparedStatement, query: string): D1PreparedStatement =>
      new Proxy(prepared, {
        get: (from, key) => {
          if (key === original) return from
          if (key === text) return query
          const value = Reflect.get(from, key) as unknown
          if (typeof value !== 'function') return value
          if (key === 'bind') return (...given: unknown[]) => statement(value.apply(from, given), query)
          return (...given: unknown[]) =>
            this.run(`D1 ${String(key)}`, () => value.apply(from, given), !writes.test(query))
        },
      })
    const connection = <T extends object>(from: T): T =>
      new Proxy(from, {
        get: (inner, key) => {
          const value = Reflect.get(inner, key) as unknown
          if (typeof value !== 'function') return value
          if (key === 'prepare') return (query: string) => statement(value.call(inner, query), query)
          if (key === 'withSession') return (bookmark: string) => connection(value.call(inner, bookmark))
          if (key !== 'batch') return value.bind(inner)
          return (statements: D1PreparedStatement[]) =>
            this.run(
              'D1 batch',
              () =>
                value.call(
                  inner,
                  statements.map((one) => (one as unknown as Record<symbol, unknown>)[original] ?? one),
                ),
              !statements.some((one) => writes.test(String((one as unknown as Record<symbol, unknown>)[text]))),
            )
        },
      })
    return connection(target)
  }

  private objects<T extends { getByName(name: string): object }>(name: string, namespace: T): T {
    return new Proxy(namespace, {
      get: (from, key) => {
        const value = Reflect.get(from, key) as unknown
        if (typeof value !== 'function') return value
        if (key !== 'getByName') return value.bind(from)
        return (id: string) => {
          const stub = from.getByName(id) as Record<string, (...given: unknown[]) => Promise<unknown>>
          return new Proxy(stub, {
            get: (inner, method) => {
              if (typeof method !== 'string') return Reflect.get(inner, method)
              return (...given: unknown[]) => this.run(`${name} ${method}`, () => inner[method]!(...given))
            },
          })
        }
      },
    })
  }
}

/** The statement that a failing one wraps, and its SQL. */
const original = Symbol('original')
const text = Symbol('text')

const writes = /\b(?:insert|update|delete|replace)\b/i
const readingCalls: ReadonlySet<string> = new Set(['KV get', 'KV list', 'R2 get', 'R2 list', 'ENDED_SESSIONS since'])

/** The texts of D1 and of Durable Objects: connection lost, reset, overload, time-out (Cloudflare's list of errors). */
const failures = [
  { text: 'Network connection lost.', retryable: true },
  { text: 'Durable Object reset because its code was updated.', durableObjectReset: true },
  { text: 'D1 DB is overloaded. Requests queued for too long.', overloaded: true },
  { text: 'D1 DB storage operation exceeded timeout which caused object to be reset.', durableObjectReset: true },
  { text: 'Cannot resolve D1 DB due to transient issue on remote node.', remote: true },
] as const
