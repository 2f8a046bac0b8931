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
import type { Condition, Statement } from '../platform/statements.ts'
import type { SendText, TextMessage, UnmadeText } from '../platform/texter/text-message.ts'
import type { Caller, Own } from './caller.ts'
import type { CookieJar } from './cookie-jar.ts'
import type { LifecycleOf } from './lifecycle.ts'
import type { Settings } from './settings.ts'

/**
 * All that one request may use: the one argument that use cases and stores share. Nothing in it outlives the request.
 */
export interface Scope {
  readonly request: {
    id: string
    method: string
    /** The canonical path below the base path. */
    path: string
    headers: Headers
    /** The caller's address, null when unknown. */
    ip: string | null
    userAgent: string
    /** Where it comes from, as far as Cloudflare's network knows. */
    place: { city: string | null; country: string | null }
  }
  readonly settings: Settings
  /** How mails and pages without script look. */
  readonly brand: Brand
  /** What the caller reads, by Accept-Language: for pages without script. */
  readonly language: Language
  /** The same; null where the caller says nothing of it, as servers do. */
  readonly askedLanguage: Language | null
  /** Every feature's options by name; read with `options.of(scope)`. */
  readonly options: Readonly<Record<string, unknown>>
  readonly lifecycle: Lifecycle
  readonly env: Env
  readonly db: Database
  readonly records: OneTimeRecords
  readonly counters: Counters
  readonly kv: KeyValue
  readonly outside: Outside
  readonly io: IoCount
  /** What a step of the lifecycle may cost, where the configuration asks for it: comes on top of the endpoint's budget. */
  readonly allowed: IoCount
  /** The same, for what no endpoint's budget speaks of, because the configuration asks for it: limits, guards, messages. */
  readonly uncounted: { readonly counters: Counters; readonly kv: KeyValue; readonly outside: Outside }
  readonly transports: { readonly sendMail: SendMail; readonly sendText: SendText }
  readonly log: Log
  /** Cookies in, and cookies out. */
  readonly cookies: CookieJar
  /** Headers that the answer will carry besides its cookies, by their names in lower case. */
  readonly headers: Map<string, string>
  now(): Date
  /** Where a sign-in leads, in place of its own answer: something waited for it in this browser. A path of ours. */
  continueAt: string | null
  /** Whether this request has let somebody in, or half in: an answer that is an error carries none of its cookies. */
  signedIn: boolean
  /**
   * Work that the answer does not wait for, best effort: a function begins when the answer is ready, and what it puts
   * off itself begins after it. A failure is logged. What must not be lost is a task.
   */
  after(work: Promise<unknown> | (() => unknown)): void
  /** The answer is ready: what was put off begins. */
  answered(): void
  /** Puts the request's cookies and headers onto its answer. */
  dress(answer: Response): void
  /** Work whose time must not show in the answer. In development the answer waits for it, so that tests can look. */
  later(work: () => Promise<void>): Promise<void>
  /**
   * For a batch: work that is done after the answer and again until it succeeds; see identity/tasks/tasks.ts.
   * @param when what has to hold at this place of the batch; otherwise nothing is written
   */
  task(kind: string, payload: unknown, when?: Condition): Promise<Statement[]>
  /** Sends a mail without making the answer wait, or tell by its time whether there was one. */
  mail(mail: Mail | UnmadeMail): Promise<void>
  /** For a batch: a mail that must not be lost once the batch is written. */
  mailTask(mail: Mail, when?: Condition): Promise<Statement[]>
  text(message: TextMessage | UnmadeText): Promise<void>
  /** The OpenAPI document of the features that are on. */
  describeApi(): object
  /** The signed-in caller, read from the primary; found once a request. */
  caller(): Promise<Caller | null>
  /**
   * The caller, and in the same round trip the results of statements about what is theirs.
   * @param build the statements, from the caller's own id and session
   * @returns results in the order of the statements; null without a caller
   */
  callerWith(build: (own: Own) => readonly Statement[]): Promise<{ caller: Caller; results: unknown[] } | null>
}

export type Lifecycle = LifecycleOf<Scope>
export type { Caller }
