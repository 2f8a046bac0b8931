import { describe, expect, it, vi } from 'vitest'
import { createAuthClient } from './client.ts'

interface Call {
  url: string
  init: RequestInit
}

function answering(...answers: (Response | Error)[]) {
  const calls: Call[] = []
  const fetch = (async (url: string, init: RequestInit) => {
    calls.push({ url, init })
    const next = answers.length > 1 ? answers.shift() : answers[0]
    if (next instanceof Error) throw next
    return (next ?? json({})).clone()
  }) as unknown as typeof globalThis.fetch
  return { fetch, calls }
}

const json = (body: unknown, init: ResponseInit = {}) =>
  new Response(body === undefined ? null : JSON.stringify(body), {
    headers: { 'content-type': 'application/json' },
    ...init,
  })

const settled = () => vi.waitFor(() => undefined)

describe('the request', () => {
  it('spells a chain of names as a path below the base URL', async () => {
    const { fetch, calls } = answering(json({}))
    await createAuthClient({ fetch, baseURL: () => 'https://a.example/auth' }).$fetch('/x')
    await createAuthClient({ fetch }).signIn.email({ email: 'a@b.c', password: 'secret-secret' })
    expect(calls.map((call) => call.url)).toEqual(['https://a.example/auth/x', '/api/auth/sign-in/email'])
  })

  it('sends credentials, and a body as JSON', async () => {
    const { fetch, calls } = answering(json({}))
    await createAuthClient({ fetch }).signIn.email({ email: 'a@b.c', password: 'secret-secret' })
    expect(calls[0]?.init).toMatchObject({
      method: 'POST',
      credentials: 'include',
      body: '{"email":"a@b.c","password":"secret-secret"}',
    })
    expect(new Headers(calls[0]?.init.headers).get('content-type')).toBe('application/json')
  })

  it('takes the method from the table, then from the caller, then from the body', async () => {
    const { fetch, calls } = answering(json({}))
    const client = createAuthClient({ fetch })
    await client.signOut()
    await client.listSessions()
    await client.revokeSession({ token: 't' })
    await client.$fetch('/two-factor/send-otp')
    await client.$fetch('/organization/list', {}, { method: 'POST' })
    await client.$fetch('/somewhere', {}, { method: 'put' })
    expect(calls.map((call) => call.init.method)).toEqual(['POST', 'GET', 'POST', 'POST', 'GET', 'PUT'])
    expect(calls[0]?.init.body).toBe('{}')
    expect(calls[1]?.init.body).toBeUndefined()
  })

  it('writes the query into the URL without missing values', async () => {
    const { fetch, calls } = answering(json(null))
    await createAuthClient({ fetch }).getSession({ query: { disableRefresh: true, disableCookieCache: undefined } })
    expect(calls[0]?.url).toBe('/api/auth/get-session?disableRefresh=true')
    expect(calls[0]?.init.method).toBe('GET')
  })
})

describe('the answer', () => {
  it('turns dates into Date, at any depth', async () => {
    const { fetch } = answering(json([{ createdAt: '2026-01-02T03:04:05.678Z', userAgent: '2026' }]))
    const { data } = await createAuthClient({ fetch }).listSessions()
    expect(data?.[0]?.createdAt).toEqual(new Date('2026-01-02T03:04:05.678Z'))
    expect(data?.[0]?.userAgent).toBe('2026')
  })

  it('is null for an empty body', async () => {
    const { fetch } = answering(new Response(null, { status: 200 }))
    expect(await createAuthClient({ fetch }).signOut()).toEqual({ data: null, error: null })
  })

  it('carries the body, the status and its text in an error', async () => {
    const body = { code: 'INVALID_EMAIL', message: 'Invalid email' }
    const { fetch } = answering(json(body, { status: 400, statusText: 'Bad Request' }))
    const { data, error } = await createAuthClient({ fetch }).changeEmail({ newEmail: 'x' })
    expect(data).toBeNull()
    expect(error).toEqual({ ...body, status: 400, statusText: 'Bad Request' })
  })

  it('reads JSON under text/plain and the seconds of X-Retry-After', async () => {
    const { fetch } = answering(
      new Response('{"message":"Too many requests. Please try again later."}', {
        status: 429,
        headers: { 'content-type': 'text/plain;charset=UTF-8', 'x-retry-after': '7' },
      }),
    )
    const { error } = await createAuthClient({ fetch }).signOut()
    expect(error).toMatchObject({ status: 429, retryAfter: 7, message: 'Too many requests. Please try again later.' })
  })

  it('is status 0 when nothing answered', async () => {
    const { fetch } = answering(new TypeError('fetch failed'))
    expect(await createAuthClient({ fetch }).signOut()).toEqual({ data: null, error: { status: 0, statusText: '' } })
  })

  it('is the data itself, or an exception, with fetchOptions.throw', async () => {
    const { fetch } = answering(json({ status: true }), json({ code: 'NO' }, { status: 400 }))
    const client = createAuthClient({ fetch })
    expect(await client.signOut({ fetchOptions: { throw: true } })).toEqual({ status: true })
    await expect(client.signOut({ fetchOptions: { throw: true } })).rejects.toMatchObject({ code: 'NO', status: 400 })
  })
})

describe('where an answer leads', () => {
  it('follows a URL only if the response contains redirect', async () => {
    const { fetch } = answering(json({ url: '/a', redirect: false }), json({ url: '/b', redirect: true }))
    const navigate = vi.fn()
    const client = createAuthClient({ fetch, navigate })
    await client.signIn.email({ email: 'a@b.c', password: 'secret-secret' })
    expect(navigate).not.toHaveBeenCalled()
    await client.signIn.email({ email: 'a@b.c', password: 'secret-secret' })
    expect(navigate).toHaveBeenCalledExactlyOnceWith('/b')
  })
})

describe('what a call makes out of date', () => {
  const cases: [path: string, signals: string[]][] = [
    ['/sign-in/email', ['session']],
    ['/sign-up/email', ['session']],
    ['/sign-out', ['session']],
    ['/update-user', ['session']],
    ['/delete-user', ['session']],
    ['/verify-email', ['session']],
    ['/two-factor/verify-totp', ['session']],
    ['/phone-number/verify', ['session']],
    ['/multi-session/set-active', ['session']],
    ['/multi-session/revoke', ['session']],
    ['/passkey/verify-authentication', ['session']],
    ['/passkey/verify-registration', ['passkeys']],
    ['/passkey/update-passkey', ['passkeys']],
    ['/passkey/delete-passkey', ['passkeys']],
    ['/sign-up/passkey', ['passkeys', 'session']],
    ['/passkey/list-user-passkeys', []],
    ['/one-time-token/verify', []],
    ['/usage/ingest', []],
    ['/magic-link/verify', ['session']],
    ['/one-tap/callback', ['session']],
    ['/sign-in/anonymous', ['session']],
    ['/organization/create', ['activeMember', 'activeOrganization', 'organizations', 'session']],
    ['/organization/update', ['activeOrganization', 'organizations']],
    ['/organization/delete', ['activeMember', 'activeOrganization', 'organizations', 'session']],
    ['/organization/accept-invitation', ['activeMember', 'activeOrganization', 'organizations', 'session']],
    ['/organization/leave', ['activeMember', 'activeOrganization', 'organizations', 'session']],
    ['/organization/invite-member', ['activeOrganization']],
    ['/organization/set-active', ['activeMember', 'activeOrganization', 'session']],
    ['/organization/update-member-role', ['activeMember', 'activeOrganization']],
    ['/organization/has-permission', []],
    ['/organization/list', []],
    ['/list-sessions', []],
    ['/revoke-session', ['session']],
    ['/send-verification-email', []],
    ['/somewhere', []],
  ]

  it.each(cases)('%s: %j', async (path, signals) => {
    const { fetch } = answering(json({}))
    const client = createAuthClient({ fetch })
    const heard: string[] = []
    client.$onChange((changed) => heard.push(...changed))
    await client.$fetch(path, { some: 'body' })
    expect(heard.sort()).toEqual(signals)
  })

  it('is nothing after a failure, but for a session that has ended', async () => {
    const { fetch } = answering(
      json({ code: 'INVALID_EMAIL_OR_PASSWORD' }, { status: 401 }),
      json({ code: 'UNAUTHORIZED' }, { status: 401 }),
      new Response(null, { status: 401 }),
    )
    const client = createAuthClient({ fetch })
    const heard: string[] = []
    client.$onChange((changed) => heard.push(...changed))
    await client.signIn.email({ email: 'a@b.c', password: 'x' })
    expect(heard).toEqual([])
    await client.updateUser({ name: 'x' })
    expect(heard).toEqual(['session'])
    await client.updateUser({ name: 'x' })
    expect(heard).toEqual(['session', 'session'])
  })
})

describe('a device-bound session without a current proof', () => {
  const late = json({ code: 'SESSION_KEY_REQUIRED' }, { status: 401 })

  it('is asked again once: the browser renews its proof before the second request', async () => {
    const { fetch, calls } = answering(late.clone(), json([]))
    const client = createAuthClient({ fetch })
    expect(await client.listSessions()).toEqual({ data: [], error: null })
    expect(calls).toHaveLength(2)
  })

  it('of a browser that has lost its key has ended for the pages', async () => {
    const answers = Array.from({ length: 4 }, () => late.clone())
    const { fetch, calls } = answering(...answers)
    const client = createAuthClient({ fetch })
    const heard: string[] = []
    client.$onChange((changed) => heard.push(...changed))
    expect((await client.listSessions()).error).toMatchObject({ status: 401, code: 'SESSION_KEY_REQUIRED' })
    expect({ calls: calls.length, heard }).toEqual({ calls: 4, heard: ['session'] })
    expect(client.$session.get().data).toBeNull()
  })
})

describe('an operation that requires a recent authentication', () => {
  const stale = json({ code: 'SESSION_IS_NOT_FRESH', methods: ['password'] }, { status: 403 })

  it('is sent again after the step-up, and its promise resolves with the second answer', async () => {
    const { fetch, calls } = answering(stale, json({ status: true }))
    const asked: unknown[] = []
    const client = createAuthClient({ fetch, onSessionNotFresh: async ({ methods }) => asked.push(methods) > 0 })
    expect(await client.changeEmail({ newEmail: 'new@b.c' })).toEqual({ data: { status: true }, error: null })
    expect(asked).toEqual([['password']])
    expect(calls.map(({ url, init }) => [url, init.body])).toEqual(
      [0, 1].map(() => ['/api/auth/change-email', '{"newEmail":"new@b.c"}']),
    )
  })

  it('returns the rejection if the step-up is canceled or has no dialog', async () => {
    for (const onSessionNotFresh of [async () => false, undefined]) {
      const { fetch, calls } = answering(stale)
      const { error } = await createAuthClient({ fetch, onSessionNotFresh }).changeEmail({ newEmail: 'new@b.c' })
      expect(error).toMatchObject({ status: 403, code: 'SESSION_IS_NOT_FRESH' })
      expect(calls).toHaveLength(1)
    }
  })

  it('is sent again only once, and only for this refusal', async () => {
    let asked = 0
    const onSessionNotFresh = async () => {
      asked += 1
      return true
    }
    const twice = answering(stale)
    const { error } = await createAuthClient({ fetch: twice.fetch, onSessionNotFresh }).changeEmail({
      newEmail: 'x@b.c',
    })
    expect({ code: error?.code, requests: twice.calls.length, asked }).toEqual({
      code: 'SESSION_IS_NOT_FRESH',
      requests: 2,
      asked: 1,
    })
    const other = answering(json({ code: 'FORBIDDEN' }, { status: 403 }))
    await createAuthClient({ fetch: other.fetch, onSessionNotFresh }).changeEmail({ newEmail: 'x@b.c' })
    expect({ requests: other.calls.length, asked }).toEqual({ requests: 1, asked: 1 })
  })
})

describe('the session view', () => {
  it('loads on the first look, and again after a call that changes it', async () => {
    const { fetch, calls } = answering(json(null))
    const client = createAuthClient({ fetch })
    expect(calls).toHaveLength(0)
    const states: boolean[] = []
    client.$session.subscribe(() => states.push(client.$session.get().isRefetching))
    await vi.waitFor(() => expect(client.$session.get().isPending).toBe(false), { timeout: 30_000 })
    await client.signOut()
    await vi.waitFor(() => expect(client.$session.get().isRefetching).toBe(false), { timeout: 30_000 })
    expect(calls.map((call) => call.url)).toEqual([
      '/api/auth/get-session',
      '/api/auth/sign-out',
      '/api/auth/get-session',
    ])
    expect(states).toEqual([true, false, true, false])
  })

  it.each([
    'UNAUTHORIZED',
    'NOT_AUTHENTICATED',
    'UNAUTHORIZED_OR_INVALID_SESSION',
    'YOU_MUST_BE_LOGGED_IN_TO_CHECKOUT',
  ])('ends with a 401 that has the code %s, past the cookie cache', async (code) => {
    const session = { session: { id: 's' }, user: { id: 'u' } }
    const { fetch, calls } = answering(json(session), json({ code }, { status: 401 }), json(null))
    const client = createAuthClient({ fetch })
    client.$session.subscribe(() => undefined)
    await vi.waitFor(() => expect(client.$session.get().data).toEqual(session), { timeout: 30_000 })
    await client.listSessions()
    await vi.waitFor(() => expect(client.$session.get().data).toBeNull(), { timeout: 30_000 })
    expect(calls[2]?.url).toBe('/api/auth/get-session?disableCookieCache=true&disableRefresh=true')
  })

  it('does not load without a subscriber', async () => {
    const { fetch, calls } = answering(json(null))
    const client = createAuthClient({ fetch })
    await client.signOut()
    await settled()
    expect(calls).toHaveLength(1)
  })

  it('keeps the last good answer when a refresh fails', async () => {
    const session = { session: { id: 's' }, user: { id: 'u' } }
    const { fetch } = answering(json(session), new TypeError('offline'))
    const view = createAuthClient({ fetch }).$session
    view.subscribe(() => undefined)
    await vi.waitFor(() => expect(view.get().data).toEqual(session), { timeout: 30_000 })
    await view.refetch()
    expect(view.get()).toMatchObject({ data: session, error: { status: 0 }, isPending: false })
  })

  it('does not let an old answer overwrite a newer one', async () => {
    const waiting: ((response: Response) => void)[] = []
    const fetch = (() => new Promise((done) => waiting.push(done))) as unknown as typeof globalThis.fetch
    const view = createAuthClient({ fetch }).$session
    const first = view.refetch()
    const second = view.refetch()
    waiting[1]?.(json({ user: { id: 'new' } }))
    await second
    waiting[0]?.(json({ user: { id: 'old' } }))
    await first
    expect(view.get().data).toEqual({ user: { id: 'new' } })
  })
})

describe('the session', () => {
  it('is loaded for a subscriber, and not for an observer', async () => {
    const { fetch, calls } = answering(json(null))
    const { $session } = createAuthClient({ fetch })
    let changes = 0
    $session.observe(() => {
      changes += 1
    })
    expect(calls).toHaveLength(0)
    $session.subscribe(() => {})
    await vi.waitFor(() => expect($session.get().isPending).toBe(false), { timeout: 30_000 })
    expect(calls).toHaveLength(1)
    expect(changes).toBeGreaterThan(0)
  })
})

describe('the session after a change', () => {
  /** Requests whose answers the test gives, in any order. */
  function holding() {
    const held: { url: string; answer(body: unknown): void }[] = []
    const fetch = ((url: string) =>
      new Promise<Response>((resolve) =>
        held.push({ url, answer: (body) => resolve(json(body)) }),
      )) as unknown as typeof globalThis.fetch
    return { client: createAuthClient({ fetch }), held }
  }
  const withTeam = (activeTeamId: string | null) => ({ session: { activeTeamId }, user: {} })
  const read = '/api/auth/get-session'
  const pastTheCookie = `${read}?disableCookieCache=true&disableRefresh=true`

  async function changed(isWatched: boolean) {
    const { client, held } = holding()
    const team = () => (client.$session.get().data as { session: { activeTeamId: string | null } } | null)?.session
    if (isWatched) client.$session.subscribe(() => undefined)
    else void client.$session.refetch()
    const change = client.organization.setActiveTeam({ teamId: 'sales' })
    held[1]!.answer({})
    await change
    return { client, held, team }
  }

  it.each([true, false])(
    'is not that of a read from before it, which is answered last; listeners: %s',
    async (isWatched) => {
      const { held, team } = await changed(isWatched)
      expect(held.map(({ url }) => url)).toEqual([read, '/api/auth/organization/set-active-team', pastTheCookie])
      held[2]!.answer(withTeam('sales'))
      await vi.waitFor(() => expect(team()).toEqual({ activeTeamId: 'sales' }), { timeout: 30_000 })
      held[0]!.answer(withTeam(null))
      // The late answer has replaced the cookie, too.
      await vi.waitFor(() => expect(held.map(({ url }) => url).slice(3)).toEqual([pastTheCookie]), { timeout: 30_000 })
      expect(team()).toEqual({ activeTeamId: 'sales' })
      held[3]!.answer(withTeam('sales'))
      await settled()
      expect(held).toHaveLength(4)
    },
  )

  it('is not that of a read from before it, which is answered first', async () => {
    const { client, held, team } = await changed(true)
    const waiting = client.$session.refetch(true)
    held[0]!.answer(withTeam(null))
    held[2]!.answer(withTeam('sales'))
    await settled()
    expect(team()).toBeUndefined()
    held[3]!.answer(withTeam('sales'))
    await waiting
    expect([team(), held.length]).toEqual([{ activeTeamId: 'sales' }, 4])
  })

  it('is what an earlier caller gets, too', async () => {
    const { client, held } = holding()
    const got: unknown[] = []
    const first = client.$session.refetch(true).then(() => got.push(client.$session.get().data))
    void client.$session.refetch(true)
    held[0]!.answer(withTeam(null))
    await settled()
    expect(got).toEqual([])
    held[1]!.answer(withTeam('sales'))
    await first
    expect(got).toEqual([withTeam('sales')])
  })
})
