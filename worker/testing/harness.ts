import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env as bindings } from 'cloudflare:workers'
import { createApp } from '../app.ts'
import { type Config, readConfig } from '../configuration/read-config.ts'
import { buildRuntime } from '../gatehouse.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { Feature } from '../http/feature.ts'
import { openScope, type Runtime } from '../http/open-scope.ts'
import { serverPath } from '../http/operations.ts'
import { type JobBatch, runQueued } from '../identity/jobs/dispatch.ts'
import type { Scope } from '../identity/scope.ts'
import { sessionOptions } from '../identity/sessions/sessions.config.ts'
import { basePath } from '../identity/settings.ts'
import { userOptions } from '../identity/users/users.config.ts'
import { mergeOptions } from '../kit/options.ts'
import type { Env } from '../platform/env.ts'
import { rowBudgetOf } from '../platform/io.ts'
import { clearMailbox, type MailboxEntry, readMailbox } from '../platform/mailer/mailbox.ts'
import { type ServerApi, serverApi } from '../rpc/rpc.ts'
import { servedFeatures } from '../rpc/served-features.ts'
import { runEachMinute, runScheduled } from '../scheduled.ts'
import { cheapHash } from './cheap-hash.ts'
import { config } from './config.ts'
import { deviations, endpointOf, openFields } from './contract.ts'
import { type Metered, metering } from './metering.ts'
import { refuseScans } from './plans.ts'

export const env = bindings as unknown as Env

/** The origin of the Worker under test. */
export const origin = 'http://localhost:8787'

export interface Answer<T = any> {
  status: number
  headers: Headers
  /** Parsed JSON; text for any other content type. */
  body: T
  /** The Set-Cookie lines. */
  cookies: string[]
  /** The I/O of the response: `[used, declared]` by kind. */
  io: Record<string, [used: number, declared: number]>
  /** The rows of D1 that were read and written before the response. */
  rows: { read: number; written: number }
}

export const outcome = ({ status, body }: Pick<Answer, 'status' | 'body'>) => ({ status, code: body?.code ?? null })

export interface CallOptions {
  headers?: Record<string, string>
  query?: Record<string, string>
  /** Whether to keep the cookies of the answer; default true. */
  keep?: boolean
}

/** A browser or device with its own address and cookie jar. */
export class Device {
  readonly jar = new Map<string, string>()
  /** Sent with every request, such as an API key. */
  headers: Record<string, string> = {}

  constructor(
    private readonly app: TestApp,
    readonly ip: string,
  ) {}

  get<T = any>(path: string, options: CallOptions = {}): Promise<Answer<T>> {
    return this.call('GET', path, undefined, options)
  }

  post<T = any>(path: string, body: unknown = {}, options: CallOptions = {}): Promise<Answer<T>> {
    return this.call('POST', path, body, options)
  }

  /** The other methods. */
  send<T = any>(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer<T>> {
    return this.call(method, path, body, options)
  }

  /** One of the jar's cookies by its short name, decoded. */
  cookie(name: string): string | undefined {
    const value = this.jar.get(`gatehouse.${name}`)
    return value === undefined ? undefined : decodeURIComponent(value)
  }

  private async call(method: string, path: string, body: unknown, options: CallOptions): Promise<Answer> {
    const url = new URL(
      path.startsWith('http')
        ? path
        : `${origin}${path.startsWith('/api/') || path.startsWith('/dev/') ? '' : basePath}${path}`,
    )
    for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.set(name, value)
    // As programs call: a GET uses a mailed link (http/mailed-link.ts).
    const headers = new Headers({
      'cf-connecting-ip': this.ip,
      'user-agent': 'harness/1.0',
      accept: 'application/json',
    })
    // A browser also sends it to open a WebSocket.
    const sendsOrigin = method !== 'GET' || this.app.opensSocket(url.pathname)
    if (sendsOrigin && !url.pathname.startsWith(serverPath)) headers.set('origin', origin)
    if (this.jar.size > 0) headers.set('cookie', [...this.jar].map(([name, value]) => `${name}=${value}`).join('; '))
    if (body !== undefined && typeof body !== 'string') headers.set('content-type', 'application/json')
    for (const [name, value] of Object.entries({ ...this.headers, ...options.headers })) {
      if (value === '') headers.delete(name)
      else headers.set(name, value)
    }
    const answer = await this.app.fetch(
      new Request(url, {
        method,
        headers,
        redirect: 'manual',
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    )
    if (options.keep !== false) this.keep(answer.cookies)
    return answer
  }

  private keep(lines: string[]): void {
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split('; ')
      const name = pair.slice(0, pair.indexOf('='))
      if (attributes.some((attribute) => attribute.toLowerCase() === 'max-age=0')) this.jar.delete(name)
      else this.jar.set(name, pair.slice(pair.indexOf('=') + 1))
    }
  }
}

let addresses = 0
const nextAddress = () => `100.64.${Math.floor(++addresses / 250)}.${(addresses % 250) + 1}`

/** Whether the response of a sign-in continues a pending authorization request of this browser. */
const isSentOn = (body: unknown): boolean =>
  JSON.stringify(Object.keys(body ?? {})) === '["redirect","url"]' &&
  /^\/api\/auth\/(oauth2|mcp)\/authorize\?/.test((body as { url: string }).url)

/** The whole application in workerd, with real bindings and the configuration of the test. */
export class TestApp {
  private readonly app: ReturnType<typeof createApp>
  private readonly env: Env
  private readonly runtime: Runtime
  private readonly features: readonly Feature[]
  /** @param budgets whether a request fails that exceeds the budget of its endpoint; off where faults cost more */
  constructor(
    changes: Config = {},
    environment: Partial<Env> = {},
    private readonly budgets = true,
  ) {
    this.env = { ...env, ...environment } as Env
    const cheap: Config = {
      // The tests of a file share an isolate.
      account: { passwordHash: cheapHash, hashesPerMinute: 1_000_000 },
      // Most passwords of tests are common ones. Tests of this rule set the option.
      emailAndPassword: { commonPasswords: 'allow' },
    }
    const configuration = readConfig(mergeOptions(mergeOptions(config, cheap), changes), this.env)
    this.runtime = buildRuntime(configuration, this.env)
    this.app = createApp(this.runtime, this.env)
    this.features = servedFeatures(configuration.options)
  }

  /** Whether a path answers with a WebSocket. */
  opensSocket(pathname: string): boolean {
    return endpointOf(this.features, 'GET', pathname)?.answer === 'socket'
  }

  /** Another device with an unused address, because limits in the isolate's memory outlive a test. */
  device(ip = nextAddress()): Device {
    return new Device(this, ip)
  }

  /** Sends a request, waits for its deferred work, and fails if it exceeds the budget of its endpoint. */
  async fetch(request: Request): Promise<Answer> {
    const context = createExecutionContext()
    const { bound, ran } = this.meteredEnv()
    const response = await this.app.fetch(request, bound, context)
    const rows = rowsOf(ran)
    const text = await response.text()
    await waitOnExecutionContext(context)
    await refuseScans(env.DB, ran)
    let body: unknown = text
    if (text && /[/+]json/.test(response.headers.get('content-type') ?? '')) body = JSON.parse(text)
    this.refuseDeviations(request, response, body)
    const io = readServerTiming(response.headers.get('server-timing'))
    for (const [kind, [used, declared]] of Object.entries(io)) {
      if (this.budgets && used > declared && response.status !== 404) {
        throw new Error(`${request.method} ${request.url}: ${used} × ${kind}, declared ${declared}`)
      }
    }
    const endpoint = endpointOf(this.features, request.method, new URL(request.url).pathname)
    if (this.budgets && endpoint) refuseRows(request, rows, rowBudgetOf(endpoint.budget))
    return {
      ...{
        status: response.status,
        headers: response.headers,
        body,
        cookies: response.headers.getSetCookie(),
        io,
        rows,
      },
    }
  }

  /** Notes what its statements cost. What replaces D1 in a test reports nothing. */
  private meteredEnv(): { bound: Env; ran: Metered[] } {
    const ran: Metered[] = []
    const isReal = this.env.DB === env.DB
    return { bound: isReal ? { ...this.env, DB: metering(env.DB, (one) => ran.push(one)) } : this.env, ran }
  }

  /** The response of a request, such as one that opens a WebSocket, after its deferred work. */
  async respond(request: Request): Promise<Response> {
    const context = createExecutionContext()
    const response = await this.app.fetch(request, this.env, context)
    await waitOnExecutionContext(context)
    return response
  }

  /** A success matches the contract exactly, and an error is one of its declared ones. */
  private refuseDeviations(request: Request, { status, headers }: Response, body: unknown): void {
    const { pathname } = new URL(request.url)
    const endpoint = endpointOf(this.features, request.method, pathname)
    if (!endpoint || typeof endpoint.answer === 'string' || status >= 300 || isSentOn(body)) return
    if (endpoint.orElse?.includes('page') && headers.get('content-type')?.startsWith('text/html')) return
    const open = openFields(
      this.runtime.lifecycle,
      userOptions.of(this.runtime).additionalFields,
      sessionOptions.of(this.runtime).additionalFields,
    )
    const found = deviations(endpoint.answer, body, open)
    if (found.length > 0)
      throw new Error(`${request.method} ${pathname} answers against its contract: ${found.join('; ')}`)
  }

  /** A scope of a request without a session. `settle` ends it, waits for all deferred work and checks its statements. */
  openScope(endpoint?: Endpoint): { scope: Scope; settle(): Promise<void> } {
    const context = createExecutionContext()
    const request = new Request(origin)
    const { bound, ran } = this.meteredEnv()
    const scope = openScope({ request, path: '', env: bound, context, runtime: this.runtime, endpoint })
    const settle = async () => {
      scope.answered()
      await waitOnExecutionContext(context)
      await refuseScans(env.DB, ran)
    }
    return { scope, settle }
  }

  /** The server API for the deployment's other Workers. It does not wait for deferred work. */
  serverApi(): ServerApi {
    return new (serverApi(this.runtime))(createExecutionContext(), this.env)
  }

  /** Runs the consumer of the queue with these messages. */
  async runQueue(messages: readonly { jobs: readonly string[] }[]): Promise<void> {
    const { scope, settle } = this.openScope()
    await runQueued(scope, { messages: messages.map((body) => ({ body })) as unknown as JobBatch['messages'] })
    await settle()
  }

  /** Runs the cron trigger and waits for all deferred work. */
  async runScheduled(): Promise<void> {
    const { scope, settle } = this.openScope()
    await runScheduled(scope)
    await settle()
  }

  /** Runs the cron trigger of each minute. */
  async runEachMinute(): Promise<void> {
    const { scope, settle } = this.openScope()
    await runEachMinute(scope)
    await settle()
  }

  /** Every message except the notices of security events, which nearly every change of an account causes. */
  async mailbox(): Promise<MailboxEntry[]> {
    return (await readMailbox(this.env.KV)).filter((entry) => !this.isNotice(entry))
  }

  /** The notices of security events, newest first. */
  async notices(): Promise<MailboxEntry[]> {
    return (await readMailbox(this.env.KV)).filter((entry) => this.isNotice(entry))
  }

  private isNotice({ subject, text }: MailboxEntry): boolean {
    return (subject || text).startsWith(`${this.runtime.brand.name}: `)
  }

  clearMailbox(): Promise<void> {
    return clearMailbox(this.env.KV)
  }

  /** The first link of the newest message to an address. */
  async linkTo(address: string): Promise<string> {
    const entry = (await this.mailbox()).find(({ to }) => to === address)
    if (!entry?.links[0]) throw new Error(`no message with a link to ${address}`)
    return entry.links[0]
  }
}

function refuseRows({ method, url }: Request, used: Answer['rows'], declared: Answer['rows']): void {
  for (const kind of ['read', 'written'] as const) {
    if (used[kind] > declared[kind])
      throw new Error(`${method} ${url}: ${used[kind]} rows of D1 ${kind}, declared ${declared[kind]}`)
  }
}

const rowsOf = (ran: readonly Metered[]): Answer['rows'] => ({
  read: ran.reduce((sum, { read }) => sum + read, 0),
  written: ran.reduce((sum, { written }) => sum + written, 0),
})

function readServerTiming(header: string | null): Answer['io'] {
  const io: Answer['io'] = {}
  for (const [, kind, used, declared] of (header ?? '').matchAll(/(\w+);desc="(\d+)\/(\d+)"/g)) {
    io[kind!] = [Number(used), Number(declared)]
  }
  return io
}
