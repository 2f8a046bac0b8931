/**
 * Tests of a product that uses Gatehouse: users, sessions, mails and the clock of a Worker that runs in development with
 * TESTING=on. It runs in Node, in browsers' test runners and in workerd, and only uses `fetch`.
 */

import type { AccountTypes, AnyAccounts, OrganizationRoleOf, RoleOf } from '../../worker/kit/account-types.ts'

export interface GatehouseTestingOptions {
  /** The origin of the Worker. @default 'http://localhost:8787' */
  url?: string
  /** How requests reach the Worker, such as `exports.default.fetch` inside workerd. @default the global `fetch` */
  fetch?(request: Request): Promise<Response>
  /** Maximum time (ms) that lastMail, lastCode and lastLink wait for a message. @default 5000 */
  timeout?: number
}

export interface NewTestUser<P extends AccountTypes = AnyAccounts> {
  /** @default 'Test User' */
  name?: string
  /** @default an unused address at example.com */
  email?: string
  /** @default a random one, which the result contains */
  password?: string
  /** @default true */
  emailVerified?: boolean
  /** A role of `admin.roles`, or several. @default the role of a sign-up */
  role?: RoleOf<P> | readonly RoleOf<P>[]
  /** Adds an authenticator app as the second factor. @default false */
  twoFactor?: boolean
  /** Values of `user.additionalFields`, and the inputs of other features at a sign-up, such as `username`. */
  fields?: Record<string, unknown>
}

export interface TestUser {
  id: string
  name: string
  email: string
  password: string
  /** The second factor; null without one. */
  twoFactor: TestSecondFactor | null
}

export interface TestSecondFactor {
  /** The `otpauth:` address that an authenticator app scans. */
  totpURI: string
  backupCodes: string[]
  /** The current code of the authenticator app, by the clock of the Worker. Each code is valid once. */
  code(): Promise<string>
}

export interface NewTestOrganization<P extends AccountTypes = AnyAccounts> {
  name: string
  /** @default the name in lower case with a random ending */
  slug?: string
  owner: { id: string }
  members?: { user: { id: string }; role: OrganizationRoleOf<P> | readonly OrganizationRoleOf<P>[] }[]
}

export interface TestOrganization {
  id: string
  name: string
  slug: string
}

/** A cookie for `context.addCookies` of Playwright. */
export interface TestCookie {
  name: string
  value: string
  url: string
  httpOnly: boolean
  secure: boolean
  sameSite: 'Lax' | 'Strict' | 'None'
  /** In s since 1970; absent: until the browser ends. */
  expires?: number
}

export interface TestSession {
  userId: string
  /** For `context.addCookies` of Playwright. */
  cookies: TestCookie[]
  /** For `fetch`: the cookies, and the origin that a POST with cookies needs. */
  headers: { cookie: string; origin: string }
  /** For `Authorization: Bearer`; null if bearer tokens are off. */
  token: string | null
}

/** A mail or a text message. */
export interface TestMail {
  id: string
  channel: 'email' | 'sms'
  to: string
  /** Empty for a text message, like `html`. */
  subject: string
  text: string
  html: string
  /** ISO 8601. */
  sentAt: string
  links: string[]
  /** One-time codes of 4 to 8 digits. */
  codes: string[]
}

export interface TestClock {
  /** Stops the clock of the Worker at a time; without one, now. @returns the time of the Worker */
  freeze(at?: Date | string): Promise<Date>
  /** Moves the clock forward by seconds. @returns the time of the Worker */
  advance(seconds: number): Promise<Date>
  /** Returns to the clock of the machine. */
  resume(): Promise<void>
}

export interface GatehouseTesting<P extends AccountTypes = AnyAccounts> {
  /** Creates a user. The hooks of a sign-up run; no mail is sent. */
  createUser(user?: NewTestUser<P>): Promise<TestUser>
  /** Creates an organization with its owner and members, without invitations. */
  createOrganization(organization: NewTestOrganization<P>): Promise<TestOrganization>
  /**
   * Creates a session of a user, without a form and after every factor. Bans and hooks can refuse it.
   * @param options `organization` becomes the active one
   */
  signIn(user: { id: string }, options?: { organization?: { id: string } }): Promise<TestSession>
  /**
   * The newest message to an address or phone number that no earlier call has returned. It waits for one.
   * @throws TestingError after the timeout
   */
  lastMail(to: string): Promise<TestMail>
  /** The code of the newest message with one, like lastMail. */
  lastCode(to: string): Promise<string>
  /** The first link of the newest message with one, like lastMail. */
  lastLink(to: string): Promise<string>
  clock: TestClock
  /**
   * Sends the webhooks that a billing simulator (gatehouse-auth/testing/billing) has not sent itself.
   * @param origin of the simulator @returns the number of webhooks
   */
  deliverBilling(origin: string): Promise<number>
  /** Deletes all users, organizations, sessions and mails, and returns to the clock of the machine. */
  reset(): Promise<void>
}

/** The Worker refused a call, or does not run for tests. */
export class TestingError extends Error {
  override name = 'TestingError'
}

const fromBase32 = (text: string): Uint8Array<ArrayBuffer> => {
  const bits = [...text.replace(/={1,6}$/, '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Uint8Array.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** RFC 6238. @param now in ms */
async function totp(totpURI: string, now: number): Promise<string> {
  const { searchParams } = new URL(totpURI)
  const period = Number(searchParams.get('period') ?? 30)
  const digits = Number(searchParams.get('digits') ?? 6)
  const message = new DataView(new ArrayBuffer(8))
  message.setBigUint64(0, BigInt(Math.floor(now / 1000 / period)))
  const algorithm = { name: 'HMAC', hash: 'SHA-1' }
  const secret = fromBase32(searchParams.get('secret') ?? '')
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign'])
  const mac = new DataView(await crypto.subtle.sign('HMAC', key, message))
  const offset = mac.getUint8(19) & 15
  return String((mac.getUint32(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0')
}

const random = (length: number): string =>
  [...crypto.getRandomValues(new Uint8Array(length))].map((byte) => (byte % 36).toString(36)).join('')

const sameSites = { lax: 'Lax', strict: 'Strict', none: 'None' } as const

/** A Set-Cookie line; null if it deletes the cookie. */
function readCookie(line: string, url: string): TestCookie | null {
  const [pair = '', ...attributes] = line.split('; ')
  const attribute = (name: string) =>
    attributes.find((one) => one.toLowerCase().split('=')[0] === name)?.slice(name.length + 1)
  const maxAge = attribute('max-age')
  if (maxAge === '0') return null
  return {
    name: pair.slice(0, pair.indexOf('=')),
    value: pair.slice(pair.indexOf('=') + 1),
    url,
    httpOnly: attribute('httponly') !== undefined,
    secure: attribute('secure') !== undefined,
    sameSite: sameSites[(attribute('samesite') ?? 'lax').toLowerCase() as keyof typeof sameSites],
    ...(maxAge === undefined ? {} : { expires: Math.floor(Date.now() / 1000) + Number(maxAge) }),
  }
}

/**
 * The Worker of a product under test. It must run on this machine, in development and with the variable TESTING=on;
 * production refuses this variable at start, and every call fails with any other Worker.
 * @throws TestingError, from every method
 */
export function gatehouseTesting<P extends AccountTypes = AnyAccounts>(
  options: GatehouseTestingOptions = {},
): GatehouseTesting<P> {
  const url = (options.url ?? 'http://localhost:8787').replace(/\/$/, '')
  const { timeout = 5000 } = options
  const read = new Set<string>()

  /** Looked up for each call: tests replace the global function. */
  const send = (path: string, method: string, headers: Record<string, string>, body?: string) =>
    (options.fetch ?? fetch)(
      new Request(url + path, { method, headers, redirect: 'manual', ...(body === undefined ? {} : { body }) }),
    )

  async function call(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
    const answer = await send(path, 'POST', { 'content-type': 'application/json', ...headers }, JSON.stringify(body))
    if (answer.ok) return answer
    const text = await answer.text()
    const code = /"code":"([A-Z_]+)"/.exec(text)?.[1] ?? 'NOT_FOUND'
    if (answer.status === 404 && code === 'NOT_FOUND') {
      throw new TestingError(
        `${url} is not a Gatehouse Worker for tests. Start it on this machine with ENVIRONMENT=development and TESTING=on.`,
      )
    }
    throw new TestingError(`${path}: ${answer.status} ${text}`)
  }

  const operate = async <T>(name: string, input: object): Promise<T> =>
    (await call(`/dev/testing/${name}`, input)).json() as Promise<T>

  const clock = async (change: object): Promise<Date> => new Date((await operate<{ now: string }>('clock', change)).now)

  async function signIn(user: { id: string }, more: { organization?: { id: string } } = {}): Promise<TestSession> {
    const answer = await call('/dev/testing/sessions', { userId: user.id })
    const token = answer.headers.get('set-auth-token')
    const jar = new Map<string, TestCookie>()
    const keep = ({ headers }: Response) => {
      for (const line of headers.getSetCookie()) {
        const cookie = readCookie(line, url)
        if (cookie) jar.set(cookie.name, cookie)
      }
    }
    const headers = () => ({
      cookie: [...jar.values()].map(({ name, value }) => `${name}=${value}`).join('; '),
      origin: url,
    })
    keep(answer)
    if (more.organization) {
      keep(await call('/api/auth/organization/set-active', { organizationId: more.organization.id }, headers()))
    }
    return { userId: user.id, cookies: [...jar.values()], headers: headers(), token }
  }

  /** The previous code confirms the set-up, so that the current one is unused. */
  async function addSecondFactor(user: { id: string }, password: string): Promise<TestSecondFactor> {
    const { headers } = await signIn(user)
    const enabled = await call('/api/auth/two-factor/enable', { password }, headers)
    const { totpURI, backupCodes } = (await enabled.json()) as { totpURI: string; backupCodes: string[] }
    const now = async () => (await clock({ advance: 0 })).getTime()
    const code = await totp(totpURI, (await now()) - 30_000)
    await call('/api/auth/two-factor/verify-totp', { code }, headers)
    return { totpURI, backupCodes, code: async () => totp(totpURI, await now()) }
  }

  async function mailWith(to: string, has: (mail: TestMail) => boolean, what: string): Promise<TestMail> {
    const end = performance.now() + timeout
    for (;;) {
      const answer = await send('/dev/mailbox.json', 'GET', {})
      if (!answer.ok) throw new TestingError(`${url} has no mailbox. Start it with ENVIRONMENT=development.`)
      const unread = ((await answer.json()) as TestMail[]).filter((mail) => mail.to === to && !read.has(mail.id))
      const at = unread.findIndex(has)
      if (at >= 0) {
        for (const { id } of unread.slice(at)) read.add(id)
        return unread[at]!
      }
      if (performance.now() >= end) throw new TestingError(`no message with ${what} to ${to} within ${timeout} ms`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  return {
    async createUser(wanted = {}) {
      const { name = 'Test User', email = `user-${random(12)}@example.com`, twoFactor = false, ...more } = wanted
      const password = wanted.password ?? `Test-${random(20)}`
      const { id } = await operate<{ id: string }>('users', { ...more, name, email, password })
      const factor = twoFactor ? await addSecondFactor({ id }, password) : null
      return { id, name, email: email.toLowerCase(), password, twoFactor: factor }
    },
    createOrganization({ name, slug, owner, members = [] }) {
      const ending = random(8)
      const plain = name
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '')
      return operate('organizations', {
        name,
        slug: slug ?? `${plain || 'organization'}-${ending}`,
        ownerId: owner.id,
        members: members.map(({ user, role }) => ({ userId: user.id, role })),
      })
    },
    signIn,
    lastMail: (to) => mailWith(to, () => true, 'any text'),
    lastCode: async (to) => (await mailWith(to, ({ codes }) => codes.length > 0, 'a code')).codes[0]!,
    lastLink: async (to) => (await mailWith(to, ({ links }) => links.length > 0, 'a link')).links[0]!,
    clock: {
      freeze: (at) => clock({ stopAt: at === undefined ? null : new Date(at).toISOString() }),
      advance: (seconds) => clock({ advance: seconds }),
      async resume() {
        await clock({ resume: true })
      },
    },
    async deliverBilling(origin) {
      const pending = (await (await fetch(`${origin}/testing/webhooks`, { method: 'POST' })).json()) as {
        headers: Record<string, string>
        body: string
      }[]
      for (const { headers, body } of pending) {
        const answer = await send('/api/auth/polar/webhooks', 'POST', headers, body)
        if (!answer.ok) throw new TestingError(`the webhook of the billing simulator: ${answer.status}`)
      }
      return pending.length
    },
    async reset() {
      await operate('reset', {})
      read.clear()
    },
  }
}
