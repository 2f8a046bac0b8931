import type { Scope } from '../../../identity/scope.ts'
import { newId } from '../../../kit/random.ts'
import { minutes } from '../../../kit/time.ts'
import { identityProviderOptions } from '../../identity-provider/identity-provider.config.ts'
import { oauthError } from '../../identity-provider/identity-provider.errors.ts'
import { requireClient } from '../../identity-provider/model/clients/authenticate.ts'
import { isPublic, tokenTypes } from '../../identity-provider/model/clients/client.ts'
import { readIdToken } from '../../identity-provider/model/grants/id-token.ts'
import type { TokenAnswer } from '../../identity-provider/model/grants/tokens.ts'
import { type Parameters, words } from '../../identity-provider/model/protocol/parameters.ts'
import { signatureAlgorithm } from '../../identity-provider/model/protocol/security-profile.ts'
import { issuerOf } from '../../identity-provider/model/protocol/urls.ts'
import { signJwt } from '../../jwt/signing-keys.ts'
import { selectGrantor } from './assertions.store.ts'

/** The type of an identity assertion (draft-ietf-oauth-identity-assertion-authz-grant, section 3). */
export const assertionTyp = 'oauth-id-jag+jwt'

const lifetime = minutes(5)

/**
 * The identity provider's role of the draft: a client exchanges the id token of its user for an assertion, with which it
 * gets tokens of another authorization server. The configuration, not the user, permits it.
 * @throws unauthorized_client, invalid_target, invalid_scope without a rule; invalid_grant for an id token of another
 *   client, an expired one, and a user whose grants to the client have ended
 */
export async function issueAssertion(
  scope: Scope,
  given: Parameters,
  authorization: string | null,
): Promise<TokenAnswer> {
  if (!given.subject_token || given.subject_token_type !== tokenTypes.id) {
    throw oauthError('invalid_request', 'subject_token must be an id token, as subject_token_type states')
  }
  const client = await requireClient(scope, given, authorization)
  const rules = identityProviderOptions.of(scope).identityAssertions.issue
  const own = rules.filter(({ clientId }) => clientId === client.clientId)
  // A pairwise subject is known to the sector of one client only.
  if (own.length === 0 || isPublic(client) || client.registration.subject_type === 'pairwise') {
    throw oauthError('unauthorized_client', 'client may not request identity assertions')
  }
  const rule = own.find(({ audience }) => audience === given.audience)
  const resources = words(given.resource)
  if (!rule || resources.length > 1 || resources.some((one) => !rule.resources.includes(one))) {
    throw oauthError('invalid_target', 'client may not request assertions for this audience or resource')
  }
  const scopes = words(given.scope)
  const more = scopes.filter((one) => !rule.scopes.includes(one))
  if (more.length > 0) throw oauthError('invalid_scope', `The following scopes are invalid: ${more.join(', ')}`)
  const read = await readIdToken(scope, given.subject_token, client.clientId)
  const [user] = read ? await selectGrantor(scope.db, read.sub, client.clientId, scope.now()) : []
  if (!read || !user || user.isAnonymous) throw oauthError('invalid_grant', 'invalid subject_token')
  const assertion = {
    iss: issuerOf(scope),
    sub: user.id,
    aud: rule.audience,
    client_id: rule.clientIdThere ?? client.clientId,
    jti: newId(),
    auth_time: read.authTime,
    ...(scopes.length > 0 ? { scope: scopes.join(' ') } : {}),
    ...(resources.length > 0 ? { resource: resources[0] } : {}),
    ...(rule.email ? { email: user.email, email_verified: user.emailVerified } : {}),
  }
  return {
    access_token: await signJwt(scope, assertion, {
      typ: assertionTyp,
      expiresIn: lifetime,
      alg: signatureAlgorithm(scope),
    }),
    // RFC 8693, section 2.2.1: it is not an access token.
    token_type: 'N_A',
    issued_token_type: tokenTypes.assertion,
    expires_in: lifetime,
    scope: scopes.join(' '),
  }
}
