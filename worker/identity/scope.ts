import type { Brand } from '../kit/brand.ts'
import type { Language } from '../kit/language.ts'
import type { Counters } from '../platform/counters.ts'
import type { Database } from '../platform/database.ts'
import type { DatabaseSize } from '../platform/database-size.ts'
import type { Env } from '../platform/env.ts'
import type { IoBudget, IoCount } from '../platform/io.ts'
import type { KeyValue } from '../platform/kv.ts'
import type { Log } from '../platform/log.ts'
import type { SendMail } from '../platform/mailer/mail.ts'
import type { OneTimeRecords } from '../platform/one-time.ts'
import type { Outside } from '../platform/outside.ts'
import type { Reads, Rows } from '../platform/statements.ts'
import type { SendText } from '../platform/texter/text-message.ts'
import type { Caller, Own } from './caller.ts'
import type { CookieJar } from './cookie-jar.ts'
import type { LifecycleOf, StepUpFactorOf } from './lifecycle.ts'
import type { AuditContext } from './model/audit-context.ts'
import type { KnownEndedSessions } from './model/ended-sessions.ts'
import type { Settings } from './settings.ts'

/** What a request is, and who calls. */
export interface Call {
  readonly request: {
    id: string
    method: string
    /** The canonical path below the base path. */
    path: string
    headers: Headers
    /** The caller's address; null if unknown. */
    ip: string | null
    userAgent: string
    /** The caller's place according to Cloudflare's network. */
    place: { city: string | null; country: string | null }
    /** The caller's network according to it: the autonomous system, the region (ISO 3166-2), and the position in whole degrees. */
    network: {
      asn: number | null
      region: string | null
      position: readonly [latitude: number, longitude: number] | null
    }
    /** The preferred language of those that the deployment has, by Accept-Language; null without one, as for servers. */
    language: Language | null
  }
  /** The language of pages without scripts: `request.language`, or the default. */
  readonly language: Language
  /** The signed-in caller, read from the primary once per request. */
  caller(): Promise<Caller | null>
  /**
   * The caller, and in the same round trip rows that depend on the caller.
   * @param build the reads, from the ids of the caller
   * @returns null without a caller
   */
  callerWith<R extends Reads>(build: (own: Own) => R | Promise<R>): Promise<{ caller: Caller; rows: Rows<R> } | null>
  now(): Date
  readonly log: Log
  /** The value of `make` for this request, computed at its first use: the state that a file keeps for a request. */
  once<T>(make: (scope: Scope) => T): T
}

/** What a request uses. */
export interface Dependencies {
  readonly settings: Settings
  /** Every feature's options by name; read with `options.of(scope)`. */
  readonly options: Readonly<Record<string, unknown>>
  readonly lifecycle: Lifecycle
  readonly env: Env
  readonly db: Database
  readonly records: OneTimeRecords
  readonly counters: Counters
  readonly outside: Outside
  /** What all requests of the isolate share. */
  readonly shared: {
    /** The brand of mails and pages without scripts. */
    readonly brand: Brand
    /** The ended sessions that this isolate knows. */
    readonly ended: KnownEndedSessions
    /** The size of the database that this isolate knows. */
    readonly size: DatabaseSize
    readonly sendMail: SendMail
    readonly sendText: SendText
    /** The OpenAPI document of the enabled features. */
    describeApi(): Promise<object>
  }
}

/** What a request leaves: its response, its I/O, its records, and work after it. */
export interface Effects {
  readonly response: {
    /** The cookies of the request and the response. */
    readonly cookies: CookieJar
    /** Headers of the response other than its cookies, by lower-case name. */
    readonly headers: Map<string, string>
  }
  /**
   * Best-effort work that the response does not wait for. A function starts when the response is ready, and work that
   * it defers starts after it. A failure is logged. Use a job for work that must not be lost (identity/jobs/).
   * @param uses `nothing` for work that uses no other feature: these are not loaded for it
   */
  after(work: Promise<unknown> | (() => unknown), uses?: 'all' | 'nothing'): void
  readonly io: RequestIo
  /** What the audit records of this request state. Access checks and use cases complete it. */
  readonly auditing: AuditContext
}

/** The I/O of a request before its response. */
export interface RequestIo {
  readonly used: IoCount
  /** What steps have declared in addition to the budget of the endpoint. */
  readonly declared: Readonly<IoCount>
  /** Declares the maximum I/O of a step that the configuration enables, before it begins. */
  declare(budget: IoBudget): void
  /** I/O outside of any endpoint's budget, because the configuration enables it: limits, checks, messages. */
  readonly uncounted: { readonly counters: Counters; readonly kv: KeyValue; readonly outside: Outside }
  /**
   * Whether the response may show its caller as of a few seconds ago: the endpoint permits a replica, and the request
   * does not ask for the current state.
   */
  readonly mayLag: boolean
  /** Whether a replica of the database, which may lag, answers the reads of this request. */
  readonly readsReplica: boolean
  /** Reads the primary from now on. */
  readPrimary(): void
  /**
   * Refuses a call that must not write while the database has the size that this isolate knows (http/edge/require-room.ts).
   * @param creates a row that the call does not always create
   */
  requireRoom(creates?: 'user' | 'entry'): void
}

/**
 * The first argument of use cases and stores. It ends with the request. A function that needs less names a group, or
 * picks members.
 */
export interface Scope extends Call, Dependencies, Effects {}

export type Lifecycle = LifecycleOf<Scope>
export type StepUpFactor = StepUpFactorOf<Scope>
export type { Caller }
