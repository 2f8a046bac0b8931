/** How the documentation of a provider is written down, as data that a fake goes by. */

/** Somebody with an account there. Take a field away to see what happens without it. */
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

/** What a code was given out for. */
export interface Grant {
  clientId: string
  redirectUri: string
  scopes: string[]
  challenge: string | null
  nonce: string | null
  /** What the callback told besides the code, such as VK's device. */
  bound: Record<string, string>
}

/** The documentation of one provider, as data. */
export interface ProviderDocumentation {
  id: string
  /** Where all this is said. */
  documents: string[]
  clientId: string
  clientSecret: string
  /** More of `socialProviders.<id>` for the walk. */
  options?: Record<string, unknown>

  authorization: {
    url: string
    /** Parameters that must be there with just this value. */
    fixed?: Record<string, string>
    /** Parameters that may be there besides the usual ones. */
    optional?: string[]
    clientIdName?: string
    /** All the scopes that there are. */
    scopes: string[]
    scopeSeparator?: string
    scopeRequired?: boolean
    pkce: 'required' | 'supported' | 'unknown'
    /** How the callback comes; default a GET with a query. */
    callback?: 'query' | 'form'
    /** More that the callback carries; what it says the token request has to repeat. */
    besides?: Record<string, string>
    /** What the callback says when the person refuses. */
    refusal: Record<string, string>
  }

  token: {
    url: string
    authentication: 'basic' | 'post' | 'either' | 'none' | 'signed'
    clientIdName?: string
    /** Parameters that must be there besides those of the grant. */
    besides?: string[]
    redirectUriRequired?: boolean
    /** Headers without which there is no JSON, or no answer at all. */
    headers?: Record<string, RegExp>
    /** What is answered besides the access token. */
    answer: (grant: Grant) => Record<string, unknown>
    /** What is answered to a code or refresh token that is wrong, used or expired. */
    refusal: { status: number; body: unknown }
    refresh?: boolean
  }

  /** The key set, for a provider of OpenID Connect. */
  jwks?: string
  /** Claims of the id token besides those about the token itself. */
  claims?: (person: ProviderPerson) => Record<string, unknown>
  issuer?: string

  /** Endpoints by `METHOD address without query`. They are called with a valid bearer token only, unless `open`. */
  api: Record<string, (call: { person: ProviderPerson; request: OutsideRequest; scopes: string[] }) => unknown>
  /** Endpoints that look at the access token themselves. */
  open?: string[]
  /** Headers without which the API refuses. */
  apiHeaders?: Record<string, RegExp>
}
