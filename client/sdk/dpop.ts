/** Proofs of possession (DPoP, RFC 9449) for a client without cookies: its token is worthless without the key. */

/** A key of the application, such as one of the device's security chip. */
export interface DpopKey {
  /** The public key of the curve P-256: `kty`, `crv`, `x` and `y`. */
  jwk: JsonWebKey
  /** Signs with SHA-256 (ES256). @returns 64 bytes, r and s, as of WebCrypto */
  sign(data: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer | Uint8Array>
}

/** Keeps the key between two starts. After its loss the user signs in again. */
export interface DpopStore {
  /**
   * Whether the key has to be exportable, because the store keeps text. Without it WebCrypto never hands the key out.
   * @default false
   */
  extractable?: boolean
  get(): Promise<CryptoKeyPair | null>
  set(pair: CryptoKeyPair): Promise<void>
}

export interface DpopOptions {
  /** @default a pair that WebCrypto makes (ES256) */
  key?: DpopKey
  /** @default the memory: the next start needs a sign-in */
  store?: DpopStore
}

export interface Prover {
  /** The headers of a request. */
  headersOf(method: string, url: string, token: string | null | undefined): Promise<Record<string, string>>
  /** Whether to repeat a request that was refused: the clock of the device was wrong, and is corrected. */
  corrects(response: Response): boolean
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const
/** Seconds by which two clocks may differ. */
const tolerance = 30

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/={1,2}$/, '')

const encode = (text: string) => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>

async function fromWebCrypto({ store }: DpopOptions): Promise<DpopKey> {
  const { subtle } = crypto
  let pair = (await store?.get()) ?? null
  if (!pair) {
    pair = (await subtle.generateKey(algorithm, store?.extractable === true, ['sign'])) as CryptoKeyPair
    await store?.set(pair)
  }
  const { privateKey, publicKey } = pair
  return {
    jwk: (await subtle.exportKey('jwk', publicKey)) as JsonWebKey,
    sign: (data) => subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, data),
  }
}

/** The address of a proof: absolute, without query and fragment. Not `URL`, which React Native implements in part. */
function addressOf(url: string): string {
  const { location } = globalThis as { location?: { origin: string } }
  return ((url.startsWith('/') && location?.origin) || '') + url.split(/[?#]/)[0]!
}

/** @throws TypeError without WebCrypto */
export function createProver(options: DpopOptions): Prover {
  if (typeof crypto === 'undefined' || !crypto.subtle) throw new TypeError('dpop: needs WebCrypto (crypto.subtle)')
  let key: Promise<DpopKey> | null = null
  /** Seconds to add to the clock of the device. */
  let behind = 0

  async function keyOf(): Promise<DpopKey> {
    key ??= options.key ? Promise.resolve(options.key) : fromWebCrypto(options)
    try {
      return await key
    } catch (thrown) {
      // A locked device: the next request asks again.
      key = null
      throw thrown
    }
  }

  return {
    async headersOf(method, url, token) {
      const { jwk, sign } = await keyOf()
      const { kty, crv, x, y } = jwk
      const claims = {
        jti: base64url(crypto.getRandomValues(new Uint8Array(16))),
        htm: method,
        htu: addressOf(url),
        iat: Math.floor(Date.now() / 1000) + behind,
        ...(token ? { ath: base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', encode(token)))) } : {}),
      }
      const header = { alg: 'ES256', typ: 'dpop+jwt', jwk: { kty, crv, x, y } }
      const text = [header, claims].map((part) => base64url(encode(JSON.stringify(part)))).join('.')
      const dpop = `${text}.${base64url(new Uint8Array(await sign(encode(text))))}`
      return { dpop, ...(token && { authorization: `DPoP ${token}` }) }
    },
    corrects(response) {
      if (response.status !== 401 || !/^DPoP /i.test(response.headers.get('www-authenticate') ?? '')) return false
      const date = Date.parse(response.headers.get('date') ?? '')
      if (Number.isNaN(date)) return false
      const found = Math.round((date - Date.now()) / 1000)
      const isOff = Math.abs(found - behind) > tolerance
      if (isOff) behind = found
      return isOff
    },
  }
}
