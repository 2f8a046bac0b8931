import { catalogue, type ErrorKind, type ErrorOptions, OAuthError } from '../../kit/errors.ts'

/** Errors of the screens and of the API. */
export const identityProviderErrors = catalogue({
  INVALID_REDIRECT_URI: [400, 'Invalid redirect URI'],
  NO_CONSENT_PAGE_PROVIDED: [500, 'No consent page provided'],
  INVALID_USER_CODE: [400, 'Invalid user code'],
  CONNECTION_NOT_FOUND: [404, 'Connection not found'],
  CLIENT_NOT_FOUND: [404, 'Client not found'],
  NOTHING_TO_UPDATE: [400, 'Nothing to update'],
  RESOURCE_NOT_FOUND: [404, 'Resource not found'],
  INVALID_RESOURCE_IDENTIFIER: [400, 'The identifier must be an https:// address of another host, or a URN'],
  INVALID_RESOURCE_LIFETIME: [400, 'JWTs of a registered resource live for an hour at most'],
  RESOURCE_DOMAIN_NOT_VERIFIED: [403, 'The organization has not verified the domain of the address'],
  RESOURCE_EXISTS: [409, 'The identifier belongs to another resource'],
  RESOURCE_SCOPE_EXISTS: [409, 'A scope belongs to another resource or to this server'],
  RESOURCE_LIMIT_REACHED: [403, 'The maximum number of resources is reached'],
  SERVICE_NOT_FOUND: [404, 'Service not found'],
  INVALID_SERVICE_ACCESS: [400, 'A service needs scopes of known resources of this deployment'],
  INVALID_SERVICE_KEYS: [400, 'A service needs public keys, or a public https address of them, or a secret'],
  SERVICE_LIMIT_REACHED: [403, 'The maximum number of services is reached'],
  AGENT_NOT_FOUND: [404, 'Agent not found'],
  INVALID_AGENT_ACCESS: [400, 'An agent needs scopes of configured resources'],
  INVALID_AGENT_NAME: [400, 'The name of an agent must not begin with the name of this service'],
  INVALID_AGENT_KEYS: [400, 'An agent needs public keys, or a public https address of them'],
  INVALID_AGENT_NOTIFICATION_ENDPOINT: [
    400,
    'Notifications of an agent need a public https address without a fragment',
  ],
  AGENT_LIMIT_REACHED: [403, 'The maximum number of agents is reached'],
  ORGANIZATION_REFUSES_AGENT: [403, 'You are not allowed to create agents of this organization'],
  AGENT_ACCOUNT_NOT_FOUND: [404, 'The caller has no such linked account'],
  AGENT_PROVIDER_NOT_OFFERED: [403, 'The tokens of this account are not offered to agents'],
  AGENT_PROVIDER_SCOPES_CHANGED: [409, 'The account has other scopes now'],
  AGENT_BUDGET_USED: [429, 'The agent has used its budget of the day'],
  APPROVAL_NOT_FOUND: [404, 'The request does not exist, is answered, or has expired'],
  APPROVAL_NEEDS_SECOND_FACTOR: [403, 'The request needs a sign-in with a second factor'],
})

/**
 * The error codes of OAuth 2.0 and its extensions with their status. A wrong code or refresh token is 400
 * (RFC 6749, section 5.2); a failed client authentication is 401, as is an invalid access token (RFC 6750, section 3.1).
 */
const errors = {
  invalid_request: [400, 'a parameter is missing, repeated or malformed'],
  invalid_client: [401, 'the client is unknown or disabled, or its authentication failed'],
  invalid_grant: [400, 'the code or token is invalid, used, expired or issued to another client'],
  unauthorized_client: [400, 'the grant type is not permitted for the client'],
  unsupported_grant_type: [400, 'the grant type is not supported'],
  unsupported_response_type: [400, 'the response type is not supported'],
  invalid_scope: [400, 'a scope is unknown, or not permitted for the client'],
  invalid_target: [400, 'the resource is unknown, or was not granted'],
  invalid_authorization_details: [400, 'authorization details are malformed, unknown, or were not granted'],
  invalid_dpop_proof: [400, 'the proof of possession is missing, invalid or used'],
  use_dpop_nonce: [400, 'the proof of possession needs the nonce of the header DPoP-Nonce'],
  invalid_request_object: [400, 'the request object is invalid'],
  request_uri_not_supported: [400, 'the request was not pushed to this server'],
  registration_not_supported: [400, 'registration in the request is not supported'],
  invalid_token: [401, 'the token is unknown, expired, or for another resource'],
  insufficient_user_authentication: [401, 'the authentication is too old or too weak (RFC 9470)'],
  insufficient_scope: [403, 'the token does not have the required scopes'],
  invalid_redirect_uri: [400, 'a redirect URI is not permitted'],
  invalid_client_metadata: [400, 'the client metadata is invalid'],
  authorization_pending: [400, 'the user has not answered yet'],
  slow_down: [400, 'the client asks or polls too often'],
  access_denied: [400, 'the user has denied the request'],
  expired_token: [400, 'the device code, or the request for an approval, has expired'],
  invalid_binding_message: [400, 'the binding message is too long, or is not plain text'],
  not_found: [404, 'the client does not exist'],
  server_error: [500, 'internal error'],
} as const

export type OAuthErrorCode = keyof typeof errors

/** For contracts: errors of an endpoint. @param status in place of the status of the code */
export const oauthErrorKinds = (codes: readonly OAuthErrorCode[], status?: number): ErrorKind<OAuthErrorCode>[] =>
  codes.map((code) => ({ status: status ?? errors[code][0], code, message: errors[code][1], form: 'oauth' }))

/** Errors of endpoints that authenticate a client (model/clients/authenticate.ts, model/requests/dpop.ts). */
export const forClientErrors = oauthErrorKinds([
  'invalid_request',
  'invalid_client',
  'invalid_dpop_proof',
  'use_dpop_nonce',
])

/** Errors of endpoints that accept an access token (userinfo/userinfo.ts). */
export const bearerErrors = [
  ...oauthErrorKinds(['invalid_request', 'invalid_token', 'invalid_dpop_proof', 'use_dpop_nonce'], 401),
  ...oauthErrorKinds(['invalid_request', 'insufficient_scope']),
]

/** An error of the protocol: `{ error, error_description }` with its status. */
export const oauthError = (
  code: OAuthErrorCode,
  description: string,
  { status = errors[code][0], ...options }: ErrorOptions & { status?: number } = {},
): OAuthError => new OAuthError(status, code, description, { ...challenges[code], ...options })

/** A 401 names an authentication scheme (RFC 9110, section 15.5.2). */
const challenges: { [Code in OAuthErrorCode]?: ErrorOptions } = {
  invalid_client: { headers: { 'www-authenticate': 'Basic realm="oauth2"' } },
}

/** The characters that RFC 6750, section 3, allows in a parameter. */
const quotable = (text: string) => text.replaceAll(/["\\]/g, "'").replaceAll(/[^ -~]/g, '?')

/** The error of a resource (RFC 6750, section 3). For a missing token the challenge contains no error (section 3.1). */
export function challenged(
  code:
    | 'invalid_request'
    | 'invalid_token'
    | 'insufficient_scope'
    | 'insufficient_user_authentication'
    | 'invalid_dpop_proof'
    | 'use_dpop_nonce',
  description: string,
  { scheme = 'Bearer', ...parameters }: { scheme?: 'Bearer' | 'DPoP'; [parameter: string]: string | undefined } = {},
): OAuthError {
  const details = Object.entries({ error: code, error_description: description, ...parameters })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}="${quotable(value!)}"`)
    .join(', ')
  const status = code === 'insufficient_scope' ? 403 : 401
  const challenge = code === 'invalid_request' ? scheme : `${scheme} ${details}`
  return oauthError(code, description, { status, headers: { 'www-authenticate': challenge } })
}
