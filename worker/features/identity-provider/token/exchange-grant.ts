import type { Scope } from '../../../identity/scope.ts'
import { days } from '../../../kit/time.ts'
import { delegableScopes, issueDelegated } from '../agents/delegate.ts'
import { requireClient } from '../clients/authenticate.ts'
import { tokenTypes } from '../clients/client.ts'
import { hasEnded, knownClient } from '../clients/find-client.ts'
import { readProof } from '../dpop/dpop.ts'
import { presentedHash } from '../grants/access-token.ts'
import { findDelegation } from '../grants/tokens.store.ts'
import type { TokenAnswer } from '../grants/tokens.ts'
import { oauthError } from '../identity-provider.errors.ts'
import { detailsAt, detailTypesOf, narrowedDetails } from '../protocol/authorization-details.ts'
import { type Parameters, words } from '../protocol/parameters.ts'
import { exchangeChecks, runChecks } from './token-checks.ts'

/**
 * RFC 8693: an agent exchanges the access token of a user, or of another agent that acts for the user, for one of its own
 * with `act`. The authenticated client is the actor (section 1.1, delegation). All checks precede the use of the budget.
 */
export async function exchangeToken(
  scope: Scope,
  given: Parameters,
  authorization: string | null,
): Promise<TokenAnswer> {
  if (!given.subject_token) throw oauthError('invalid_request', 'subject_token is required')
  if (given.subject_token_type !== tokenTypes.access) {
    throw oauthError('invalid_request', 'subject_token_type must be that of an access token')
  }
  if (given.requested_token_type !== undefined && given.requested_token_type !== tokenTypes.access) {
    throw oauthError('invalid_request', 'requested_token_type must be that of an access token')
  }
  if (given.actor_token !== undefined) {
    throw oauthError('invalid_request', 'the actor is the authenticated client, without actor_token')
  }
  const client = await requireClient(scope, given, authorization)
  if (!client.agent) throw oauthError('unauthorized_client', 'client may not use this grant type')
  const key = await readProof(scope, client)
  const hash = await presentedHash(scope, given.subject_token)
  const { subject, consent } = await findDelegation(scope.db, hash, client.clientId, scope.now())
  const issuedTo = subject && knownClient(scope, subject.token.clientId, subject.application)
  if (!subject || hasEnded(subject.token.clientId, issuedTo)) {
    throw oauthError('invalid_grant', 'invalid subject_token')
  }
  const { agent } = client
  const allowed = consent?.consentGiven ? words(consent.scopes) : null
  const delegable = delegableScopes(scope, subject.token, agent, allowed ?? [])
  const wantedScopes = given.scope === undefined ? delegable : words(given.scope)
  const held = detailsAt(scope, subject.token.authorizationDetails, wantedScopes, subject.token.resource)
  const { token } = subject
  const detailTypes = detailTypesOf(scope)
  const facts = { agent, key, token, allowed, delegable, held, detailTypes }
  runChecks(exchangeChecks, { given, client, now: scope.now(), ...facts })
  const rule = { max: agent.callsPerDay, window: days(1) }
  const { allowed: isWithin, retryAfter } = await scope.counters.hit(`agent-calls:${client.clientId}`, rule)
  if (!isWithin) {
    const headers = { 'retry-after': String(retryAfter) }
    throw oauthError('slow_down', 'the agent has used its budget of the day', { status: 429, headers })
  }
  const details = narrowedDetails(detailTypes, given.authorization_details, held)
  return issueDelegated(scope, client, subject, { key, scopes: wantedScopes, details })
}
