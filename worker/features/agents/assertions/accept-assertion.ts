import { decodeProtectedHeader, type JWTPayload } from 'jose'
import { methodAtProvider } from '../../../identity/model/method.ts'
import type { User } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import { comparedAddress } from '../../../kit/email-address.ts'
import { sha256 } from '../../../kit/hash.ts'
import { hours } from '../../../kit/time.ts'
import type { AcceptedIssuer } from '../../identity-provider/assertion-rules.ts'
import { identityProviderOptions } from '../../identity-provider/identity-provider.config.ts'
import { oauthError } from '../../identity-provider/identity-provider.errors.ts'
import { requireClient } from '../../identity-provider/model/clients/authenticate.ts'
import { isPublic } from '../../identity-provider/model/clients/client.ts'
import { verifyOfIssuer } from '../../identity-provider/model/clients/workload.ts'
import { issueTokens } from '../../identity-provider/model/grants/issue-tokens.ts'
import type { TokenAnswer } from '../../identity-provider/model/grants/tokens.ts'
import { type Parameters, words } from '../../identity-provider/model/protocol/parameters.ts'
import { chooseResource } from '../../identity-provider/model/protocol/resources.ts'
import { issuerOf, normalResource } from '../../identity-provider/model/protocol/urls.ts'
import { readProof } from '../../identity-provider/model/requests/dpop.ts'
import { selectUserOfAccount, selectUserOfAddress } from './assertions.store.ts'
import { assertionTyp } from './issue-assertion.ts'

const maxLifetime = hours(1)

const refused = (detail: string) => oauthError('invalid_grant', 'invalid assertion', { detail })

/** Whether an assertion is one about a user, by its header. */
export function isIdentityAssertion(assertion: string): boolean {
  try {
    return decodeProtectedHeader(assertion).typ === assertionTyp
  } catch {
    return false
  }
}

/**
 * The resource authorization server's role of draft-ietf-oauth-identity-assertion-authz-grant: a client gets a token for a
 * user of a trusted issuer, without a refresh token. It finds users and never creates, links or changes one.
 * @throws invalid_grant for an untrusted, expired, repeated or foreign assertion, and for an unknown user;
 *   unauthorized_client, invalid_target, invalid_scope
 */
export async function acceptAssertion(
  scope: Scope,
  given: Parameters,
  authorization: string | null,
): Promise<TokenAnswer> {
  const assertion = given.assertion ?? ''
  const client = await requireClient(scope, given, authorization)
  const { accept } = identityProviderOptions.of(scope).identityAssertions
  const payload = await verifyOfIssuer(scope, assertion, accept, { typ: assertionTyp, audience: issuerOf(scope) })
  const issuer = accept.find((one) => one.issuer === payload.iss)!
  if (isPublic(client) || !issuer.clients.includes(client.clientId)) {
    throw oauthError('unauthorized_client', 'client may not use assertions of this issuer')
  }
  const { aud, jti, client_id: clientId, exp, auth_time: authTime } = payload
  if (typeof aud !== 'string') throw refused('it has several audiences')
  if (clientId !== client.clientId) throw refused('it is for another client')
  if (typeof jti !== 'string') throw refused('it has no jti')
  if (exp! - scope.now().getTime() / 1000 > maxLifetime) throw refused('it lives too long')
  const { resource, scopes } = accessOf(issuer, payload, given)
  // The user, by the account and by the address.
  scope.io.declare({ d1: 2 })
  const user = await findUser(scope, issuer, payload)
  if (!user) throw refused('its subject is not a user of this server')
  const key = await readProof(scope, client)
  const granted = {
    ...{ clientId: client.clientId, scopes, resource, nonce: null, claims: null, details: null },
    ...{ userId: user.id, sessionId: null, securityVersion: user.securityVersion, amr: [] },
    method: issuer.provider ? methodAtProvider(issuer.provider) : null,
    authTime: typeof authTime === 'number' ? authTime * 1000 : scope.now().getTime(),
  }
  const use = { kind: 'identity-assertion', token: sha256(`${issuer.issuer} ${jti}`), expiresAt: new Date(exp! * 1000) }
  // The rule of the configuration replaces the consent.
  const trusted = { ...client, trusted: true }
  return issueTokens(scope, trusted, granted, { key, use, wanted: undefined, wantedDetails: undefined })
}

/** The one resource and its scopes: those that the assertion, the rule and the request have in common. */
function accessOf({ access }: AcceptedIssuer, payload: JWTPayload, given: Parameters) {
  const rules = new Map(Object.entries(access).map(([name, scopes]) => [normalResource(name), scopes]))
  const stated = typeof payload.resource === 'string' ? normalResource(payload.resource) : null
  const chosen = chooseResource(given.resource, stated ?? [...rules.keys()].join(' '))
  const allowed = typeof chosen === 'string' || chosen.resource === null ? undefined : rules.get(chosen.resource)
  if (typeof chosen === 'string' || !allowed)
    throw oauthError('invalid_target', 'the assertion is not for this resource')
  const named = typeof payload.scope === 'string' ? words(payload.scope) : allowed
  const may = named.filter((name) => allowed.includes(name))
  const more = words(given.scope).filter((name) => !may.includes(name))
  if (more.length > 0 || may.length === 0)
    throw oauthError('invalid_scope', 'the assertion does not permit these scopes')
  return { resource: chosen.resource, scopes: given.scope === undefined ? may : words(given.scope) }
}

/** By the account at the issuer, or by an address of its domains that the issuer and this server have verified. */
async function findUser(scope: Scope, issuer: AcceptedIssuer, payload: JWTPayload): Promise<User | null> {
  const { sub, email, email_verified: isVerified } = payload
  const [linked] = issuer.provider ? await selectUserOfAccount(scope.db, issuer.provider, sub!, scope.now()) : []
  if (linked) return linked
  if (typeof email !== 'string' || isVerified !== true) return null
  const address = comparedAddress(email)
  if (!issuer.domains.includes(address.slice(address.lastIndexOf('@') + 1))) return null
  const [known] = await selectUserOfAddress(scope.db, address, scope.now())
  return known ?? null
}
