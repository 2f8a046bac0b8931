/** The types that describe the documentation of a provider as data for a fake. */

/** A user with an account at the provider. Tests remove fields to check the behaviour without them. */
export interface ProviderPerson {
  id?: string
  email?: string
}

/** A request that arrived at the API or the token endpoint. */
export interface OutsideRequest {
  method: string
  url: URL
  headers: Headers
  body: string
  form: URLSearchParams
}

/** The authorization that belongs to a code. */
export interface Grant {
  clientId: string
  redirectUri: string
  scopes: string[]
  challenge: string | null
  nonce: string | null
  /** The additional parameters of the callback, such as VK's device. */
  bound: Record<string, string>
}

/** The documentation of one provider, as data. */
export interface ProviderDocumentation {
  id: string
  /** The addresses of the documentation. */
  documents: string[]
  clientId: string
  clientSecret: string
  /** More of `socialProviders.<id>` for the walk. */
  options?: Record<string, unknown>

  authorization: {
    url: string
    /** Required parameters that must have exactly this value. */
    fixed?: Record<string, string>
    /** Additional parameters that are optional. */
    optional?: string[]
    clientIdName?: string
    /** All scopes of the provider. */
    scopes: string[]
    scopeSeparator?: string
    scopeRequired?: boolean
    pkce: 'required' | 'supported' | 'unknown'
    /** The method of the callback; default GET with a query. */
    callback?: 'query' | 'form'
    /** Additional callback parameters. The token request must repeat those that `token.additional` names. */
    additional?: Record<string, string>
    /** The callback parameters after a denial. */
    refusal: Record<string, string>
  }

  token: {
    url: string
    authentication: 'basic' | 'post' | 'either' | 'none' | 'signed'
    clientIdName?: string
    /** Required parameters in addition to those of the grant. */
    additional?: string[]
    redirectUriRequired?: boolean
    /** Headers that the response requires. */
    headers?: Record<string, RegExp>
    /** The fields of the response in addition to the access token. */
    answer: (grant: Grant) => Record<string, unknown>
    /** The response to an invalid, used or expired code or refresh token. */
    refusal: { status: number; body: unknown }
    refresh?: boolean
    /** Refresh tokens stay valid after their use. */
    withoutRotation?: boolean
  }

  /** The key set, for a provider of OpenID Connect. */
  jwks?: string
  /** Claims of the id token in addition to those about the token itself. */
  claims?: (person: ProviderPerson) => Record<string, unknown>
  issuer?: string

  /** Endpoints by `METHOD address without query`. They require a valid bearer token, unless `open`. */
  api: Record<string, (call: { person: ProviderPerson; request: OutsideRequest; scopes: string[] }) => unknown>
  /** Endpoints that check the access token with their own rules. */
  open?: string[]
  /** Headers that the API requires. */
  apiHeaders?: Record<string, RegExp>
}
