import { cookieJar } from '../identity/cookie-jar.ts'
import type { Caller, Lifecycle, Scope } from '../identity/scope.ts'
import { basePath, type Settings } from '../identity/settings.ts'
import { defineOptions } from '../kit/options.ts'
import { newId } from '../kit/random.ts'
import { hours, minutes } from '../kit/time.ts'
import { clientAddress } from '../platform/client-address.ts'
import { now } from '../platform/clock.ts'
import { counters } from '../platform/counters.ts'
import { openDatabase } from '../platform/database.ts'
import type { Env } from '../platform/env.ts'
import { noIo } from '../platform/io.ts'
import { keyValue } from '../platform/kv.ts'
import { logger, reasonOf } from '../platform/log.ts'
import type { SendMail } from '../platform/mailer/mail.ts'
import { oneTimeRecords } from '../platform/one-time.ts'
import { outside } from '../platform/outside.ts'
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

/** Opens the scope of one request. Nothing is read yet. */
export function openScope(
  request: Request,
  env: Env,
  context: Pick<ExecutionContext, 'waitUntil'>,
  runtime: Runtime,
  endpoint?: Endpoint,
): Scope {
  const { settings, options, lifecycle } = runtime
  const { headers } = request
  const id = headers.get('cf-ray') ?? newId()
  const io = noIo()
  const secret = settings.secrets[0]
  const log = logger(id)
  const cookies = cookieJar(headers.get('cookie'), runtime)
  const replicas = databaseOptions.of({ options }).readReplication
  // A replica may answer what shows the caller their own session; everything else reads the primary.
  const from =
    replicas && endpoint?.replica ? (cookies.getSigned(bookmarkCookie) ?? 'first-unconstrained') : 'first-primary'
  const { db, bookmark } = openDatabase(env.DB, io, from)
  let caller: Promise<Caller | null> | undefined

  const putOff: (() => Promise<unknown>)[] = []
  const after: Scope['after'] = (work) => {
    if (typeof work === 'function') putOff.push(work)
    else context.waitUntil(work.catch((thrown) => log('error', 'afterwards-failed', { reason: reasonOf(thrown) })))
  }

  const later = async (work: () => Promise<void>) => {
    const done = work()
    after(done)
    if (settings.environment === 'development') await done.catch(() => {})
  }

  /** Nobody's mailbox or telephone can be flooded through us, from whatever addresses. */
  const deliver = (recipient: string, send: () => Promise<void>) =>
    later(async () => {
      const { allowed } = await counters(env.COUNTER, secret, noIo()).hit(`message:${recipient}`, messageRule)
      if (allowed) await send()
      else log('warn', 'message-not-sent', { reason: 'too many to one recipient' })
    })

  const scope: Scope = {
    request: {
      id,
      method: request.method,
      path: new URL(request.url).pathname.slice(basePath.length),
      headers,
      ip: clientAddress(headers, requestOptions.of({ options }).trustedProxies),
      userAgent: (headers.get('user-agent') ?? '').slice(0, 512),
    },
    settings,
    options,
    lifecycle,
    env,
    db,
    records: oneTimeRecords(env.ONE_TIME, secret, io),
    counters: counters(env.COUNTER, secret, io),
    kv: keyValue(env.KV, io),
    outside: outside(io),
    io,
    log,
    cookies,
    headers: new Headers(),
    now,
    after,
    answered: () => {
      // Whoever has written something reads at least that: their next read waits for a replica that has it.
      const written = replicas && endpoint?.changes.length && io.d1 > 0 ? bookmark() : null
      if (written) cookies.setSigned(bookmarkCookie, written, { maxAge: bookmarkLifetime })
      for (const work of putOff.splice(0)) after(work())
    },
    later,
    mail: (mail) => deliver(mail.to, () => runtime.sendMail(mail)),
    text: (message) => deliver(message.to, () => runtime.sendText(message)),
    describeApi: runtime.describeApi,
    caller: () => (caller ??= identify(scope)),
  }
  return scope
}

async function identify(scope: Scope): Promise<Caller | null> {
  for (const step of scope.lifecycle.identifying) {
    const caller = await step(scope)
    if (caller) return caller
  }
  return null
}
