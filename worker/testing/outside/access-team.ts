import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { vi } from 'vitest'

/**
 * Cloudflare Access as documented: signs application tokens, and publishes the current and the previous key of a team.
 * https://developers.cloudflare.com/cloudflare-one/access-controls/applications/http-apps/authorization-cookie/
 */

export const accessHeader = 'cf-access-jwt-assertion'

interface SigningKey {
  kid: string
  keys: { privateKey: CryptoKey; publicKey: CryptoKey }
}

let made = 0
const newKey = async (): Promise<SigningKey> => ({
  kid: `${++made}`.padStart(64, '0'),
  keys: await generateKeyPair('RS256', { extractable: true }),
})

/** The Worker caches the key set of a team: all tests of a file share its first key. */
const first = newKey()

export class AccessTeam {
  static readonly config = { team: 'acme', audience: '32eafc76'.repeat(8) }
  readonly issuer = `https://${AccessTeam.config.team}.cloudflareaccess.com`
  /** The requests for the keys. */
  asked = 0
  /** Puts the keys out of order. */
  isDown = false
  private signing: Promise<SigningKey> = first
  private previous: Promise<SigningKey> | null = null

  /** Answers the requests for the keys; other requests go where they went before. Restore with vi.restoreAllMocks(). */
  install(): this {
    const { fetch } = globalThis
    const others = (vi.isMockFunction(fetch) && (fetch.getMockImplementation() as typeof fetch)) || fetch
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const { url } = new Request(input, init)
      return url === `${this.issuer}/cdn-cgi/access/certs` ? this.certificates() : others(input, init)
    })
    return this
  }

  /** Later tokens have a new key; the earlier one remains published. */
  rotate(): void {
    this.previous = this.signing
    this.signing = newKey()
  }

  private async certificates(): Promise<Response> {
    this.asked++
    if (this.isDown) return new Response('error code: 1016', { status: 530 })
    const keys = await Promise.all([this.signing, ...(this.previous ? [this.previous] : [])])
    const published = keys.map(async ({ kid, keys }) => {
      return { ...(await exportJWK(keys.publicKey)), kid, alg: 'RS256', use: 'sig' }
    })
    return Response.json({ keys: await Promise.all(published), public_cert: {}, public_certs: [] })
  }

  /** The claims of a user's token. */
  claims(email: string): JWTPayload {
    const now = Math.floor(Date.now() / 1000)
    return {
      aud: [AccessTeam.config.audience],
      email,
      exp: now + 86_400,
      iat: now,
      nbf: now,
      iss: this.issuer,
      type: 'app',
      identity_nonce: '6ei69kawdKzMIAPF',
      sub: `7335d417-61da-459d-899c-${email}`,
      country: 'US',
    }
  }

  /** The claims of the token of a service. */
  serviceClaims(): JWTPayload {
    const { email: _, nbf: _nbf, identity_nonce: _nonce, country: _country, ...claims } = this.claims('')
    return { ...claims, common_name: 'e367826f93b8d71185e03fe518aff3b4.access', sub: '' }
  }

  async sign(claims: JWTPayload): Promise<string> {
    const { kid, keys } = await this.signing
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' }).sign(keys.privateKey)
  }

  /** The header of a user's requests. */
  async headers(email: string, changes: JWTPayload = {}): Promise<Record<string, string>> {
    return { [accessHeader]: await this.sign({ ...this.claims(email), ...changes }) }
  }
}
