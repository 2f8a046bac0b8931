import { oauthError } from '../identity-provider/identity-provider.errors.ts'
import type { Agent } from '../identity-provider/model/clients/clients.table.ts'
import { maxChain } from '../identity-provider/model/grants/chain.ts'
import type { OAuthAccessToken } from '../identity-provider/model/grants/grants.table.ts'
import type { AuthorizationDetail } from '../identity-provider/model/protocol/authorization-details.ts'
import { words } from '../identity-provider/model/protocol/parameters.ts'
import { normalResource } from '../identity-provider/model/protocol/urls.ts'
import { grantedDetails, type TokenCheck, type TokenRequest } from '../identity-provider/token/token-checks.ts'
import { moreThanGranted, notGranted } from './vault/provide.ts'

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
export const providerTokenChecks = {
  liveSubject,
  subjectKey,
  offeredProvider,
  owner,
  noOtherAgent,
  grantedProvider,
  grantedScopes,
  heldScopes,
} satisfies Record<string, ProviderCheck>
