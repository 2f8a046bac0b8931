import { type ErrorKind, type ErrorOptions, OAuthError } from '../../kit/errors.ts'

/**
 * The error codes of OAuth 2.0 and its extensions with their status. A wrong code or refresh token is 400
 * (RFC 6749, section 5.2), a client that is not who it says is 401, as is a token that opens nothing
 * (RFC 6750, section 3.1).
 */
const errors = {
  invalid_request: [400, 'a parameter is missing, repeated or malformed'],
  invalid_client: [401, 'the client is unknown, disabled, or not who it says'],
  invalid_grant: [400, 'the code or token is wrong, used, expired, or not for this client'],
  unauthorized_client: [400, 'the client may not use this grant'],
  unsupported_grant_type: [400, 'no such grant'],
  unsupported_response_type: [400, 'no such response type'],
  invalid_scope: [400, 'a scope is unknown, or more than the client may have'],
  invalid_target: [400, 'the resource is unknown, or was not granted'],
  invalid_dpop_proof: [400, 'the proof of possession is missing, wrong or used'],
  request_not_supported: [400, 'request objects are not supported'],
  request_uri_not_supported: [400, 'the request was not pushed to here'],
  registration_not_supported: [400, 'registration in the request is not supported'],
  invalid_token: [401, 'the token is unknown, expired, or for another resource'],
  insufficient_scope: [403, 'the token does not go so far'],
  invalid_redirect_uri: [400, 'a redirect URI may not be registered'],
  invalid_client_metadata: [400, 'the description of the client is wrong'],
  authorization_pending: [400, 'the person has not answered yet'],
  slow_down: [400, 'the device polls too often'],
  access_denied: [400, 'the person has refused'],
  expired_token: [400, 'the device code has expired'],
  not_found: [404, 'there is no such client'],
  server_error: [500, 'something went wrong'],
} as const

export type OAuthErrorCode = keyof typeof errors

/** For contracts: what an endpoint may answer, with another status than the code's own if need be. */
export const oauthErrorKinds = (codes: readonly OAuthErrorCode[], status?: number): ErrorKind[] =>
  codes.map((code) => ({ status: status ?? errors[code][0], code, message: errors[code][1], form: 'oauth' }))

/** What whoever calls with the credentials of a client may be told (clients/authenticate.ts, dpop/dpop.ts). */
export const forClientErrors = oauthErrorKinds(['invalid_request', 'invalid_client', 'invalid_dpop_proof'])

/** What whoever presents an access token may be told (userinfo/userinfo.ts). */
export const bearerErrors = [
  ...oauthErrorKinds(['invalid_request', 'invalid_token', 'invalid_dpop_proof'], 401),
  ...oauthErrorKinds(['insufficient_scope']),
]

/** An error of the protocol: `{ error, error_description }` with its status. */
export const oauthError = (
  code: OAuthErrorCode,
  description: string,
  { status = errors[code][0], ...options }: ErrorOptions & { status?: number } = {},
): OAuthError => new OAuthError(status, code, description, { ...challenges[code], ...options })

/** A client that is not who it says is told how to say it, whichever way it came in (RFC 9110, section 15.5.2). */
const challenges: { [Code in OAuthErrorCode]?: ErrorOptions } = {
  invalid_client: { headers: { 'www-authenticate': 'Basic realm="oauth2"' } },
}

/**
 * What a resource tells a caller whose token is missing or does not do (RFC 6750, section 3); who brings none is told
 * no error in the challenge (section 3.1).
 */
export function challenged(
  code: 'invalid_request' | 'invalid_token' | 'insufficient_scope' | 'invalid_dpop_proof',
  description: string,
  { scheme = 'Bearer', ...parameters }: { scheme?: 'Bearer' | 'DPoP'; [parameter: string]: string | undefined } = {},
): OAuthError {
  const details = Object.entries({ error: code, error_description: description, ...parameters })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')
  const status = code === 'insufficient_scope' ? 403 : 401
  const challenge = code === 'invalid_request' ? scheme : `${scheme} ${details}`
  return oauthError(code, description, { status, headers: { 'www-authenticate': challenge } })
}
