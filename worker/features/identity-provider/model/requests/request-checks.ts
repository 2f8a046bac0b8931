import { isPublic } from '../clients/client.ts'
import { detailsFault } from '../protocol/authorization-details.ts'
import { words } from '../protocol/parameters.ts'
import { readClaims } from '../protocol/requested-claims.ts'
import { requestedScopes } from '../protocol/requested-scopes.ts'
import { normalResource } from '../protocol/urls.ts'
import { type AuthorizationRequest, type RequestRefusal, refusal } from './authorization-request.ts'
import { canAnswer } from './client-answer.ts'

/** One named check of an authorization request; null accepts it. A check has no effects. */
export type RequestCheck = (request: AuthorizationRequest) => RequestRefusal | null

/** RFC 6749, section 3.1: a parameter must not be repeated. */
export const nothingRepeated: RequestCheck = ({ repeated }) =>
  repeated.length === 0 ? null : refusal('invalid_request', `${repeated[0]} must not be repeated`)

/** OpenID Connect Core, sections 6.2 and 7.2.1: request objects and pushed requests are already resolved. */
export const supportedParameters: RequestCheck = ({ given }) => {
  if (given.request_uri) return refusal('request_uri_not_supported', 'request_uri is not supported')
  if (given.registration) return refusal('registration_not_supported', 'registration is not supported')
  return null
}

/** RFC 9126, section 6: a client that registered for it must push its requests; with FAPI 2.0 all clients. */
export const pushedIfRequired: RequestCheck = ({ client, pushed, rules }) =>
  (rules.requirePushed || client.registration.require_pushed_authorization_requests) && !pushed
    ? refusal('invalid_request', 'pushed authorization request is required')
    : null

/** RFC 6749, section 4.1.1. */
export const responseType: RequestCheck = ({ given }) => {
  if (!given.response_type) return refusal('invalid_request', 'response_type is required')
  if (given.response_type === 'code') return null
  return { ...refusal('unsupported_response_type', 'unsupported response type'), page: true }
}

/** OAuth 2.0 Multiple Response Types, section 2.1: never in the fragment, which scripts of the client's page can read. */
export const responseMode: RequestCheck = ({ given: { response_mode: mode }, redirectUri }) =>
  mode === undefined || canAnswer(mode, redirectUri)
    ? null
    : refusal('invalid_request', 'response_mode is not supported')

/** The client's grant (RFC 7591, section 2). */
export const grantType: RequestCheck = ({ client }) =>
  client.registration.grant_types.includes('authorization_code')
    ? null
    : refusal('unauthorized_client', 'client may not use this grant type')

/** RFC 6749, section 3.3: supported scopes that the client is registered for. */
export const scopesCheck: RequestCheck = ({ given, client, rules }) => {
  const allowed = client.registration.scope === undefined ? rules.scopes : words(client.registration.scope)
  const invalid = requestedScopes(given.scope).filter(
    (scope) => !rules.scopes.includes(scope) || !allowed.includes(scope),
  )
  if (invalid.length === 0) return null
  return refusal('invalid_scope', `The following scopes are invalid: ${invalid.join(', ')}`)
}

/** RFC 7636, section 4.2. */
const challengeForm = /^[\w.~-]{43,128}$/

/**
 * RFC 7636, and RFC 9700, section 2.1.1: public clients always use S256; an unknown method is not `plain`. If PKCE is
 * required, so is the method.
 */
export const codeChallenge: RequestCheck = ({ given, client, rules }) => {
  const { code_challenge: challenge, code_challenge_method: method } = given
  if (!challenge) {
    if (method) return refusal('invalid_request', 'code_challenge is required')
    return rules.requirePKCE || isPublic(client) ? refusal('invalid_request', 'pkce is required') : null
  }
  if (rules.requirePKCE && !method) return refusal('invalid_request', 'pkce is required')
  const mayBePlain = rules.allowPlain && !isPublic(client)
  const known = isS256(method) || (mayBePlain && (method === undefined || method.toLowerCase() === 'plain'))
  if (!known) return refusal('invalid_request', 'invalid code_challenge method')
  return challengeForm.test(challenge) ? null : refusal('invalid_request', 'invalid code_challenge')
}

/** Clients of this protocol write it in upper and in lower case. */
export const isS256 = (method: string | undefined): boolean => method?.toLowerCase() === 's256'

/** The values of `prompt` (OpenID Connect Core, section 3.1.2.1). */
export const promptValues = ['none', 'login', 'consent', 'select_account']

/** Known values only, and `none` alone. */
export const prompt: RequestCheck = ({ given }) => {
  const prompts = words(given.prompt)
  if (!prompts.every((one) => promptValues.includes(one))) return refusal('invalid_request', 'unknown prompt')
  return prompts.includes('none') && prompts.length > 1
    ? refusal('invalid_request', 'prompt none must be the only prompt')
    : null
}

/** OpenID Connect Core, section 3.1.2.1. */
export const maxAge: RequestCheck = ({ given }) =>
  given.max_age === undefined || /^\d{1,10}$/.test(given.max_age)
    ? null
    : refusal('invalid_request', 'max_age must be a number of seconds')

/** OpenID Connect Core, section 5.5. */
export const claimsCheck: RequestCheck = ({ given }) =>
  readClaims(given.claims) ? null : refusal('invalid_request', 'claims must be a JSON object of claims')

/** RFC 8707, section 2: configured resource servers, as absolute URIs without a fragment. */
export const resource: RequestCheck = ({ given, rules }) =>
  words(given.resource).every((one) => rules.resources.includes(normalResource(one)))
    ? null
    : refusal('invalid_target', 'the resource is unknown')

/** RFC 8707, section 2: a request for a scope of a resource server names that resource. */
export const resourceScopes: RequestCheck = ({ given, rules }) => {
  const named = words(given.resource).map(normalResource)
  const foreign = requestedScopes(given.scope).filter((scope) => {
    const owner = rules.scopeOwners.get(scope)
    return owner !== undefined && !named.includes(owner)
  })
  if (foreign.length === 0) return null
  return refusal('invalid_scope', `The request does not name the resource of: ${foreign.join(', ')}`)
}

/** RFC 9396, section 5. */
export const authorizationDetailsCheck: RequestCheck = ({ given, client, rules }) => {
  const fault = detailsFault(rules.detailTypes, given.authorization_details, {
    registered: client.registration.authorization_details_types,
    scopes: requestedScopes(given.scope),
    resources: words(given.resource).map(normalResource),
  })
  return fault === null ? null : refusal('invalid_authorization_details', fault)
}

/** RFC 9449, section 10. */
export const keyThumbprint: RequestCheck = ({ given }) =>
  given.dpop_jkt === undefined || /^[\w-]{43}$/.test(given.dpop_jkt)
    ? null
    : refusal('invalid_request', 'dpop_jkt must be a thumbprint')

export const lengths: RequestCheck = ({ given }) =>
  (given.state ?? '').length > 2000 || (given.nonce ?? '').length > 1000
    ? refusal('invalid_request', 'state or nonce is too long')
    : null

/** Every check of an authorization request, in order; the first refusal is the answer. */
export const checks = {
  nothingRepeated,
  supportedParameters,
  pushedIfRequired,
  responseType,
  responseMode,
  grantType,
  scopes: scopesCheck,
  codeChallenge,
  prompt,
  maxAge,
  claims: claimsCheck,
  resource,
  resourceScopes,
  authorizationDetails: authorizationDetailsCheck,
  keyThumbprint,
  lengths,
} satisfies Record<string, RequestCheck>
