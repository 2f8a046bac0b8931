import { createHash } from 'node:crypto'
import type { OAuthError } from '../../../kit/errors.ts'
import { equalSecrets } from '../../../kit/hash.ts'
import type { DetailType } from '../detail-types.config.ts'
import { oauthError } from '../identity-provider.errors.ts'
import { type Client, isPublic, mayRefresh } from '../model/clients/client.ts'
import type { CodeGrant, Grant } from '../model/grants/grant.ts'
import type { OAuthAccessToken } from '../model/grants/grants.table.ts'
import { type AuthorizationDetail, areWithin, readDetails } from '../model/protocol/authorization-details.ts'
import { type Parameters, words } from '../model/protocol/parameters.ts'
import { chooseResource } from '../model/protocol/resources.ts'

/** A token request with a proven client. */
export interface TokenRequest {
  given: Parameters
  client: Client
  /** Thumbprint of the key in its proof of possession. */
  key: string | null
  now: Date
  /** Of the configuration. */
  detailTypes: readonly DetailType[]
}

/** One named check; null accepts the request. A check has no effects, so that a rejected request uses nothing. */
export type TokenCheck<Presented> = (request: TokenRequest & Presented) => OAuthError | null
type CodeCheck = TokenCheck<{ granted: CodeGrant }>
type RefreshCheck = TokenCheck<{ token: OAuthAccessToken }>

/** RFC 6749, section 10.5; RFC 9700, section 4.5: a code is for the client that received it. */
const ownCode: CodeCheck = ({ granted, client }) =>
  granted.clientId === client.clientId ? null : oauthError('invalid_grant', 'invalid code')

/** RFC 6749, section 4.1.3: the same redirect URI as in the authorization request. */
const redirectUri: CodeCheck = ({ granted, given }) =>
  granted.redirectUri === given.redirect_uri ? null : oauthError('invalid_grant', 'invalid redirect_uri')

/** RFC 9449, section 10. */
const codeKey: CodeCheck = ({ granted, key }) =>
  granted.keyThumbprint && granted.keyThumbprint !== key
    ? oauthError('invalid_dpop_proof', 'the code is bound to another key')
    : null

/** RFC 7636, section 4.1. */
const verifierForm = /^[\w.~-]{43,128}$/

/** A malformed verifier is an invalid parameter, with and without a challenge. */
const verifierFormed: CodeCheck = ({ given: { code_verifier: verifier } }) =>
  verifier === undefined || verifierForm.test(verifier)
    ? null
    : oauthError('invalid_request', 'code_verifier must be 43 to 128 unreserved characters')

/** The verifier by both methods. */
function acceptableProofs(verifier: string | undefined): string[] {
  if (verifier === undefined) return ['']
  return [`S256:${createHash('sha256').update(verifier).digest('base64url')}`, `plain:${verifier}`]
}

/** RFC 7636, section 4.6; a verifier without a challenge is rejected (RFC 9700, section 2.1.1). */
const codeVerifier: CodeCheck = ({ granted, given: { code_verifier: verifier } }) => {
  if (acceptableProofs(verifier).some((proof) => equalSecrets(proof, granted.proof))) return null
  if (verifier === undefined) return oauthError('invalid_request', 'code verifier is missing')
  return oauthError('invalid_grant', 'code verification failed')
}

/** RFC 8707, section 2.2: one of the granted resources. A token has one audience, so that no server can use it at another. */
const grantedResource = (wanted: string | undefined, granted: string | null): OAuthError | null => {
  const chosen = chooseResource(wanted, granted)
  if (chosen === 'ambiguous') return oauthError('invalid_target', 'the request must name one of the granted resources')
  return chosen === 'foreign' ? oauthError('invalid_target', 'the resource was not granted') : null
}

/** RFC 8707, section 2.2. */
const codeResource: CodeCheck = ({ granted, given }) => grantedResource(given.resource, granted.resource)

/** RFC 9396, section 6: a token request narrows what was granted. */
export const grantedDetails = (
  { given, detailTypes }: Pick<TokenRequest, 'given' | 'detailTypes'>,
  granted: readonly AuthorizationDetail[] | null | undefined,
): OAuthError | null => {
  const wanted = given.authorization_details
  if (wanted === undefined || areWithin(detailTypes, readDetails(detailTypes, wanted), granted)) return null
  return oauthError('invalid_authorization_details', 'the authorization details were not granted')
}

const codeDetails: CodeCheck = (request) => grantedDetails(request, request.granted.details)

/** Every check of a code, in order. */
export const codeChecks = {
  ownCode,
  redirectUri,
  codeKey,
  verifierFormed,
  codeVerifier,
  codeResource,
  codeDetails,
} satisfies Record<string, CodeCheck>

/** Every check of a grant that the user has approved elsewhere (device, CIBA), in order. */
export const deviceChecks = {
  deviceResource: ({ granted, given }) => grantedResource(given.resource, granted.resource),
  deviceDetails: (request) => grantedDetails(request, request.granted.details),
} satisfies Record<string, TokenCheck<{ granted: Grant }>>

/** RFC 6749, section 5.2, and RFC 7591, section 2: only a client that registered for it refreshes tokens. */
const refreshGrant: RefreshCheck = ({ client }) =>
  mayRefresh(client) ? null : oauthError('unauthorized_client', 'client may not use this grant type')

/** RFC 6749, section 10.4. Another client's token counts as invalid; its owner's grant stays. */
const ownToken: RefreshCheck = ({ token, client }) =>
  token.clientId === client.clientId ? null : oauthError('invalid_grant', 'invalid refresh token')

/**
 * RFC 9449, section 5: the token of a public client is bound to its key. That of a confidential client is bound to the
 * client, which may use another key, but needs one: a bound token never becomes a bearer token.
 */
const tokenKey: RefreshCheck = ({ token, client, key }) => {
  if (token.keyThumbprint === null || token.keyThumbprint === key) return null
  if (key !== null && !isPublic(client)) return null
  return oauthError('invalid_dpop_proof', 'the token is bound to another key')
}

const notExpired: RefreshCheck = ({ token, now }) =>
  token.refreshTokenExpiresAt! <= now ? oauthError('invalid_grant', 'refresh token expired') : null

/** RFC 8707, section 2.2: one of the resources of the authorization; by default that of the last token. */
const tokenResource: RefreshCheck = ({ token, given }) =>
  grantedResource(given.resource ?? token.resource ?? undefined, token.grantedResources ?? token.resource)

/** RFC 6749, section 6: no scopes are added. */
const scopes: RefreshCheck = ({ token, given }) => {
  const granted = words(token.scopes)
  const more = words(given.scope).filter((scope) => !granted.includes(scope))
  if (more.length === 0) return null
  return oauthError('invalid_scope', `The following scopes are invalid: ${more.join(', ')}`)
}

const tokenDetails: RefreshCheck = (request) => grantedDetails(request, request.token.authorizationDetails)

/** Every check of a refresh token, in order. */
export const refreshChecks = {
  refreshGrant,
  ownToken,
  tokenKey,
  notExpired,
  tokenResource,
  scopes,
  tokenDetails,
} satisfies Record<string, RefreshCheck>

/** @throws the error of the first failed check */
export function runChecks<Request>(
  table: Readonly<Record<string, (request: Request) => OAuthError | null>>,
  request: Request,
): void {
  for (const check of Object.values(table)) {
    const refused = check(request)
    if (refused) throw refused
  }
}
