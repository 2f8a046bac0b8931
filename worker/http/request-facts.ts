import * as z from 'zod'
import { basePath } from '../identity/settings.ts'
import { type Language, languageAsked } from '../kit/language.ts'
import { defineOptions, section } from '../kit/options.ts'
import { clientAddress } from '../platform/client-address.ts'

export const requestOptions = defineOptions('ipAddress', () =>
  section({
    /** Addresses or CIDR ranges of proxies in front of Cloudflare's edge whose X-Forwarded-For is trusted. */
    trustedProxies: z.array(z.string()).default([]),
  }),
)

/** https://developers.cloudflare.com/workers/runtime-apis/request/#incomingrequestcfproperties */
interface CloudflareFacts {
  city: string
  country: string
  asn: number
  regionCode: string
  /** Degrees as text. */
  latitude: string
  longitude: string
}

/** Facts of a request, each computed at its first use. */
export class RequestFacts {
  readonly method: string
  readonly headers: Headers
  readonly path: string
  readonly #cf: Partial<CloudflareFacts> | undefined
  #id: string | undefined
  #ip: string | null | undefined
  #language: Language | null | undefined

  constructor(
    request: Request,
    path: string,
    private readonly trustedProxies: readonly string[],
    private readonly languages: readonly Language[],
  ) {
    this.method = request.method
    this.#cf = request.cf as Partial<CloudflareFacts> | undefined
    this.headers = request.headers
    // A path outside the base path (RFC 8615) stays as it is.
    this.path = path.startsWith(basePath) ? path.slice(basePath.length) : path
  }
  get id(): string {
    return (this.#id ??= this.headers.get('cf-ray') ?? crypto.randomUUID())
  }
  get ip(): string | null {
    if (this.#ip === undefined) this.#ip = clientAddress(this.headers, this.trustedProxies)
    return this.#ip
  }
  get place(): { city: string | null; country: string | null } {
    const { city, country } = this.#cf ?? {}
    return { city: city ?? null, country: country ?? null }
  }
  get network() {
    const { asn, regionCode, latitude, longitude } = this.#cf ?? {}
    const [north, east] = [Number.parseFloat(latitude ?? ''), Number.parseFloat(longitude ?? '')]
    const position = Number.isNaN(north) || Number.isNaN(east) ? null : ([Math.round(north), Math.round(east)] as const)
    return { asn: asn ?? null, region: regionCode ?? null, position }
  }
  get language(): Language | null {
    if (this.#language === undefined)
      this.#language = languageAsked(this.headers.get('accept-language'), this.languages)
    return this.#language
  }
  get userAgent(): string {
    return (this.headers.get('user-agent') ?? '').slice(0, 512)
  }
}
