/** Client metadata that is kept as it was registered (RFC 7591, section 2, and OpenID Connect registration). */
export interface ClientRegistration {
  grant_types: string[]
  response_types: string[]
  /** The most that it may ask for; absent: every supported scope. */
  scope?: string
  client_uri?: string
  logo_uri?: string
  contacts?: string[]
  tos_uri?: string
  policy_uri?: string
  jwks_uri?: string
  jwks?: { keys: Record<string, unknown>[] }
  software_id?: string
  software_version?: string
  software_statement?: string
  application_type?: 'web' | 'native'
  id_token_signed_response_alg?: 'RS256' | 'EdDSA'
  subject_type?: 'public' | 'pairwise'
  post_logout_redirect_uris?: string[]
  backchannel_logout_uri?: string
  require_pushed_authorization_requests?: boolean
  dpop_bound_access_tokens?: boolean
}
