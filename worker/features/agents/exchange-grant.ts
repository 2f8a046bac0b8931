import type { Scope } from '../../identity/scope.ts'
import { oauthError } from '../identity-provider/identity-provider.errors.ts'
import { requireClient } from '../identity-provider/model/clients/authenticate.ts'
import { tokenTypes } from '../identity-provider/model/clients/client.ts'
import { hasEnded, knownClient } from '../identity-provider/model/clients/find-client.ts'
import { presentedHash } from '../identity-provider/model/grants/access-token.ts'
import { selectProviderGrant } from '../identity-provider/model/grants/provider-grants.store.ts'
import { findDelegation } from '../identity-provider/model/grants/tokens.store.ts'
import type { TokenAnswer } from '../identity-provider/model/grants/tokens.ts'
import { detailsAt, detailTypesOf, narrowedDetails } from '../identity-provider/model/protocol/authorization-details.ts'
import { type Parameters, words } from '../identity-provider/model/protocol/parameters.ts'
import { readProof } from '../identity-provider/model/requests/dpop.ts'
import { runChecks } from '../identity-provider/token/token-checks.ts'
import { scopesOfAccount } from '../social/model/sealed-tokens.ts'
import { spendCall } from './agents.ts'
import { issueAssertion } from './assertions/issue-assertion.ts'
import { delegableScopes, issueDelegated } from './delegate.ts'
import { exchangeChecks, type ProvenExchange, providerTokenChecks } from './exchange-checks.ts'
import { offeredScopes } from './vault/offered.ts'
import { provideToken, type UsableGrant } from './vault/provide.ts'

/**
 * RFC 8693: an agent exchanges the access token of a user, or of another agent that acts for the user, for one of its own
 * with `act`, or for that of a provider. The authenticated client is the actor (section 1.1, delegation). All checks
 * precede the use of the budget.
 */
export async function exchangeToken(
  scope: Scope,
  given: Parameters,
  authorization: string | null,
): Promise<TokenAnswer> {
  if (given.requested_token_type === tokenTypes.assertion) return issueAssertion(scope, given, authorization)
  if (!given.subject_token) throw oauthError('invalid_request', 'subject_token is required')
  if (given.subject_token_type !== tokenTypes.access) {
    throw oauthError('invalid_request', 'subject_token_type must be that of an access token')
  }
  const requested = given.requested_token_type ?? tokenTypes.access
  if (requested !== tokenTypes.access && requested !== tokenTypes.provider) {
    throw oauthError('invalid_request', 'requested_token_type must be that of an access token')
  }
  if (given.actor_token !== undefined) {
    throw oauthError('invalid_request', 'the actor is the authenticated client, without actor_token')
  }
  const client = await requireClient(scope, given, authorization)
  const { agent } = client
  if (!agent) throw oauthError('unauthorized_client', 'client may not use this grant type')
  const key = await readProof(scope, client)
  const hash = await presentedHash(scope, given.subject_token)
  const { subject, consent } = await findDelegation(scope, hash, client.clientId)
  const issuedTo = subject && knownClient(scope, subject.token.clientId, subject.application)
  if (!subject || hasEnded(subject.token.clientId, issuedTo)) {
    throw oauthError('invalid_grant', 'invalid subject_token')
  }
  const allowed = consent?.consentGiven ? words(consent.scopes) : null
  const detailTypes = detailTypesOf(scope)
  const request = { given, client, agent, key, token: subject.token, allowed, detailTypes, now: scope.now() }
  if (requested === tokenTypes.provider) {
    const grant = await findProviderGrant(scope, request, subject.user.id)
    await spendCall(scope, client)
    return provideToken(scope, client, subject, grant)
  }
  const delegable = delegableScopes(scope, subject.token, agent, allowed ?? [])
  const scopes = given.scope === undefined ? delegable : words(given.scope)
  const held = detailsAt(scope, subject.token.authorizationDetails, scopes, subject.token.resource)
  runChecks(exchangeChecks, { ...request, delegable, held })
  await spendCall(scope, client)
  const details = narrowedDetails(detailTypes, given.authorization_details, held)
  return issueDelegated(scope, client, subject, { key, scopes, details })
}

/** The grant of the user for the provider that `audience` names, after all checks. */
async function findProviderGrant(scope: Scope, request: ProvenExchange, userId: string): Promise<UsableGrant> {
  const { audience: providerId } = request.given
  if (!providerId) throw oauthError('invalid_request', 'audience must name the provider')
  const [found] = await selectProviderGrant(scope.db, userId, request.client.clientId, providerId)
  const grant = found ? { scopes: words(found.scopes), held: scopesOfAccount({ scope: found.current }) } : null
  runChecks(providerTokenChecks, { ...request, offered: offeredScopes(scope, providerId), grant })
  return { ...found!, providerId }
}
