import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type ExpoAuthError, type ExpoOptions, gatehouseAuth } from '../../client/sdk/adapters/expo.ts'
import { type Device, origin, TestApp } from '../testing/harness.ts'
import { agree } from '../testing/oauth.ts'
import { signIn, signUp } from '../testing/people.ts'
import { count } from '../testing/rows.ts'

// Not only ASCII, as in names.
const alice = { name: 'Alice Müller 李', email: 'alice@example.com', password: 'password1234' }
const redirectUri = 'com.example.acme:/callback'
const api = 'https://api.example.com'

/** What the browser of the phone does with the opened address. */
type Browse = (device: Device, query: Record<string, string>) => Promise<{ type: string; url?: string }>

const agreeing: Browse = async (device, query) => ({ type: 'success', url: String(await agree(device, query)) })

/** A phone with native modules of the test, and a user who is signed in in its browser. */
async function phone(browse: Browse = agreeing, changes: Partial<ExpoOptions> = {}) {
  const app = new TestApp({
    rateLimit: { enabled: false },
    identityProvider: {
      trustedClients: [{ clientId: 'app', name: 'Acme', redirectURLs: [redirectUri] }],
      resources: [{ identifier: api, tokenFormat: 'jwt' }],
    },
  })
  const device = (await count('users')) === 0 ? await signUp(app, alice) : await signIn(app, alice)
  const stored = new Map<string, string>()
  const opened: { url: URL; redirectUri: string }[] = []
  const asked: { path: string; body: string; headers: Headers }[] = []
  const state = { isOffline: false }
  const options: ExpoOptions = {
    url: origin,
    clientId: 'app',
    redirectUri,
    store: {
      getItemAsync: async (key) => stored.get(key) ?? null,
      setItemAsync: async (key, value) => void stored.set(key, value),
      deleteItemAsync: async (key) => void stored.delete(key),
    },
    browser: {
      openAuthSessionAsync: async (address, back) => {
        const url = new URL(address)
        opened.push({ url, redirectUri: back })
        return browse(device, Object.fromEntries(url.searchParams))
      },
    },
    crypto: {
      getRandomBytes: (length) => new Uint8Array(randomBytes(length)),
      digestStringAsync: async (_, text) => createHash('sha256').update(text).digest('base64'),
    },
    fetch: (async (input: unknown, init?: RequestInit) => {
      if (state.isOffline) throw new TypeError('offline')
      const request = new Request(String(input), init)
      const { pathname } = new URL(request.url)
      asked.push({ path: pathname, body: String(init?.body ?? ''), headers: request.headers })
      if (request.url.startsWith(api)) return new Response(request.headers.get('authorization'))
      const { status, headers, body } = await app.fetch(request)
      return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
    }) as typeof fetch,
    ...changes,
  }
  return { app, device, options, auth: gatehouseAuth(options), stored, opened, asked, state }
}

/** An instance after a restart of the app: its memory is empty. */
const restarted = ({ options }: { options: ExpoOptions }) => gatehouseAuth(options)

const codeOf = (work: Promise<unknown>) => work.then(() => null).catch((error: ExpoAuthError) => error.code)

describe('signIn', () => {
  it('opens the browser with PKCE, and returns the user', async () => {
    const { auth, opened, stored } = await phone()
    const seen: unknown[] = []
    const end = auth.subscribe((user) => seen.push(user?.email))
    expect(await auth.user()).toBeNull()
    expect(await auth.signIn()).toMatchObject({ email: alice.email, name: alice.name, sub: expect.any(String) })
    expect(await auth.user()).toMatchObject({ email: alice.email })
    expect(seen).toEqual([alice.email])
    end()
    const { searchParams } = opened[0]!.url
    expect(opened[0]!.redirectUri).toBe(redirectUri)
    expect(searchParams.get('code_challenge_method')).toBe('S256')
    expect(searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/)
    // The pending sign-in is deleted, and the access token is not stored.
    expect([...stored.keys()]).toEqual(['gatehouse.tokens'])
    expect(stored.get('gatehouse.tokens')).not.toContain((await auth.accessToken())!)
  })

  it('a closed browser and a refusal are null', async () => {
    const closed = await phone(async () => ({ type: 'cancel' }))
    expect(await closed.auth.signIn()).toBeNull()
    const refusing = await phone(async (_, { state }) => ({
      type: 'success',
      url: `${redirectUri}?error=access_denied&state=${state}`,
    }))
    expect(await refusing.auth.signIn()).toBeNull()
    expect(refusing.stored.size).toBe(0)
  })

  it('refuses the link of another request, of another server, and a code without its verifier', async () => {
    const state = await phone(async (device, query) => ({
      type: 'success',
      url: String(await agree(device, query)).replace(/state=\w+/, 'state=other'),
    }))
    expect(await codeOf(state.auth.signIn())).toBe('invalid_response')
    const server = await phone(async (device, query) => {
      const url = await agree(device, query)
      url.searchParams.set('iss', 'https://evil.example')
      return { type: 'success', url: String(url) }
    })
    expect(await codeOf(server.auth.signIn())).toBe('invalid_response')
    const stolen = await phone()
    const codes: string[] = []
    const thief = await phone(async (_, { state: own }) => ({
      type: 'success',
      url: `${redirectUri}?code=${codes[0]}&state=${own}`,
    }))
    const link = await agree(stolen.device, {
      ...Object.fromEntries((await opensWith(stolen)).searchParams),
    })
    codes.push(link.searchParams.get('code')!)
    expect(await codeOf(thief.auth.signIn())).not.toBeNull()
    expect(await thief.auth.user()).toBeNull()
  })
})

/** The address that a sign-in opens. */
async function opensWith(one: Awaited<ReturnType<typeof phone>>): Promise<URL> {
  const auth = gatehouseAuth({
    ...one.options,
    browser: {
      openAuthSessionAsync: async (address) => {
        one.opened.push({ url: new URL(address), redirectUri })
        return { type: 'dismiss' }
      },
    },
  })
  expect(await auth.signIn()).toBeNull()
  return one.opened.at(-1)!.url
}

describe('handleUrl', () => {
  it('finishes a sign-in during which the system ended the app', async () => {
    const one = await phone()
    const query = Object.fromEntries((await opensWith(one)).searchParams)
    const link = String(await agree(one.device, query))
    const auth = restarted(one)
    expect(await auth.handleUrl('com.example.acme:/settings')).toBeNull()
    expect(await auth.handleUrl(link)).toMatchObject({ email: alice.email })
    // The same link again, as the first URL of the app.
    expect(await auth.handleUrl(link)).toBeNull()
    expect(await auth.user()).toMatchObject({ email: alice.email })
  })
})

describe('accessToken', () => {
  it('is kept in memory, refreshed once after a restart, and sent by fetch', async () => {
    const one = await phone()
    await one.auth.signIn()
    const token = await one.auth.accessToken()
    expect(await one.auth.accessToken()).toBe(token)
    const auth = restarted(one)
    one.asked.length = 0
    const [first, second] = await Promise.all([auth.accessToken(), auth.accessToken()])
    expect(first).toBe(second)
    expect(one.asked.map(({ path }) => path)).toEqual(['/api/auth/oauth2/token'])
    expect(await (await auth.fetch(`${api}/orders`)).text()).toBe(`Bearer ${first}`)
    expect(await auth.user()).toMatchObject({ email: alice.email })
  })

  it('is for the API of the app', async () => {
    const { auth } = await phone(agreeing, { resource: api })
    await auth.signIn()
    const [, payload = ''] = (await auth.accessToken())!.split('.')
    expect(JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/')))).toMatchObject({ aud: api })
  })

  it('an ended access signs the app out; a missing network does not', async () => {
    const one = await phone()
    await one.auth.signIn()
    const offline = restarted(one)
    one.state.isOffline = true
    expect(await codeOf(offline.accessToken())).toBe('unreachable')
    expect(await offline.user()).toMatchObject({ email: alice.email })
    one.state.isOffline = false
    expect((await one.device.post('/revoke-sessions', { applications: true })).status).toBe(200)
    const seen: unknown[] = []
    const auth = restarted(one)
    auth.subscribe((user) => seen.push(user))
    expect(await auth.accessToken()).toBeNull()
    expect([await auth.user(), seen, one.stored.size]).toEqual([null, [null], 0])
  })
})

describe('signOut', () => {
  it('revokes the tokens and deletes them, also without a network', async () => {
    const one = await phone()
    await one.auth.signIn()
    expect(await count('oauth_access_tokens')).toBe(1)
    await one.auth.signOut()
    expect([await one.auth.user(), await one.auth.accessToken(), one.stored.size]).toEqual([null, null, 0])
    expect(one.asked.at(-1)!.path).toBe('/api/auth/oauth2/revoke')
    const other = await phone()
    await other.auth.signIn()
    other.state.isOffline = true
    await other.auth.signOut()
    expect(other.stored.size).toBe(0)
  })
})
