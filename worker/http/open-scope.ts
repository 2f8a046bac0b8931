import type { Caller } from '../identity/caller.ts'
import { type CookieJar, cookieJar } from '../identity/cookie-jar.ts'
import type { Lifecycle, Scope } from '../identity/scope.ts'
import { basePath, type Settings } from '../identity/settings.ts'
import { defineOptions } from '../kit/options.ts'
import { hours, minutes } from '../kit/time.ts'
import { clientAddress } from '../platform/client-address.ts'
import { now } from '../platform/clock.ts'
import { type Counters, counters } from '../platform/counters.ts'
import { type Database, openDatabase } from '../platform/database.ts'
import type { Env } from '../platform/env.ts'
import { noIo } from '../platform/io.ts'
import { type KeyValue, keyValue } from '../platform/kv.ts'
import { type Log, logger, reasonOf } from '../platform/log.ts'
import type { Mail, SendMail } from '../platform/mailer/mail.ts'
import { type OneTimeRecords, oneTimeRecords } from '../platform/one-time.ts'
import { type Outside, outside } from '../platform/outside.ts'
import type { SendText } from '../platform/texter/text-message.ts'
import type { Endpoint } from './endpoint.ts'

export const requestOptions = defineOptions('ipAddress', {
  /** Addresses or CIDR ranges of proxies in front of Cloudflare's edge, whose X-Forwarded-For counts. */
  trustedProxies: [] as string[],
})

export const databaseOptions = defineOptions('database', {
  /** Whether D1's read replication is on for the database; then get-session is answered near the caller. */
  readReplication: false,
})

/** The D1 bookmark of the caller's last write, for as long as a replica could lag behind. */
const bookmarkCookie = 'bookmark'
const bookmarkLifetime = minutes(5)

/** The most messages to one recipient. */
const messageRule = { max: 30, window: hours(1) }

/** What is built once an isolate and shared by all requests: values only, no I/O. */
export interface Runtime {
  settings: Settings
  options: Readonly<Record<string, unknown>>
  lifecycle: Lifecycle
  sendMail: SendMail
  sendText: SendText
  describeApi(): object
}

/** What a request is opened from. */
export interface Opening {
  request: Request
  /** Its canonical path, the base path included. */
  path: string
  env: Env
  context: Pick<ExecutionContext, 'waitUntil'>
  runtime: Runtime
  endpoint?: Endpoint | undefined
}

/** Opens the scope of one request. Everything in it is made when it is first asked for, and nothing is read yet. */
export const openScope = (opening: Opening): Scope => new RequestScope(opening)

class RequestFacts {
  readonly method: string
  readonly headers: Headers
  readonly path: string
  #id: string | undefined
  #ip: string | null | undefined

  constructor(
    { request, path }: Opening,
    private readonly trustedProxies: readonly string[],
  ) {
    this.method = request.method
    this.headers = request.headers
    this.path = path.slice(basePath.length)
  }
  get id(): string {
    return (this.#id ??= this.headers.get('cf-ray') ?? crypto.randomUUID())
  }
  get ip(): string | null {
    if (this.#ip === undefined) this.#ip = clientAddress(this.headers, this.trustedProxies)
    return this.#ip
  }
  get userAgent(): string {
    return (this.headers.get('user-agent') ?? '').slice(0, 512)
  }
}

class RequestScope implements Scope {
  readonly io = noIo()
  readonly now = now
  readonly settings: Settings
  readonly options: Readonly<Record<string, unknown>>
  readonly lifecycle: Lifecycle
  readonly env: Env
  readonly request: RequestFacts
  readonly #opening: Opening
  readonly #putOff: (() => Promise<unknown>)[] = []
  #connection: ReturnType<typeof openDatabase> | undefined
  #cookies: CookieJar | undefined
  #headers: Headers | undefined
  #records: OneTimeRecords | undefined
  #counters: Counters | undefined
  #kv: KeyValue | undefined
  #outside: Outside | undefined
  #log: Log | undefined
  #caller: Promise<Caller | null> | undefined

  constructor(opening: Opening) {
    const { settings, options, lifecycle } = opening.runtime
    this.#opening = opening
    this.settings = settings
    this.options = options
    this.lifecycle = lifecycle
    this.env = opening.env
    this.request = new RequestFacts(opening, requestOptions.of(this).trustedProxies)
  }

  get cookies(): CookieJar {
    return (this.#cookies ??= cookieJar(this.request.headers.get('cookie'), this))
  }
  get headers(): Headers {
    return (this.#headers ??= new Headers())
  }
  get db(): Database {
    return this.#database.db
  }
  get records(): OneTimeRecords {
    return (this.#records ??= oneTimeRecords(this.env.ONE_TIME, this.settings.secrets[0], this.io))
  }
  get counters(): Counters {
    return (this.#counters ??= counters(this.env.COUNTER, this.settings.secrets[0], this.io))
  }
  get kv(): KeyValue {
    return (this.#kv ??= keyValue(this.env.KV, this.io))
  }
  get outside(): Outside {
    return (this.#outside ??= outside(this.io))
  }
  get log(): Log {
    return (this.#log ??= logger(this.request.id))
  }

  after(work: Promise<unknown> | (() => Promise<unknown>)): void {
    if (typeof work === 'function') this.#putOff.push(work)
    else {
      const logged = work.catch((thrown) => this.log('error', 'afterwards-failed', { reason: reasonOf(thrown) }))
      this.#opening.context.waitUntil(logged)
    }
  }

  async later(work: () => Promise<void>): Promise<void> {
    const done = work()
    this.after(done)
    if (this.settings.environment === 'development') await done.catch(() => {})
  }

  mail(mail: Mail): Promise<void> {
    return this.#deliver(mail.to, () => this.#opening.runtime.sendMail(mail))
  }

  text(message: { to: string; text: string }): Promise<void> {
    return this.#deliver(message.to, () => this.#opening.runtime.sendText(message))
  }

  caller(): Promise<Caller | null> {
    return (this.#caller ??= this.#identify())
  }

  describeApi(): object {
    return this.#opening.runtime.describeApi()
  }

  answered(): void {
    // Whoever has written something reads at least that: their next read waits for a replica that has it.
    if (this.#readsReplicas && this.#connection && this.#opening.endpoint?.changes.length) {
      const written = this.#connection.bookmark()
      if (written) this.cookies.setSigned(bookmarkCookie, written, { maxAge: bookmarkLifetime })
    }
    for (const work of this.#putOff.splice(0)) this.after(work())
  }

  /** The cookies and headers that the request has given its answer. */
  dress(answer: Response): void {
    if (this.#cookies) for (const line of this.#cookies.lines()) answer.headers.append('set-cookie', line)
    if (this.#headers) for (const [name, value] of this.#headers) answer.headers.set(name, value)
    answer.headers.set('x-request-id', this.request.id)
  }

  get #readsReplicas(): boolean {
    return databaseOptions.of(this).readReplication
  }

  /** A replica may answer what shows the caller their own session; everything else reads the primary. */
  get #database(): ReturnType<typeof openDatabase> {
    if (!this.#connection) {
      const near = this.#readsReplicas && this.#opening.endpoint?.replica
      const from = near ? (this.cookies.getSigned(bookmarkCookie) ?? 'first-unconstrained') : 'first-primary'
      this.#connection = openDatabase(this.env.DB, this.io, from)
    }
    return this.#connection
  }

  /** Nobody's mailbox or telephone can be flooded through us, from whatever addresses. */
  #deliver(recipient: string, send: () => Promise<void>): Promise<void> {
    return this.later(async () => {
      const uncounted = counters(this.env.COUNTER, this.settings.secrets[0], noIo())
      const { allowed } = await uncounted.hit(`message:${recipient}`, messageRule)
      if (allowed) await send()
      else this.log('warn', 'message-not-sent', { reason: 'too many to one recipient' })
    })
  }

  async #identify(): Promise<Caller | null> {
    for (const step of this.lifecycle.identifying) {
      const caller = await step(this)
      if (caller) return caller
    }
    return null
  }
}
