import { CompactSign, calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Answer, CallOptions, Device } from './harness.ts'

/**
 * A browser with Device Bound Session Credentials, written from the draft of 17 February 2026
 * (https://w3c.github.io/webappsec-dbsc/). It registers keys, keeps challenges, and refreshes before a request whose bound
 * cookie is missing. Sections are those of the draft.
 */

export interface BrowserKey {
  alg: 'ES256' | 'RS256'
  privateKey: CryptoKey
  jwk: JWK
}

export async function newKey(alg: BrowserKey['alg'] = 'ES256'): Promise<BrowserKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { alg, privateKey, jwk: await exportJWK(publicKey) }
}

/** A proof (section 9.9). @param changes of the header, and the claims, for attacks */
export const signProof = (
  { alg, privateKey, jwk }: BrowserKey,
  jti: unknown,
  { header = {}, claims = {}, withKey = false }: { header?: object; claims?: object; withKey?: boolean } = {},
): Promise<string> =>
  new CompactSign(new TextEncoder().encode(JSON.stringify({ jti, ...claims })))
    .setProtectedHeader({ alg, typ: 'dbsc+jwt', ...(withKey ? { jwk } : {}), ...header })
    .sign(privateKey)

interface Instructions {
  session_identifier: string
  refresh_url: string
  scope: { origin: string; include_site: boolean }
  credentials: { type: string; name: string; attributes: string }[]
}

interface BoundSession {
  key: BrowserKey
  instructions: Instructions
  challenge: string | null
}

/** A registration that a response offered (section 9.1). */
export interface Offer {
  path: string
  challenge: string
  algorithms: string[]
}

export function readOffer(headers: Headers): Offer | null {
  const value = headers.get('secure-session-registration')
  if (value === null) return null
  const [, list = '', path = '', challenge = ''] = /^\(([\w ]+)\);path="([^"]+)";challenge="([^"]+)"$/.exec(value) ?? []
  if (!path) throw new Error(`not a registration: ${value}`)
  return { path, challenge, algorithms: list.split(' ') }
}

/** The challenge of a response, and the session that it is for (section 9.2). */
export function readChallenge(headers: Headers): { challenge: string; id: string } | null {
  const [, challenge, id] = /^"([^"]+)";id="([^"]+)"$/.exec(headers.get('secure-session-challenge') ?? '') ?? []
  return challenge && id ? { challenge, id } : null
}

/** Headers that the user agent sends with the requests of a page. */
const ofPage = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }

export class BoundBrowser {
  readonly sessions = new Map<string, BoundSession>()
  /** The requests of the user agent itself: `register 200`, `refresh 403`. */
  readonly log: string[] = []
  /** Whether it accepts offers; a test that takes the steps itself turns it off. */
  registers = true
  /** Why a refresh does not reach the server or its answer not the browser. */
  fault: 'request' | 'answer' | null = null
  readonly #expiry = new Map<string, number>()

  constructor(
    readonly device: Device,
    readonly alg: BrowserKey['alg'] = 'ES256',
  ) {}

  get<T = any>(path: string, options: CallOptions = {}) {
    return this.send<T>('GET', path, undefined, options)
  }

  post<T = any>(path: string, body: unknown = {}, options: CallOptions = {}) {
    return this.send<T>('POST', path, body, options)
  }

  /** Section 10.1: a request waits for the refresh of the sessions whose cookie it has not. */
  async send<T>(method: string, path: string, body: unknown, options: CallOptions): Promise<Answer<T>> {
    this.forgetExpired()
    for (const id of [...this.sessions.keys()]) {
      if (!this.hasCookie(id)) await this.refresh(id)
    }
    const answer = await this.device.send<T>(method, path, body, {
      ...options,
      headers: { ...ofPage, ...options.headers },
    })
    await this.process(answer)
    return answer
  }

  hasCookie(id: string): boolean {
    return this.sessions.get(id)!.instructions.credentials.every(({ name }) => this.device.jar.has(name))
  }

  /** The only key of the browser. */
  get id(): string {
    const [id, ...others] = this.sessions.keys()
    if (!id || others.length > 0) throw new Error(`${this.sessions.size} bound sessions: ${this.log.join(', ')}`)
    return id
  }

  async process(answer: Answer): Promise<void> {
    this.noteCookies(answer.cookies)
    this.noteChallenge(answer.headers)
    const offer = readOffer(answer.headers)
    if (offer && this.registers) await this.register(offer)
  }

  /** Section 8.10. */
  async register(offer: Offer, key?: BrowserKey): Promise<Answer> {
    const made = key ?? (await newKey(this.alg))
    if (!offer.algorithms.includes(made.alg)) throw new Error('not an offered algorithm')
    const proof = await signProof(made, offer.challenge, { withKey: true })
    const answer = await this.ask(offer.path, { 'secure-session-response': `"${proof}"` })
    this.log.push(`register ${answer.status}`)
    if (answer.status < 300) this.create(answer, made, null)
    return answer
  }

  /** Section 8.8. @returns whether the bound cookie was renewed */
  async refresh(id: string): Promise<boolean> {
    const session = this.sessions.get(id)!
    for (let time = 0; time < 3; time++) {
      if (this.fault === 'request') return this.skip()
      const proof = session.challenge && (await signProof(session.key, session.challenge))
      // Chrome 146 sends the identifier without quotes (w3c/webappsec-dbsc#243).
      const answer = await this.ask(
        session.instructions.refresh_url,
        { 'sec-secure-session-id': id, ...(proof ? { 'secure-session-response': `"${proof}"` } : {}) },
        this.fault === null,
      )
      this.log.push(`refresh ${answer.status}`)
      if (this.fault === 'answer') return this.skip()
      this.noteChallenge(answer.headers)
      if (answer.status === 403) continue
      if (answer.status === 429 || answer.status >= 500) return false
      if (answer.status >= 400) return this.terminate(id)
      return this.create(answer, session.key, id)
    }
    // Chrome ends a session after too many challenges (kTooManyChallenges).
    return this.terminate(id)
  }

  private skip(): false {
    this.log.push('refresh lost')
    return false
  }

  private terminate(id: string | null): false {
    if (id !== null) this.sessions.delete(id)
    this.log.push('terminated')
    return false
  }

  /** Section 8.9. */
  private create(answer: Answer, key: BrowserKey, id: string | null): boolean {
    const { body } = answer
    if (body.continue === false) return this.terminate(id)
    const { session_identifier, refresh_url, scope, credentials } = body as Instructions
    const isValid =
      (id === null || id === session_identifier) &&
      new URL(scope.origin).hostname === new URL(refresh_url).hostname &&
      credentials.every(({ type, attributes }) => type === 'cookie' && !/partitioned/i.test(attributes))
    if (!isValid) return this.terminate(id)
    for (const { name, attributes } of credentials) {
      const line = answer.cookies.find((one) => one.startsWith(`${name}=`)) ?? ''
      const set = line.split('; ').slice(1)
      const left = set.filter((one) => !/^(max-age|expires)=/i.test(one))
      // A cookie with other attributes does not satisfy the credential (section 8.6): Chrome would refresh for each request.
      if (left.sort().join() !== attributes.split('; ').sort().join()) throw new Error(`${attributes} is not ${line}`)
    }
    const challenge = this.sessions.get(session_identifier)?.challenge ?? null
    this.sessions.set(session_identifier, { key, instructions: body, challenge })
    return true
  }

  /** A request of the user agent: with cookies, without Origin and fetch metadata, and with an empty body. */
  private async ask(path: string, headers: Record<string, string>, keep = true): Promise<Answer> {
    const answer = await this.device.send('POST', path, undefined, { headers: { origin: '', ...headers }, keep })
    if (keep) this.noteCookies(answer.cookies)
    return answer
  }

  /** Section 8.7. */
  private noteChallenge(headers: Headers): void {
    const given = readChallenge(headers)
    const session = given && this.sessions.get(given.id)
    if (session) session.challenge = given.challenge
  }

  private noteCookies(lines: readonly string[]): void {
    for (const line of lines) {
      const name = line.slice(0, line.indexOf('='))
      const [, seconds] = /max-age=(\d+)/i.exec(line) ?? []
      if (seconds === undefined) this.#expiry.delete(name)
      else this.#expiry.set(name, Date.now() + Number(seconds) * 1000)
    }
  }

  forgetExpired(): void {
    for (const [name, until] of this.#expiry) if (until <= Date.now()) this.device.jar.delete(name)
  }
}

export const thumbprint = ({ jwk }: BrowserKey): Promise<string> => calculateJwkThumbprint(jwk)
