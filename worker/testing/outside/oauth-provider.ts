import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { vi } from 'vitest'
import type { Grant, OutsideRequest, ProviderDocumentation, ProviderPerson } from './provider-documentation.ts'
import { inTrouble, type Trouble, timeOutAtOnce } from './trouble.ts'

/**
 * A provider of OAuth 2.0 as documented: an authorization page, through which a test walks as a user does, a token
 * endpoint, and the API. It rejects everything that the documentation does not allow.
 */

/** The request of the browser to the callback. */
export interface Callback {
  method: 'GET' | 'POST'
  path: string
  parameters: Record<string, string>
}

const usual = ['response_type', 'redirect_uri', 'state', 'scope', 'code_challenge', 'code_challenge_method', 'nonce']
const keyId = 'fake-key-1'
let keys: Promise<{ privateKey: CryptoKey; publicKey: CryptoKey }> | undefined

/** The key that signs all id tokens here. All providers share it, because clients may cache the key set. */
const signingKeys = () => {
  keys ??= generateKeyPair('RS256', { extractable: true })
  return keys
}

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {
    super(JSON.stringify(body))
  }
}

export class OAuthProvider {
  /** All received requests, in order. */
  readonly requests: OutsideRequest[] = []
  person: ProviderPerson = { id: '4242', email: 'octo@example.com' }
  private readonly codes = new Map<string, Grant>()
  private readonly refreshTokens = new Map<string, Grant>()
  private readonly accessTokens = new Map<string, Grant>()
  private readonly troubles: { at: 'token' | 'api'; trouble: Trouble }[] = []
  private issued = 0

  constructor(readonly documentation: ProviderDocumentation) {}

  /** Its entry in `socialProviders`. */
  get options(): Record<string, unknown> {
    const { clientId, clientSecret, options } = this.documentation
    return { clientId, clientSecret, ...options }
  }

  /** Sends all outside requests to this fake, which rejects other addresses. Restore with vi.restoreAllMocks(). */
  install(): this {
    vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) =>
      this.receive(new Request(input, init), init?.signal),
    )
    return this
  }

  /** Puts the token endpoint, or the API with its keys, out of order. */
  fail(at: 'token' | 'api', trouble: Trouble): this {
    this.troubles.push({ at, trouble })
    if (trouble === 'answers nothing') vi.spyOn(AbortSignal, 'timeout').mockImplementation(timeOutAtOnce)
    return this
  }

  /** Expires all codes. */
  expireCodes(): void {
    this.codes.clear()
  }

  /** The user opens the address and consents or denies. @throws if the documentation does not allow the address */
  authorize(address: string, decision: 'agrees' | 'refuses' = 'agrees'): Callback {
    const { authorization, clientId } = this.documentation
    const url = new URL(address)
    const given = url.searchParams
    const demand = (condition: boolean, complaint: string) => {
      if (!condition) throw new Error(`${this.documentation.id} shows an error page: ${complaint}`)
    }
    demand(`${url.origin}${url.pathname}` === authorization.url, `no page at ${url.origin}${url.pathname}`)
    const clientIdName = authorization.clientIdName ?? 'client_id'
    const known = [...usual, clientIdName, ...Object.keys(authorization.fixed ?? {}), ...(authorization.optional ?? [])]
    for (const name of given.keys()) {
      demand(known.includes(name), `unknown parameter ${name}`)
      demand(given.getAll(name).length === 1, `${name} twice`)
    }
    demand(given.get(clientIdName) === clientId, `wrong ${clientIdName}`)
    for (const [name, value] of Object.entries({ response_type: 'code', ...authorization.fixed })) {
      demand(given.get(name) === value, `${name} is ${given.get(name)}`)
    }
    const state = given.get('state') ?? ''
    demand(state.length >= 16, 'no state')
    const redirectUri = given.get('redirect_uri') ?? ''
    demand(URL.canParse(redirectUri), 'no redirect_uri')
    const scopes = (given.get('scope') ?? '').split(authorization.scopeSeparator ?? ' ').filter(Boolean)
    demand(scopes.length > 0 || authorization.scopeRequired === false, 'no scope')
    for (const scope of scopes) demand(authorization.scopes.includes(scope), `unknown scope ${scope}`)
    const challenge = given.get('code_challenge')
    demand(challenge === null || authorization.pkce !== 'unknown', 'PKCE is unknown here')
    demand(challenge !== null || authorization.pkce !== 'required', 'PKCE is required')
    if (challenge !== null) {
      demand(given.get('code_challenge_method') === 'S256', 'only S256')
      demand(/^[\w-]{43}$/.test(challenge), 'malformed challenge')
    }
    const method = authorization.callback === 'form' ? 'POST' : 'GET'
    const path = new URL(redirectUri).pathname
    if (decision === 'refuses') return { method, path, parameters: { ...authorization.refusal, state } }
    const code = this.token('code')
    const bound = authorization.additional ?? {}
    this.codes.set(code, { clientId, redirectUri, scopes, challenge, nonce: given.get('nonce'), bound })
    return { method, path, parameters: { code, state, ...bound } }
  }

  private token(kind: string): string {
    return `${this.documentation.id}-${kind}-${++this.issued}`
  }

  /** Answers a request as the provider. */
  async receive(request: Request, signal?: AbortSignal | null): Promise<Response> {
    const { documentation } = this
    const body = new TextDecoder().decode(await request.arrayBuffer())
    const url = new URL(request.url)
    const address = `${url.origin}${url.pathname}`
    const form = new URLSearchParams(body)
    const arrived: OutsideRequest = { method: request.method, url, headers: request.headers, body, form }
    this.requests.push(arrived)
    const isToken = address === documentation.token.url
    const trouble = this.troubles.find(({ at }) => at === (isToken ? 'token' : 'api'))?.trouble
    if (trouble) return inTrouble(trouble, signal)
    try {
      if (isToken) return answer(200, await this.exchange(arrived))
      if (address === documentation.jwks) {
        const jwk = await exportJWK((await signingKeys()).publicKey)
        return answer(200, { keys: [{ ...jwk, kid: keyId, alg: 'RS256', use: 'sig' }] })
      }
      return this.callApi(arrived, address)
    } catch (thrown) {
      if (thrown instanceof Refusal) return answer(thrown.status, thrown.body)
      throw thrown
    }
  }

  private callApi(request: OutsideRequest, address: string): Response {
    const { api, open, apiHeaders } = this.documentation
    const name = `${request.method} ${address}`
    const endpoint = Object.hasOwn(api, name) ? api[name] : undefined
    if (!endpoint) throw new Error(`${this.documentation.id} has no ${name}`)
    for (const [header, pattern] of Object.entries(apiHeaders ?? {})) {
      if (!pattern.test(request.headers.get(header) ?? '')) throw new Refusal(403, { message: `${header} required` })
    }
    const [scheme, bearer = ''] = (request.headers.get('authorization') ?? '').split(' ')
    const token = open?.includes(name) ? (request.form.get('access_token') ?? '') : scheme === 'Bearer' ? bearer : ''
    const grant = this.accessTokens.get(token)
    if (!grant && !open?.includes(name)) throw new Refusal(401, { error: 'invalid_token' })
    const said = endpoint({ person: this.person, request, scopes: grant?.scopes ?? [] })
    return said instanceof Response ? said : answer(200, said)
  }

  private async exchange(request: OutsideRequest): Promise<Record<string, unknown>> {
    const { token, clientId } = this.documentation
    const { form, headers } = request
    const invalid = (description: string) => new Refusal(400, { error: 'invalid_request', description })
    if (request.method !== 'POST') throw invalid('POST it')
    if (!(headers.get('content-type') ?? '').startsWith('application/x-www-form-urlencoded')) throw invalid('a form')
    for (const [header, pattern] of Object.entries(token.headers ?? {})) {
      if (!pattern.test(headers.get(header) ?? '')) throw new Refusal(400, `${header} required`)
    }
    for (const name of form.keys()) if (form.getAll(name).length > 1) throw invalid(`${name} twice`)
    this.authenticate(request)
    for (const name of token.additional ?? []) if (!form.get(name)) throw invalid(`${name} is missing`)
    const grant =
      form.get('grant_type') === 'authorization_code' ? this.redeemCode(form) : await this.redeemRefreshToken(form)
    for (const [name, value] of Object.entries(grant.bound)) {
      if ((token.additional ?? []).includes(name) && form.get(name) !== value) throw this.refusal()
    }
    const accessToken = this.token('access')
    this.accessTokens.set(accessToken, grant)
    const answer: Record<string, unknown> = { access_token: accessToken, ...token.answer(grant) }
    if (answer.refresh_token === true) {
      const refreshToken = this.token('refresh')
      this.refreshTokens.set(refreshToken, grant)
      answer.refresh_token = refreshToken
    }
    if (answer.id_token === true) answer.id_token = await this.signIdToken(clientId, grant)
    return answer
  }

  /** An id token for the current user, signed with the key of the key set. */
  async signIdToken(audience: string, { nonce }: { nonce?: string | null } = {}): Promise<string> {
    const { claims, issuer } = this.documentation
    const now = Math.floor(Date.now() / 1000)
    return new SignJWT({ ...claims?.(this.person), ...(nonce ? { nonce } : {}) })
      .setProtectedHeader({ alg: 'RS256', kid: keyId })
      .setIssuer(issuer ?? '')
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + 600)
      .sign((await signingKeys()).privateKey)
  }

  private authenticate({ form, headers }: OutsideRequest): void {
    const { token, clientId, clientSecret } = this.documentation
    const idName = token.clientIdName ?? 'client_id'
    const denied = new Refusal(401, { error: 'invalid_client' })
    const header = headers.get('authorization')
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    const way = token.authentication === 'either' ? (header ? 'basic' : 'post') : token.authentication
    if (way === 'basic') {
      if (header !== basic || form.has('client_secret')) throw denied
      return
    }
    if (header || form.get(idName) !== clientId) throw denied
    if (idName !== 'client_id' && form.has('client_id')) throw denied
    if (way === 'none' && form.has('client_secret')) throw denied
    if (way === 'post' && form.get('client_secret') !== clientSecret) throw denied
    if (way === 'signed' && !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(form.get('client_secret') ?? '')) throw denied
  }

  private redeemCode(form: URLSearchParams): Grant {
    const grant = this.codes.get(form.get('code') ?? '')
    if (!grant) throw this.refusal()
    this.codes.delete(form.get('code') ?? '')
    const { redirectUriRequired = true } = this.documentation.token
    const redirectUri = form.get('redirect_uri')
    if (redirectUri !== grant.redirectUri && (redirectUriRequired || redirectUri !== null)) throw this.refusal()
    const verifier = form.get('code_verifier')
    if ((verifier === null) !== (grant.challenge === null)) throw this.refusal()
    if (verifier !== null && !/^[\w.~-]{43,128}$/.test(verifier)) throw this.refusal()
    if (verifier !== null && createHash('sha256').update(verifier).digest('base64url') !== grant.challenge) {
      throw this.refusal()
    }
    return grant
  }

  private async redeemRefreshToken(form: URLSearchParams): Promise<Grant> {
    const token = form.get('refresh_token') ?? ''
    const grant = this.refreshTokens.get(token)
    if (form.get('grant_type') !== 'refresh_token' || !grant || !this.documentation.token.refresh) throw this.refusal()
    if (!this.documentation.token.withoutRotation) this.refreshTokens.delete(token)
    return grant
  }

  private refusal(): Refusal {
    const { status, body } = this.documentation.token.refusal
    return new Refusal(status, body)
  }
}

const answer = (status: number, body: unknown): Response =>
  typeof body === 'string' ? new Response(body, { status }) : Response.json(body, { status })
