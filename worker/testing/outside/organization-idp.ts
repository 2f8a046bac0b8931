import { createHash } from 'node:crypto'
import { type CryptoKey, decodeJwt, exportJWK, generateKeyPair, importJWK, jwtVerify, SignJWT } from 'jose'
import { type Answer, type Device, origin } from '../harness.ts'
import type { Company } from '../organizations.ts'
import { interceptOutside } from './intercept.ts'

/**
 * The identity provider of a customer (OpenID Connect) and the DNS resolver, which answer all outside requests of
 * a test. The provider checks the client and PKCE.
 */

let keys: Promise<{ privateKey: CryptoKey; publicKey: CryptoKey }> | undefined
const keyId = 'idp-key'

interface Pending {
  challenge: string
  nonce: string
  redirectUri: string
}

export class OrganizationIdp {
  readonly issuer: string
  readonly clientId = 'gatehouse-client'
  readonly clientSecret = 'hush-hush'
  /** The claims of the next id token, beside the protocol's. */
  person: Record<string, unknown> = { sub: 'u1', email: 'ada@example.com', name: 'Ada' }
  /** Changes the id token of an attacker. */
  forge: { claims?: Record<string, unknown>; algorithm?: 'HS256' } = {}
  /** The public key of a client that authenticates by private_key_jwt. */
  clientKey: Record<string, unknown> | null = null
  readonly records = new Map<string, string>()
  readonly assertions: string[] = []
  private readonly codes = new Map<string, Pending>()
  private issued = 0

  constructor(host = 'idp.example.org') {
    this.issuer = `https://${host}`
  }

  install(): this {
    interceptOutside((request) => this.receive(request))
    return this
  }

  /** Walks through the page of the provider. @returns the query of the callback */
  authorize(url: string): Record<string, string> {
    const query = new URL(url).searchParams
    if (query.get('client_id') !== this.clientId || query.get('code_challenge_method') !== 'S256') throw new Error(url)
    const code = `code-${++this.issued}`
    this.codes.set(code, {
      challenge: query.get('code_challenge')!,
      nonce: query.get('nonce')!,
      redirectUri: query.get('redirect_uri')!,
    })
    return { code, state: query.get('state')!, iss: this.issuer }
  }

  private async receive(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const name = url.searchParams.get('name')
    if (name !== null) {
      const value = this.records.get(name)
      return Response.json(value ? { Status: 0, Answer: [{ name, type: 16, data: `"${value}"` }] } : { Status: 3 })
    }
    if (url.origin !== this.issuer) throw new Error(`unexpected request to ${url}`)
    if (url.pathname === '/.well-known/openid-configuration') {
      return Response.json({
        issuer: this.issuer,
        authorization_endpoint: `${this.issuer}/authorize`,
        token_endpoint: `${this.issuer}/token`,
        jwks_uri: `${this.issuer}/jwks`,
        authorization_response_iss_parameter_supported: true,
      })
    }
    keys ??= generateKeyPair('RS256', { extractable: true })
    if (url.pathname === '/jwks') {
      return Response.json({ keys: [{ ...(await exportJWK((await keys).publicKey)), kid: keyId, alg: 'RS256' }] })
    }
    return this.token(request, new URLSearchParams(await request.text()))
  }

  private async token(request: Request, form: URLSearchParams): Promise<Response> {
    const pending = this.codes.get(form.get('code') ?? '')
    this.codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isKnown = await this.authenticates(request, form)
    if (!pending || challenge !== pending.challenge || form.get('redirect_uri') !== pending.redirectUri || !isKnown) {
      return Response.json({ error: 'invalid_grant' }, { status: 400 })
    }
    const iat = Math.floor(Date.now() / 1000)
    const claims = { iat, exp: iat + 300, nonce: pending.nonce, ...this.person, ...this.forge.claims }
    const token = new SignJWT({ iss: this.issuer, aud: this.clientId, ...claims }).setProtectedHeader({
      alg: this.forge.algorithm ?? 'RS256',
      kid: keyId,
    })
    const key = this.forge.algorithm ? new TextEncoder().encode(this.clientSecret.repeat(4)) : (await keys!).privateKey
    return Response.json({ access_token: 'a', token_type: 'Bearer', id_token: await token.sign(key) })
  }

  private async authenticates(request: Request, form: URLSearchParams): Promise<boolean> {
    const assertion = form.get('client_assertion')
    if (assertion === null) {
      return request.headers.get('authorization') === `Basic ${btoa(`${this.clientId}:${this.clientSecret}`)}`
    }
    if (!this.clientKey || this.assertions.includes(decodeJwt(assertion).jti!)) return false
    this.assertions.push(decodeJwt(assertion).jti!)
    const key = await importJWK(this.clientKey, 'RS256')
    const checked = { audience: this.issuer, issuer: this.clientId, subject: this.clientId }
    return jwtVerify(assertion, key, checked).then(
      () => true,
      () => false,
    )
  }

  get config() {
    return { type: 'oidc', issuer: this.issuer, clientId: this.clientId }
  }

  /** A connection of the organization, tested and active, and its verified domain. @returns the id of the connection */
  async connect(at: Company, domain: string | null, more: object = {}): Promise<string> {
    const { device } = at.owner
    const created = await device.post('/sso/create-connection', {
      organizationId: at.id,
      name: 'IdP',
      config: this.config,
      clientSecret: this.clientSecret,
      ...more,
    })
    if (created.status !== 200) throw new Error(JSON.stringify(created.body))
    const connectionId: string = created.body.id
    await this.test(at, connectionId)
    await device.post('/sso/update-connection', { organizationId: at.id, connectionId, state: 'active' })
    if (domain !== null) await this.verify(at, domain)
    return connectionId
  }

  async test(at: Company, connectionId: string): Promise<void> {
    const { device } = at.owner
    const started = await device.post('/sso/test-connection', {
      organizationId: at.id,
      connectionId,
      callbackURL: '/settings',
    })
    await device.get(`/sso/callback/${connectionId}`, { query: this.authorize(started.body.url) })
  }

  async verify(at: Company, domain: string): Promise<Answer> {
    const claim = await at.owner.device.post('/sso/add-domain', { organizationId: at.id, domain })
    this.records.set(claim.body.record.name, claim.body.record.value)
    return at.owner.device.post('/sso/verify-domain', { organizationId: at.id, domainId: claim.body.id })
  }

  /** Signs in on a device. @returns the target of the last redirect, below the origin */
  async signIn(device: Device, email: string, more: Record<string, string> = {}): Promise<string> {
    const started = await device.post('/sign-in/sso', { email, callbackURL: '/dash', errorCallbackURL: '/err' })
    if (started.status !== 200) return started.body.code
    const redirectUri = new URL(started.body.url).searchParams.get('redirect_uri')!
    const answer = await device.get(new URL(redirectUri).pathname, {
      query: { ...this.authorize(started.body.url), ...more },
    })
    return (answer.headers.get('location') ?? String(answer.status)).replace(origin, '')
  }
}
