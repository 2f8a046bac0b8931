import type { Brand } from '../kit/brand.ts'
import type { Language } from '../kit/language.ts'
import type { Counters } from '../platform/counters.ts'
import type { Database } from '../platform/database.ts'
import type { Env } from '../platform/env.ts'
import type { IoCount } from '../platform/io.ts'
import type { KeyValue } from '../platform/kv.ts'
import type { Log } from '../platform/log.ts'
import type { Mail, SendMail, UnmadeMail } from '../platform/mailer/mail.ts'
import type { OneTimeRecords } from '../platform/one-time.ts'
import type { Outside } from '../platform/outside.ts'
import type { Condition, Reads, Rows, Statement } from '../platform/statements.ts'
import type { SendText, TextMessage, UnmadeText } from '../platform/texter/text-message.ts'
import type { Caller, Own } from './caller.ts'
import type { CookieJar } from './cookie-jar.ts'
import type { LifecycleOf, StepUpFactorOf } from './lifecycle.ts'
import type { AuditContext } from './model/audit-context.ts'
import type { EndedSessions } from './model/ended-sessions.ts'
import type { Settings } from './settings.ts'
import type { Refusal } from './work.ts'

/** All dependencies of one request: the first argument of use cases and stores. It ends with the request. */
export interface Scope {
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
  }
  readonly settings: Settings
  /** The brand of mails and pages without scripts. */
  readonly brand: Brand
  /** The caller's language, by Accept-Language: for pages without scripts. */
  readonly language: Language
  /** The same; null without a preference, as for servers. */
  readonly askedLanguage: Language | null
  /** Every feature's options by name; read with `options.of(scope)`. */
  readonly options: Readonly<Record<string, unknown>>
  readonly lifecycle: Lifecycle
  readonly env: Env
  readonly db: Database
  readonly records: OneTimeRecords
  readonly counters: Counters
  /** The ended sessions that this isolate knows. */
  readonly ended: EndedSessions
  readonly kv: KeyValue
  readonly outside: Outside
  readonly io: IoCount
  /** The maximum I/O of a lifecycle step that the configuration enables, in addition to the endpoint's budget. */
  readonly allowed: IoCount
  /**
   * The same for I/O outside of any endpoint's budget, because the configuration enables it: limits, checks, messages.
   */
  readonly uncounted: { readonly counters: Counters; readonly kv: KeyValue; readonly outside: Outside }
  readonly transports: { readonly sendMail: SendMail; readonly sendText: SendText }
  readonly log: Log
  /** The cookies of the request and the response. */
  readonly cookies: CookieJar
  /** Headers of the response other than its cookies, by lower-case name. */
  readonly headers: Map<string, string>
  now(): Date
  /**
   * Whether the response may show its caller as of a few seconds ago: the endpoint permits a replica, and the request
   * does not ask for the current state.
   */
  mayLag: boolean
  /** Whether a replica of the database, which may lag, answers the reads of this request. */
  readonly readsReplica: boolean
  /** Reads the primary from now on. */
  readPrimary(): void
  /**
   * The target after a sign-in in place of its own response, because another flow of this browser waits for the
   * sign-in. A path of ours.
   */
  continueAt: string | null
  /**
   * Whether this request signed a user in, completely or up to the second factor. An error response then omits its
   * cookies.
   */
  signedIn: boolean
  /**
   * Best-effort work that the response does not wait for. A function starts when the response is ready, and work that
   * it defers starts after it. A failure is logged. Use a job for work that must not be lost (identity/jobs/).
   * @param uses `nothing` for work that uses no other feature: these are not loaded for it
   */
  after(work: Promise<unknown> | (() => unknown), uses?: 'all' | 'nothing'): void
  /** The response is ready: deferred work starts. */
  answered(): void
  /** Adds the request's cookies and headers to its response. */
  applyTo(answer: Response): void
  /** Work whose duration must not show in the response. In development the response waits for it, for tests. */
  later(work: () => Promise<void>): Promise<void>
  /** Sends a mail. The response does not wait for it, and its duration does not reveal whether a mail was sent. */
  mail(mail: Mail | UnmadeMail): Promise<void>
  text(message: TextMessage | UnmadeText): Promise<void>
  /** The OpenAPI document of the enabled features. */
  describeApi(): Promise<object>
  /** The signed-in caller, read from the primary once per request. */
  caller(): Promise<Caller | null>
  /**
   * The caller, and in the same round trip rows that depend on the caller.
   * @param build the reads, from the ids of the caller
   * @returns null without a caller
   */
  callerWith<R extends Reads>(build: (own: Own) => R | Promise<R>): Promise<{ caller: Caller; rows: Rows<R> } | null>
  /**
   * A scope for the caller that the headers identify, in which a server asks about its own request. Its I/O counts for
   * this one. @param endpoint the endpoint whose access the caller needs
   */
  onBehalfOf(headers: Headers, endpoint: { readonly path: string }): Scope
  /** The server key of this request; null for all other callers. */
  serverKey: { readonly id: string; readonly name: string } | null
  /** What the first batch of this request that writes has in addition; null after it, and for most requests. */
  firstBatch: { readonly condition: Condition; readonly error: Refusal; readonly statement: Statement } | null
  /** What the audit records of this request state. Access checks and use cases complete it. */
  readonly auditing: AuditContext
}

export type Lifecycle = LifecycleOf<Scope>
export type StepUpFactor = StepUpFactorOf<Scope>
export type { Caller }
