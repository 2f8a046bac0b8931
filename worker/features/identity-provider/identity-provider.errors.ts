import { type ErrorOptions, OAuthError } from '../../kit/errors.ts'

/**
 * The error codes of OAuth 2.0 and its extensions with their status. A wrong code or refresh token is 400
 * (RFC 6749, section 5.2), a client that is not who it says is 401, as is a token that opens nothing
 * (RFC 6750, section 3.1).
 */
const statuses = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  invalid_dpop_proof: 400,
  invalid_token: 401,
  insufficient_scope: 403,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  authorization_pending: 400,
  slow_down: 400,
  access_denied: 400,
  expired_token: 400,
  not_found: 404,
  server_error: 500,
} as const

export type OAuthErrorCode = keyof typeof statuses

/** An error of the protocol: `{ error, error_description }` with its status. */
export const oauthError = (
  code: OAuthErrorCode,
  description: string,
  { status = statuses[code], ...options }: ErrorOptions & { status?: number } = {},
): OAuthError => new OAuthError(status, code, description, options)

/** What a resource tells a caller whose token is missing or does not do (RFC 6750, section 3). */
export function challenged(
  code: 'invalid_request' | 'invalid_token' | 'insufficient_scope',
  description: string,
  { scheme = 'Bearer', ...parameters }: { scheme?: 'Bearer' | 'DPoP'; [parameter: string]: string | undefined } = {},
): OAuthError {
  const details = Object.entries({ error: code, error_description: description, ...parameters })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')
  const status = code === 'insufficient_scope' ? 403 : 401
  return oauthError(code, description, { status, headers: { 'www-authenticate': `${scheme} ${details}` } })
}
