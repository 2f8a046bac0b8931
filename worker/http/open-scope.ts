import { acceptClaim, type Caller, type Claim, type Own } from '../identity/caller.ts'
import { type CookieJar, cookieJar } from '../identity/cookie-jar.ts'
import type { AuditContext } from '../identity/model/audit-context.ts'
import type { EndedSessions } from '../identity/model/ended-sessions.ts'
import type { Lifecycle, Scope } from '../identity/scope.ts'
import { ownOfCaller } from '../identity/sessions/sessions.store.ts'
import type { Settings } from '../identity/settings.ts'
import type { Brand } from '../kit/brand.ts'
import { unsignValue } from '../kit/cookies.ts'
import { defaultLanguage, type Language, languageAsked } from '../kit/language.ts'
import { defineOptions, flag, section } from '../kit/options.ts'
import { minutes } from '../kit/time.ts'
import { timeouts } from '../platform/bounded.ts'
import type { Circuit } from '../platform/circuit.ts'
import { type Counters, counters } from '../platform/counters.ts'
import { type Database, openDatabase } from '../platform/database.ts'
import type { Env } from '../platform/env.ts'
import { type IoCount, noIo } from '../platform/io.ts'
import { type KeyValue, keyValue } from '../platform/kv.ts'
import { type Log, logger, reasonOf } from '../platform/log.ts'
import type { Mail, SendMail, UnmadeMail } from '../platform/mailer/mail.ts'
import { type OneTimeRecords, oneTimeRecords } from '../platform/one-time.ts'
import { type Outside, outside } from '../platform/outside.ts'
import { type Reads, type Rows, read, readBoth } from '../platform/statements.ts'
import { secretOfNames } from '../platform/test-clock.ts'
import type { SendText, TextMessage, UnmadeText } from '../platform/texter/text-message.ts'
import { actorOfCaller, auditContextOf } from './audit.ts'
import { requireKeyAccess } from './edge/require-access.ts'
import { type Endpoint, isForAdministrators, serverPermissionOf } from './endpoint.ts'
import type { FeatureLoader } from './load-features.ts'
import { RequestFacts, requestOptions } from './request-facts.ts'

export const databaseOptions = defineOptions('database', () =>
  section({
    /**
     * Whether D1's read replication is on for the database. If it is, a replica near the caller answers
     * get-session and lists of what belongs to the caller.
     */
    readReplication: flag(false),
  }),
)

/**
 * The D1 bookmark of the caller's last write, signed: a cookie, stored for the maximum lag of a replica, and a header for
 * callers without cookies, who send the header of their last write with their reads.
 */
const bookmarkCookie = 'bookmark'
export const bookmarkHeader = 'x-gatehouse-bookmark'
const bookmarkLifetime = minutes(5)

/** Pages with the live channel send it with each call. */
const tabHeader = 'gatehouse-tab'

/** The language of the pages of a request. */
export const languageOf = ({ headers }: Request, { brand }: Pick<Runtime, 'brand'>): Language =>
  languageAsked(headers.get('accept-language'), brand.languages) ?? defaultLanguage

/** Built once an isolate and shared by all requests. */
export interface Runtime {
  settings: Settings
  brand: Brand
  options: Readonly<Record<string, unknown>>
  lifecycle: Lifecycle
  loader: FeatureLoader
  ended: EndedSessions
  circuit: Circuit
  sendMail: SendMail
  sendText: SendText
  describeApi(): Promise<object>
}

/** The arguments of openScope. */
export interface Opening {
  request: Request
  /** The canonical path, including the base path. */
  path: string
  env: Env
  context: Pick<ExecutionContext, 'waitUntil'>
  runtime: Runtime
  endpoint?: Endpoint | undefined
  /** The counts to which the I/O is added. */
  io?: IoCount | undefined
}

const messages = () => import('../identity/messages/messages.ts')

/** Opens the scope of a request. Each part is created at its first use. */
export const openScope = (opening: Opening): Scope => new RequestScope(opening)

class RequestScope implements Scope {
  readonly io: IoCount
  readonly allowed = noIo()
  readonly now = () => new Date()
  readonly settings: Settings
  readonly brand: Brand
  readonly options: Readonly<Record<string, unknown>>
  lifecycle: Lifecycle
  readonly ended: EndedSessions
  readonly env: Env
  readonly request: RequestFacts
  readonly auditing: AuditContext
  readonly #opening: Opening
  readonly #putOff: [work: () => unknown, uses: 'all' | 'nothing'][] = []
  #isAnswered = false
  #uncounted: Scope['uncounted'] | undefined
  mayLag: boolean
  signedIn = false
  continueAt: string | null = null
  serverKey: Scope['serverKey'] = null
  firstBatch: Scope['firstBatch'] = null
  #connection: ReturnType<typeof openDatabase> | undefined
  #language: Language | null | undefined
  #cookies: CookieJar | undefined
  #headers: Map<string, string> | undefined
  #records: OneTimeRecords | undefined
  #counters: Counters | undefined
  #kv: KeyValue | undefined
  #outside: Outside | undefined
  #log: Log | undefined
  #caller: Promise<Caller | null> | undefined

  constructor(opening: Opening) {
    const { settings, brand, options, ended } = opening.runtime
    this.#opening = opening
    // A page with the live channel reads because of a change of another device, which a replica may lack.
    this.mayLag = opening.endpoint?.replica === true && !opening.request.headers.has(tabHeader)
    this.io = opening.io ?? noIo()
    this.settings = settings
    this.brand = brand
    this.options = options
    this.lifecycle = opening.runtime.lifecycle
    this.ended = ended
    this.env = opening.env
    this.auditing = auditContextOf(opening.endpoint)
    this.request = new RequestFacts(opening.request, opening.path, requestOptions.of(this).trustedProxies)
  }

  get #names(): string {
    return secretOfNames(this.settings.secrets[0])
  }
  get language(): Language {
    return this.askedLanguage ?? defaultLanguage
  }
  get askedLanguage(): Language | null {
    if (this.#language === undefined)
      this.#language = languageAsked(this.request.headers.get('accept-language'), this.brand.languages)
    return this.#language
  }
  get cookies(): CookieJar {
    return (this.#cookies ??= cookieJar(this.request.headers, this))
  }
  get headers(): Map<string, string> {
    return (this.#headers ??= new Map())
  }
  get db(): Database {
    return this.#database.db
  }
  get records(): OneTimeRecords {
    return (this.#records ??= oneTimeRecords(this.env.ONE_TIME, this.#names, this.io))
  }
  get counters(): Counters {
    return (this.#counters ??= counters(this.env.COUNTER, this.#names, this.io))
  }
  get kv(): KeyValue {
    return (this.#kv ??= keyValue(this.env.KV, this.io))
  }
  get outside(): Outside {
    return (this.#outside ??= outside(this.io))
  }
  get uncounted(): Scope['uncounted'] {
    return (this.#uncounted ??= {
      counters: counters(this.env.COUNTER, this.#names, noIo(), timeouts.optional),
      kv: keyValue(this.env.KV, noIo(), timeouts.optional),
      outside: outside(noIo()),
    })
  }
  get transports(): Scope['transports'] {
    return this.#opening.runtime
  }
  get log(): Log {
    return (this.#log ??= logger(this.request.id))
  }

  after(work: Promise<unknown> | (() => unknown), uses: 'all' | 'nothing' = 'all'): void {
    if (typeof work !== 'function') this.#keepAlive(work)
    else if (!this.#isAnswered) this.#putOff.push([work, uses])
    else this.#keepAlive(Promise.resolve(uses === 'all' ? this.#loadAll() : null).then(work))
  }

  /** After the response the work may need what the call has not declared. */
  async #loadAll(): Promise<void> {
    const { loader, lifecycle } = this.#opening.runtime
    await loader.load('all')
    this.lifecycle = lifecycle
  }

  #keepAlive(work: Promise<unknown>): void {
    const logged = work.catch((thrown) => this.log('error', 'afterwards-failed', { reason: reasonOf(thrown) }))
    this.#opening.context.waitUntil(logged)
  }

  async later(work: () => Promise<void>): Promise<void> {
    const done = Promise.resolve().then(work)
    this.after(done)
    if (this.settings.environment === 'development') await done.catch(() => {})
  }

  mail(mail: Mail | UnmadeMail): Promise<void> {
    return this.later(async () => (await messages()).sendMail(this, mail))
  }

  text(message: TextMessage | UnmadeText): Promise<void> {
    return this.later(async () => (await messages()).sendText(this, message))
  }

  caller(): Promise<Caller | null> {
    return (this.#caller ??= this.#identify())
  }

  async callerWith<R extends Reads>(
    build: (own: Own) => R | Promise<R>,
  ): Promise<{ caller: Caller; rows: Rows<R> } | null> {
    const [claim, ...others] = this.#claims()
    if (!claim || this.#caller || Object.keys(claim.reads).length === 0) return this.#readAfter(build)
    const [decisive, rows] = await readBoth(this.db, claim.reads, await build(claim.own))
    const isFromReplica = this.readsReplica
    const caller = this.#admit(await claim.accept(decisive))
    // The claim did not trust the replica: its rows are not shown either.
    if (caller && isFromReplica && !this.readsReplica) {
      this.allowed.d1 += 2
      this.#caller = Promise.resolve(caller)
      return this.#readAfter(build)
    }
    if (!caller && others.length > 0) return this.#readAfter(build)
    this.#caller = Promise.resolve(caller)
    return caller && { caller, rows }
  }

  /** The caller is known, or the first claim was rejected: the reads run in a separate batch. */
  async #readAfter<R extends Reads>(build: (own: Own) => R | Promise<R>) {
    const caller = await this.caller()
    return caller && { caller, rows: await read(this.db, await build(ownOfCaller(caller))) }
  }

  onBehalfOf(headers: Headers, endpoint: Endpoint): Scope {
    const request = new Request(this.settings.baseUrl, { headers })
    return new RequestScope({ ...this.#opening, request, path: '', endpoint, io: this.io })
  }

  describeApi(): Promise<object> {
    return this.#opening.runtime.describeApi()
  }

  answered(): void {
    // A caller sees their own writes: the next read waits for a replica that has them.
    if (this.#readsReplicas && this.#connection && this.#opening.endpoint?.changes.length) {
      const written = this.#connection.bookmark()
      if (written)
        this.headers.set(bookmarkHeader, this.cookies.setSigned(bookmarkCookie, written, { maxAge: bookmarkLifetime }))
    }
    this.#isAnswered = true
    // What the request changes was committed before its response.
    this.auditing.action = null
    for (const [work, uses] of this.#putOff.splice(0)) this.after(work, uses)
  }

  /** Adds the cookies and headers of this request. */
  applyTo(answer: Response): void {
    if (this.#cookies) for (const line of this.#cookies.lines()) answer.headers.append('set-cookie', line)
    if (this.#headers) for (const [name, value] of this.#headers) answer.headers.set(name, value)
    answer.headers.set('x-request-id', this.request.id)
  }

  get #readsReplicas(): boolean {
    return databaseOptions.of(this).readReplication
  }

  get readsReplica(): boolean {
    return this.#readsReplicas && this.mayLag
  }

  readPrimary(): void {
    this.mayLag = false
    this.#connection = undefined
  }

  /** The bookmark of the request; null for none or a forged one. */
  get #bookmark(): string | null {
    const sent = this.request.headers.get(bookmarkHeader)
    if (sent === null) return this.cookies.getSigned(bookmarkCookie)
    return unsignValue(this.settings.secrets, bookmarkCookie, decodeURIComponentOr(sent))
  }

  /** A replica may answer endpoints that say so; all others read the primary. */
  get #database(): ReturnType<typeof openDatabase> {
    if (!this.#connection) {
      const from = this.readsReplica ? (this.#bookmark ?? 'first-unconstrained') : 'first-primary'
      // Jobs, administrators and servers run statements over many rows, which take seconds.
      const { endpoint } = this.#opening
      const isPatient = !endpoint || isForAdministrators(endpoint.access) || serverPermissionOf(endpoint) !== null
      this.#connection = openDatabase(this.env.DB, this.io, from, this.#opening.runtime.circuit, isPatient)
    }
    return this.#connection
  }

  #claims(): Claim[] {
    return this.lifecycle.identifying.map((step) => step(this)).filter((claim) => claim !== null)
  }

  async #identify(): Promise<Caller | null> {
    for (const claim of this.#claims()) {
      const caller = await acceptClaim(this.db, claim)
      if (caller) return this.#admit(caller)
    }
    return null
  }

  /** @throws API_KEY_ACCESS_DENIED */
  #admit(caller: Caller | null): Caller | null {
    if (caller) {
      requireKeyAccess(caller, this.#opening.endpoint)
      this.auditing.actor = actorOfCaller(caller, this.#opening.endpoint)
    }
    return caller
  }
}

/** An invalid escape makes it an invalid bookmark. */
function decodeURIComponentOr(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
