import { acceptClaim, type Caller, type Claim, type Own } from '../identity/caller.ts'
import { type CookieJar, cookieJar } from '../identity/cookie-jar.ts'
import { databaseOptions } from '../identity/database.config.ts'
import type { AuditContext } from '../identity/model/audit-context.ts'
import type { KnownEndedSessions } from '../identity/model/ended-sessions.ts'
import type { Lifecycle, RequestIo, Scope } from '../identity/scope.ts'
import { ownOfCaller } from '../identity/sessions/sessions.store.ts'
import type { Settings } from '../identity/settings.ts'
import type { Brand } from '../kit/brand.ts'
import { unsignValue } from '../kit/cookies.ts'
import { defaultLanguage, type Language, languageAsked } from '../kit/language.ts'
import { minutes } from '../kit/time.ts'
import { timeouts } from '../platform/bounded.ts'
import type { Circuit } from '../platform/circuit.ts'
import { type Counters, counters } from '../platform/counters.ts'
import { type Database, openDatabase } from '../platform/database.ts'
import type { DatabaseSize } from '../platform/database-size.ts'
import type { Env } from '../platform/env.ts'
import { type IoBudget, type IoCount, noIo, sumOf } from '../platform/io.ts'
import { inJurisdiction } from '../platform/jurisdiction.ts'
import { keyValue } from '../platform/kv.ts'
import { type Log, logger, reasonOf } from '../platform/log.ts'
import type { SendMail } from '../platform/mailer/mail.ts'
import { type OneTimeRecords, oneTimeRecords } from '../platform/one-time.ts'
import { type Outside, outside } from '../platform/outside.ts'
import { type Reads, type Rows, read, readBoth } from '../platform/statements.ts'
import { secretOfNames } from '../platform/test-clock.ts'
import type { SendText } from '../platform/texter/text-message.ts'
import { actorOfCaller, auditContextOf } from './audit.ts'
import { requireKeyAccess } from './edge/require-access.ts'
import { refuseWithoutRoom } from './edge/require-room.ts'
import { type Endpoint, isForAdministrators, serverPermissionOf } from './endpoint.ts'
import type { FeatureLoader } from './load-features.ts'
import { RequestFacts, requestOptions } from './request-facts.ts'

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
export const pageLanguageOf = ({ headers }: Request, { brand }: Pick<Runtime, 'brand'>): Language =>
  languageAsked(headers.get('accept-language'), brand.languages) ?? defaultLanguage

/** Built once an isolate and shared by all requests. */
export interface Runtime {
  settings: Settings
  brand: Brand
  options: Readonly<Record<string, unknown>>
  lifecycle: Lifecycle
  loader: FeatureLoader
  ended: KnownEndedSessions
  circuit: Circuit
  size: DatabaseSize
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

/** The scope of a request, for the code that answers it. */
export interface OpenScope extends Scope {
  /** The response is ready: it gets the cookies and headers of the request, and deferred work starts. */
  answered(response?: Response): void
}

/** Opens the scope of a request. Each part is created at its first use. */
export const openScope = (opening: Opening): OpenScope => new RequestScope(opening)

/**
 * A scope for the caller that the headers identify, in which a server asks about its own request. Its I/O counts for
 * that of the server. @param endpoint the endpoint whose access the caller needs
 */
export const onBehalfOf = (scope: Scope, headers: Headers, endpoint: Endpoint): OpenScope =>
  (scope as RequestScope).behalfOf(headers, endpoint)

class RequestScope implements OpenScope {
  readonly io: ScopeIo
  readonly now = () => new Date()
  readonly settings: Settings
  readonly options: Readonly<Record<string, unknown>>
  lifecycle: Lifecycle
  readonly shared: Runtime
  readonly env: Env
  readonly request: RequestFacts
  readonly auditing: AuditContext
  readonly response: ResponseParts
  readonly #opening: Opening
  readonly #values = new Map<(scope: Scope) => unknown, unknown>()
  readonly #putOff: [work: () => unknown, uses: 'all' | 'nothing'][] = []
  isAnswered = false
  #records: OneTimeRecords | undefined
  #counters: Counters | undefined
  #outside: Outside | undefined
  #log: Log | undefined
  #caller: Promise<Caller | null> | undefined

  constructor(opening: Opening) {
    const { settings, brand, options, lifecycle } = opening.runtime
    this.#opening = opening
    this.settings = settings
    this.options = options
    this.lifecycle = lifecycle
    this.shared = opening.runtime
    this.env = inJurisdiction(opening.env, settings)
    this.auditing = auditContextOf(opening.endpoint)
    this.request = new RequestFacts(
      opening.request,
      opening.path,
      requestOptions.of(this).trustedProxies,
      brand.languages,
    )
    this.response = new ResponseParts(this)
    this.io = new ScopeIo(this, opening)
  }

  get language(): Language {
    return this.request.language ?? defaultLanguage
  }
  get db(): Database {
    return this.io.database.db
  }
  get records(): OneTimeRecords {
    return (this.#records ??= oneTimeRecords(this.env.ONE_TIME, namesSecretOf(this), this.io.used))
  }
  get counters(): Counters {
    return (this.#counters ??= counters(this.env.COUNTER, namesSecretOf(this), this.io.used))
  }
  get outside(): Outside {
    return (this.#outside ??= outside(this.io.used))
  }
  get log(): Log {
    return (this.#log ??= logger(this.request.id))
  }

  once<T>(make: (scope: Scope) => T): T {
    if (!this.#values.has(make)) this.#values.set(make, make(this))
    return this.#values.get(make) as T
  }

  after(work: Promise<unknown> | (() => unknown), uses: 'all' | 'nothing' = 'all'): void {
    if (typeof work !== 'function') this.#keepAlive(work)
    else if (!this.isAnswered) this.#putOff.push([work, uses])
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

  caller(): Promise<Caller | null> {
    return (this.#caller ??= this.#identify())
  }

  async callerWith<R extends Reads>(
    build: (own: Own) => R | Promise<R>,
  ): Promise<{ caller: Caller; rows: Rows<R> } | null> {
    const [claim, ...others] = this.#claims()
    if (!claim || this.#caller || Object.keys(claim.reads).length === 0) return this.#readAfter(build)
    const [decisive, rows] = await readBoth(this.db, claim.reads, await build(claim.own))
    const isFromReplica = this.io.readsReplica
    const caller = this.#admit(await claim.accept(decisive))
    // The claim did not trust the replica: its rows are not shown either.
    if (caller && isFromReplica && !this.io.readsReplica) {
      this.io.declare({ d1: 2 })
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

  /** See `onBehalfOf`. */
  behalfOf(headers: Headers, endpoint: Endpoint): RequestScope {
    const request = new Request(this.settings.baseUrl, { headers })
    return new RequestScope({ ...this.#opening, request, path: '', endpoint, io: this.io.used })
  }

  answered(response?: Response): void {
    // A caller sees their own writes: the next read waits for a replica that has them.
    if (this.#opening.endpoint?.changes.length) this.io.storeBookmark()
    this.isAnswered = true
    // What the request changes was committed before its response.
    this.auditing.action = null
    for (const [work, uses] of this.#putOff.splice(0)) this.after(work, uses)
    if (response) this.response.applyTo(response)
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

/** Cookies and headers, each created at its first use. */
class ResponseParts {
  #cookies: CookieJar | undefined
  #headers: Map<string, string> | undefined

  constructor(private readonly scope: Pick<Scope, 'request' | 'settings' | 'options'>) {}

  get cookies(): CookieJar {
    return (this.#cookies ??= cookieJar(this.scope.request.headers, this.scope))
  }
  get headers(): Map<string, string> {
    return (this.#headers ??= new Map())
  }
  applyTo(answer: Response): void {
    if (this.#cookies) for (const line of this.#cookies.lines()) answer.headers.append('set-cookie', line)
    if (this.#headers) for (const [name, value] of this.#headers) answer.headers.set(name, value)
    answer.headers.set('x-request-id', this.scope.request.id)
  }
}

class ScopeIo implements RequestIo {
  readonly used: IoCount
  readonly declared = noIo()
  mayLag: boolean
  readonly #scope: RequestScope
  readonly #opening: Opening
  #uncounted: RequestIo['uncounted'] | undefined
  #connection: ReturnType<typeof openDatabase> | undefined

  constructor(scope: RequestScope, opening: Opening) {
    this.#scope = scope
    this.#opening = opening
    this.used = opening.io ?? noIo()
    // A page with the live channel reads because of a change of another device, which a replica may lack.
    this.mayLag = opening.endpoint?.reads?.replica === true && !opening.request.headers.has(tabHeader)
  }

  requireRoom(creates?: 'user' | 'entry'): void {
    const { endpoint, runtime } = this.#opening
    // A job or the cron trigger, whose work was accepted before.
    if (!endpoint || this.#scope.isAnswered) return
    const { maximumBytes } = databaseOptions.of(this.#scope)
    refuseWithoutRoom(endpoint, this.#scope.auditing.actor, runtime.size.fullness(maximumBytes), creates)
  }

  declare(budget: IoBudget): void {
    Object.assign(this.declared, sumOf(budget, this.declared))
  }

  get uncounted(): RequestIo['uncounted'] {
    const { env } = this.#scope
    return (this.#uncounted ??= {
      counters: counters(env.COUNTER, namesSecretOf(this.#scope), noIo(), timeouts.optional),
      kv: keyValue(env.KV, noIo(), timeouts.optional),
      outside: outside(noIo()),
    })
  }

  get #readsReplicas(): boolean {
    return databaseOptions.of(this.#scope).readReplication
  }

  get readsReplica(): boolean {
    return this.#readsReplicas && this.mayLag
  }

  readPrimary(): void {
    this.mayLag = false
    this.#connection = undefined
  }

  /** A replica may answer endpoints that say so; all others read the primary. */
  get database(): ReturnType<typeof openDatabase> {
    if (!this.#connection) {
      const from = this.readsReplica ? (this.#bookmark ?? 'first-unconstrained') : 'first-primary'
      // Jobs, administrators and servers run statements over many rows, which take seconds.
      const { endpoint, env, runtime } = this.#opening
      const isPatient = !endpoint || isForAdministrators(endpoint.access) || serverPermissionOf(endpoint) !== null
      this.#connection = openDatabase(env.DB, this.used, from, runtime, isPatient)
    }
    return this.#connection
  }

  /** The bookmark of the request; null for none or a forged one. */
  get #bookmark(): string | null {
    const { request, response, settings } = this.#scope
    const sent = request.headers.get(bookmarkHeader)
    if (sent === null) return response.cookies.getSigned(bookmarkCookie)
    return unsignValue(settings.secrets, bookmarkCookie, decodeURIComponentOr(sent))
  }

  /** Passes the bookmark of the last write to the caller. */
  storeBookmark(): void {
    const written = this.#readsReplicas && this.#connection?.bookmark()
    if (!written) return
    const { cookies, headers } = this.#scope.response
    headers.set(bookmarkHeader, cookies.setSigned(bookmarkCookie, written, { maxAge: bookmarkLifetime }))
  }
}

/** The secret of the names of Durable Objects. */
const namesSecretOf = ({ settings }: Pick<Scope, 'settings'>): string => secretOfNames(settings.secrets[0])

/** An invalid escape makes it an invalid bookmark. */
function decodeURIComponentOr(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
