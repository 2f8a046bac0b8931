/**
 * Sign-in of an Expo or React Native app: the hosted pages in a browser session, with PKCE and a private scheme (RFC 8252).
 * The native modules are arguments, so that this package depends on none of them.
 */
import { withoutEnd } from '../../../worker/kit/text-end.ts'
import type { DpopStore } from '../dpop.ts'

/** `expo-secure-store`, or another store in the Keychain or Keystore. */
export interface SecureStore {
  getItemAsync(key: string): Promise<string | null>
  setItemAsync(key: string, value: string): Promise<void>
  deleteItemAsync(key: string): Promise<void>
}

/** `expo-web-browser`: a browser session that shares cookies with the system browser and returns the redirect. */
export interface BrowserSession {
  openAuthSessionAsync(url: string, redirectUri: string): Promise<{ type: string; url?: string }>
}

/** `expo-crypto`. */
export interface NativeCrypto {
  getRandomBytes(count: number): Uint8Array
  digestStringAsync(algorithm: never, text: string, options: never): Promise<string>
}

export interface ExpoOptions {
  /** The address of Gatehouse (its `BASE_URL`). */
  url: string
  /** The client of `identityProvider.trustedClients`, without a secret. */
  clientId: string
  /** A redirect URL of this client with the app's scheme, such as `com.example.acme:/callback`. */
  redirectUri: string
  store: SecureStore
  browser: BrowserSession
  crypto: NativeCrypto
  /** Scopes in addition to openid, profile, email and offline_access. */
  scopes?: readonly string[]
  /** The API that access tokens are for: an identifier of `identityProvider.resources`. */
  resource?: string
  /** @default the global function */
  fetch?: typeof fetch
}

/** The claims of the user (OpenID Connect Core, section 5.1), by the scopes of the app. */
export interface ExpoUser {
  /** The stable id of the user for this app. */
  sub: string
  name?: string
  email?: string
  email_verified?: boolean
  picture?: string
  [claim: string]: unknown
}

/**
 * A sign-in or a request failed. `code` is one of OAuth (`access_denied`), `invalid_response` for an answer to another
 * request, or `unreachable` without an answer: then the user is still signed in.
 */
export class ExpoAuthError extends Error {
  override name = 'ExpoAuthError'
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export interface ExpoAuth {
  /**
   * Opens the hosted sign-in page. @returns the user; null if the user closed the browser or refused
   * @throws ExpoAuthError
   */
  signIn(): Promise<ExpoUser | null>
  /**
   * Finishes a sign-in with the link that opened the app, if the system ended the app during the sign-in: pass the first URL
   * and each later one of `expo-linking`. @returns the user; null for another link @throws ExpoAuthError
   */
  handleUrl(url: string): Promise<ExpoUser | null>
  /** The user of the stored sign-in; null for a visitor. It makes no request. */
  user(): Promise<ExpoUser | null>
  /**
   * A valid access token, refreshed when it is about to expire; null for a visitor and after the end of the session.
   * @throws ExpoAuthError unreachable
   */
  accessToken(): Promise<string | null>
  /** `fetch` with the access token. Call only your own API with it. @throws ExpoAuthError unreachable */
  fetch(input: string, init?: RequestInit): Promise<Response>
  /** Revokes the tokens and deletes them from the device, also if Gatehouse cannot be reached. */
  signOut(): Promise<void>
  /** Calls a function when the user changes. @returns the end of it */
  subscribe(listener: (user: ExpoUser | null) => void): () => void
}

/** Only the refresh token and the claims are stored; access tokens stay in memory. */
interface Stored {
  refreshToken: string
  user: ExpoUser
}

interface Pending {
  state: string
  verifier: string
}

interface Tokens {
  access_token: string
  id_token?: string
  refresh_token?: string
  expires_in?: number
}

/** Seconds before its end from which an access token is replaced. */
const margin = 30

const encoded = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')

/** The query of a URL. Not `URL`, which React Native implements in part. */
function parametersOf(url: string): Record<string, string> {
  const query = /\?([^#]*)/.exec(url)?.[1] ?? ''
  const pairs = query.split('&').filter(Boolean)
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', value = ''] = pair.split('=')
      return [decodeURIComponent(name), decodeURIComponent(value.replace(/\+/g, ' '))]
    }),
  )
}

/** The claims of an id token; null for another text. */
function claimsOf(token: string): ExpoUser | null {
  try {
    const bytes = atob(token.split('.')[1]!.replace(/-/g, '+').replace(/_/g, '/'))
    const text = Array.from(bytes, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')
    return JSON.parse(decodeURIComponent(text)) as ExpoUser
  } catch {
    return null
  }
}

/**
 * Keeps the key of `createGatehouseClient({ dpop: { store: dpopStore(SecureStore) } })` in the Keychain or Keystore. React Native
 * has no keys that cannot be exported, so that it is a JWK there, protected as well as the store. `crypto.subtle` comes from a
 * module of the app, such as `react-native-quick-crypto`.
 */
export function dpopStore(
  store: Pick<SecureStore, 'getItemAsync' | 'setItemAsync'>,
  name = 'gatehouse.key',
): DpopStore {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const
  const { subtle } = crypto
  return {
    extractable: true,
    async get() {
      const text = await store.getItemAsync(name)
      if (text === null) return null
      const { kty, crv, x, y, d } = JSON.parse(text) as JsonWebKey
      const [publicKey, privateKey] = await Promise.all([
        subtle.importKey('jwk', { kty, crv, x, y } as JsonWebKey, algorithm, true, []),
        subtle.importKey('jwk', { kty, crv, x, y, d } as JsonWebKey, algorithm, true, ['sign']),
      ])
      return { publicKey, privateKey }
    },
    set: async ({ privateKey }) => store.setItemAsync(name, JSON.stringify(await subtle.exportKey('jwk', privateKey))),
  }
}

/**
 * Signs users of an app in.
 *
 *     export const auth = gatehouseAuth({
 *       url: 'https://accounts.example.com', clientId: 'app', redirectUri: 'com.example.acme:/callback',
 *       store: SecureStore, browser: WebBrowser, crypto: Crypto,
 *     })
 *     const user = await auth.signIn()
 */
export function gatehouseAuth(options: ExpoOptions): ExpoAuth {
  const { clientId, redirectUri, store, browser, crypto, scopes = [], resource } = options
  const url = withoutEnd(options.url, '/')
  // Looked up for each call: tests and tools replace the global function.
  const request: typeof fetch = (input, init) => (options.fetch ?? fetch)(input, init)
  const names = { tokens: 'gatehouse.tokens', pending: 'gatehouse.pending' }
  const listeners = new Set<(user: ExpoUser | null) => void>()
  let access: { token: string; until: number } | null = null
  let refreshing: Promise<string | null> | null = null

  async function read<T>(name: string): Promise<T | null> {
    const text = await store.getItemAsync(name)
    try {
      return text === null ? null : (JSON.parse(text) as T)
    } catch {
      return null
    }
  }

  async function keep(stored: Stored | null): Promise<void> {
    if (stored) await store.setItemAsync(names.tokens, JSON.stringify(stored))
    else {
      access = null
      await store.deleteItemAsync(names.tokens)
    }
  }

  const announce = (user: ExpoUser | null): void => {
    for (const listener of listeners) listener(user)
  }

  const random = (): string =>
    Array.from(crypto.getRandomBytes(32), (byte) => byte.toString(16).padStart(2, '0')).join('')

  async function send(path: string, init: RequestInit): Promise<Response> {
    try {
      return await request(url + path, init)
    } catch (cause) {
      throw new ExpoAuthError('unreachable', `Gatehouse did not answer at ${url}`, { cause })
    }
  }

  const post = (path: string, values: Record<string, string>): Promise<Response> =>
    send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: encoded({ ...values, client_id: clientId }),
    })

  /** @throws ExpoAuthError with the code of the response */
  async function tokensFor(values: Record<string, string>): Promise<Tokens> {
    const answer = await post('/api/auth/oauth2/token', { ...values, ...(resource ? { resource } : {}) })
    const body = (await answer.json().catch(() => ({}))) as Tokens & { error?: string; error_description?: string }
    if (answer.status >= 500 || answer.status === 429) {
      throw new ExpoAuthError('unreachable', `Gatehouse answered ${answer.status}`)
    }
    if (!answer.ok || !body.access_token) {
      throw new ExpoAuthError(body.error ?? 'invalid_response', body.error_description ?? `Status ${answer.status}`)
    }
    access = { token: body.access_token, until: Date.now() + ((body.expires_in ?? 0) - margin) * 1000 }
    return body
  }

  /** The end of a sign-in. @param called the redirect URI with its query */
  async function finish(called: string): Promise<ExpoUser | null> {
    const pending = await read<Pending>(names.pending)
    const { code, state, error, error_description: description, iss } = parametersOf(called)
    // A link of another app, or of an attacker: it must not end the pending sign-in.
    if (!pending || state !== pending.state) {
      throw new ExpoAuthError('invalid_response', 'The link does not belong to a sign-in of this app')
    }
    // A code can be used once, and so can the verifier.
    await store.deleteItemAsync(names.pending)
    if (iss !== undefined && iss !== url) {
      throw new ExpoAuthError('invalid_response', 'The link is not from the server of this sign-in')
    }
    if (error === 'access_denied') return null
    if (error || !code) throw new ExpoAuthError(error ?? 'invalid_response', description ?? 'The sign-in failed')
    const values = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
    const tokens = await tokensFor({ ...values, code_verifier: pending.verifier })
    const user = tokens.id_token ? claimsOf(tokens.id_token) : null
    // The token comes from the server itself over TLS (OpenID Connect Core, section 3.1.3.7): its signature adds nothing.
    if (!tokens.refresh_token || user?.iss !== url || user.aud !== clientId) {
      throw new ExpoAuthError('invalid_response', 'The answer has no refresh token, or no user of this app')
    }
    await keep({ refreshToken: tokens.refresh_token, user })
    announce(user)
    return user
  }

  async function refresh(): Promise<string | null> {
    const stored = await read<Stored>(names.tokens)
    if (!stored) return null
    try {
      const tokens = await tokensFor({ grant_type: 'refresh_token', refresh_token: stored.refreshToken })
      if (tokens.refresh_token) await keep({ ...stored, refreshToken: tokens.refresh_token })
      return tokens.access_token
    } catch (thrown) {
      if (!(thrown instanceof ExpoAuthError) || thrown.code === 'unreachable') throw thrown
      // The session has ended, or the app has lost its access.
      await keep(null)
      announce(null)
      return null
    }
  }

  async function accessToken(): Promise<string | null> {
    if (access && Date.now() < access.until) return access.token
    // A refresh token is used once: parallel calls share one refresh.
    refreshing ??= refresh().finally(() => {
      refreshing = null
    })
    return refreshing
  }

  return {
    async signIn() {
      const pending = { state: random(), verifier: random() }
      await store.setItemAsync(names.pending, JSON.stringify(pending))
      // expo-crypto has SHA-256 in base64.
      const digest = await crypto.digestStringAsync('SHA-256' as never, pending.verifier, {
        encoding: 'base64',
      } as never)
      const query = encoded({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: ['openid', 'profile', 'email', 'offline_access', ...scopes].join(' '),
        // A refresh token needs the consent of the user, or a trusted client.
        prompt: 'consent',
        state: pending.state,
        code_challenge: digest
          .replace(/\+/g, '-')
          .replace(/\//g, '_')
          .replace(/={1,2}$/, ''),
        code_challenge_method: 'S256',
        ...(resource ? { resource } : {}),
      })
      const result = await browser.openAuthSessionAsync(`${url}/api/auth/oauth2/authorize?${query}`, redirectUri)
      if (result.type !== 'success' || !result.url) return null
      return finish(result.url)
    },
    handleUrl: async (called) =>
      called.startsWith(`${redirectUri}?`) && (await read(names.pending)) ? finish(called) : null,
    user: async () => (await read<Stored>(names.tokens))?.user ?? null,
    accessToken,
    async fetch(input, init = {}) {
      const token = await accessToken()
      const headers = new Headers(init.headers)
      if (token) headers.set('authorization', `Bearer ${token}`)
      return request(input, { ...init, headers })
    },
    async signOut() {
      const stored = await read<Stored>(names.tokens)
      await keep(null)
      announce(null)
      // Without its deletion the device would stay signed in, and without the revocation the token ends by its lifetime.
      if (stored) await post('/api/auth/oauth2/revoke', { token: stored.refreshToken }).catch(() => undefined)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
