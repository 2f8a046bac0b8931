import { createHash } from 'node:crypto'
import type { OAuthError } from '../../../kit/errors.ts'
import { equalSecrets } from '../../../kit/hash.ts'
import type { DetailType } from '../detail-types.config.ts'
import { oauthError } from '../identity-provider.errors.ts'
import { type Client, isPublic, mayRefresh } from '../model/clients/client.ts'
import type { Agent } from '../model/clients/clients.table.ts'
import { maxChain } from '../model/grants/chain.ts'
import type { CodeGrant, Grant } from '../model/grants/grant.ts'
import type { OAuthAccessToken } from '../model/grants/grants.table.ts'
import { type AuthorizationDetail, areWithin, readDetails } from '../model/protocol/authorization-details.ts'
import { type Parameters, words } from '../model/protocol/parameters.ts'
import { chooseResource } from '../model/protocol/resources.ts'
import { normalResource } from '../model/protocol/urls.ts'
import { moreThanGranted, notGranted } from '../vault/provide.ts'

/** A token request with a proven client. */
interface TokenRequest {
  given: Parameters
  client: Client
  /** Thumbprint of the key in its proof of possession. */
  key: string | null
  now: Date
  /** Of the configuration. */
  detailTypes: readonly DetailType[]
}

/** One named check; null accepts the request. A check has no effects, so that a rejected request uses nothing. */
type TokenCheck<Presented> = (request: TokenRequest & Presented) => OAuthError | null
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
const grantedDetails = (
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

interface Exchange {
  agent: Agent
  /** The subject token. */
  token: OAuthAccessToken
  /** The scopes that its user allows the agent; null without a consent. */
  allowed: readonly string[] | null
  /** The scopes that the agent can have of the token. */
  delegable: readonly string[]
  /** The authorization details of the token that the new scopes permit. */
  held: readonly AuthorizationDetail[]
}

type ExchangeCheck = TokenCheck<Exchange>
type SubjectCheck = TokenCheck<Pick<Exchange, 'token' | 'allowed'>>

/** An exchange with a live subject token and a proven agent, before its checks. */
export type ProvenExchange = TokenRequest & Omit<Exchange, 'delegable' | 'held'>

const liveSubject: SubjectCheck = ({ token, now }) =>
  token.accessTokenExpiresAt.getTime() - now.getTime() < 1000
    ? oauthError('invalid_grant', 'invalid subject_token')
    : null

/** A token that is bound to a key never becomes one of another key, or of none. */
const subjectKey: SubjectCheck = ({ token, key }) =>
  token.keyThumbprint !== null && token.keyThumbprint !== key
    ? oauthError('invalid_dpop_proof', 'the subject_token is bound to another key')
    : null

const owner: SubjectCheck = ({ allowed }) =>
  allowed === null ? oauthError('access_denied', 'the user does not allow the agent') : null

/** RFC 8693, section 2.1: an exchange never changes the resource, which would give more than the token had. */
const audience: ExchangeCheck = ({ given, token, agent }) => {
  const { resource } = token
  const named = [given.resource, given.audience].flatMap((list) => words(list)).map(normalResource)
  if (resource === null || named.some((one) => one !== resource)) {
    return oauthError('invalid_target', 'the subject_token is for another resource')
  }
  return Object.hasOwn(agent.access, resource)
    ? null
    : oauthError('invalid_target', 'the agent has no access to the resource')
}

const delegatedScopes: ExchangeCheck = ({ given, delegable }) => {
  const more = words(given.scope).filter((scope) => !delegable.includes(scope))
  if (more.length > 0) return oauthError('invalid_scope', `The following scopes are invalid: ${more.join(', ')}`)
  return delegable.length === 0 ? oauthError('invalid_scope', 'the agent may not have any scope of the token') : null
}

const delegatedDetails: ExchangeCheck = (request) => grantedDetails(request, request.held)

const chainLength: ExchangeCheck = ({ token }) =>
  (token.chain ?? []).length >= maxChain ? oauthError('invalid_grant', 'the chain of agents is too long') : null

/** Every check of a token exchange, in order. */
export const exchangeChecks = {
  liveSubject,
  subjectKey,
  owner,
  audience,
  delegatedScopes,
  delegatedDetails,
  chainLength,
} satisfies Record<string, ExchangeCheck>

interface ProviderExchange extends Pick<Exchange, 'token' | 'allowed'> {
  /** Scopes that the deployment offers of the provider; null: none of its tokens. */
  offered: readonly string[] | null
  /** The user's grant, with the scopes that the account has now; null without one. */
  grant: { scopes: readonly string[]; held: readonly string[] } | null
}

type ProviderCheck = TokenCheck<ProviderExchange>

const offeredProvider: ProviderCheck = ({ offered }) =>
  offered === null ? oauthError('invalid_target', 'tokens of this provider are not available to agents') : null

/** The user has agreed to this agent, not to others that it acts for. */
const noOtherAgent: ProviderCheck = ({ token, client }) =>
  (token.chain ?? []).some(({ agent }) => agent !== client.clientId)
    ? oauthError('access_denied', 'the subject_token is that of another agent')
    : null

const grantedProvider: ProviderCheck = ({ grant }) => (grant === null ? notGranted() : null)

const grantedScopes: ProviderCheck = ({ given, grant }) => {
  const more = words(given.scope).filter((scope) => !grant!.scopes.includes(scope))
  if (more.length === 0) return null
  return oauthError('invalid_scope', `The following scopes are invalid: ${more.join(', ')}`)
}

/** A token cannot be divided: the agent gets none of an account that has received more scopes since. */
const heldScopes: ProviderCheck = ({ grant, offered }) => {
  const { held, scopes } = grant!
  const isCovered = held.length > 0 && held.every((one) => scopes.includes(one) && offered!.includes(one))
  return isCovered ? null : moreThanGranted()
}

/** Every check of an exchange for the token of a provider, in order. */
export const providerChecks = {
  liveSubject,
  subjectKey,
  offeredProvider,
  owner,
  noOtherAgent,
  grantedProvider,
  grantedScopes,
  heldScopes,
} satisfies Record<string, ProviderCheck>

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
