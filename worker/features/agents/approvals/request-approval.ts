import type { Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { comparedAddress } from '../../../kit/email-address.ts'
import { seal } from '../../../kit/encrypt.ts'
import { sha256 } from '../../../kit/hash.ts'
import { alphabets, randomString } from '../../../kit/random.ts'
import { after, minutes } from '../../../kit/time.ts'
import { identityProviderOptions } from '../../identity-provider/identity-provider.config.ts'
import { oauthError } from '../../identity-provider/identity-provider.errors.ts'
import { requireClient } from '../../identity-provider/model/clients/authenticate.ts'
import { type Client, mayAskForApproval, mayRefresh } from '../../identity-provider/model/clients/client.ts'
import { readIdTokenHint } from '../../identity-provider/model/grants/id-token.ts'
import { readDetails } from '../../identity-provider/model/protocol/authorization-details.ts'
import { readResources, resourceIdentifiers } from '../../identity-provider/model/protocol/known-resources.ts'
import { type Parameters, readBodyParameters, words } from '../../identity-provider/model/protocol/parameters.ts'
import { acceptedScope } from '../../identity-provider/model/protocol/requested-scopes.ts'
import { resourceList } from '../../identity-provider/model/protocol/resources.ts'
import { requestRulesOf } from '../../identity-provider/model/requests/authorization-request.ts'
import { readRequestObject } from '../../identity-provider/model/requests/request-object.ts'
import { approvalChecks } from './approval-checks.ts'
import { announceApproval } from './approval-events.store.ts'
import { mailKind } from './approval-jobs.ts'
import * as store from './approvals.store.ts'
import { authReqId } from './auth-req-id.ts'

/** Minimum number of seconds between two polls. */
export const approvalPollInterval = 5

/** Without `requested_expiry`. */
const usualLifetime = minutes(10)

/**
 * A backchannel authentication request (OpenID Connect CIBA, section 7). A request for an unknown user, for one who does not allow the
 * client, and for one with too many waiting requests gets the same response as any other, by the same number of
 * statements: it expires without an answer. @throws OAuthError
 */
export async function requestApproval(scope: Scope, request: Request, raw: string) {
  await readResources(scope)
  const body = readBodyParameters(raw, request.headers.get('content-type'))
  const client = await requireClient(scope, body, request.headers.get('authorization'))
  if (!mayAskForApproval(client)) throw oauthError('unauthorized_client', 'client may not use this grant type')
  // Section 7.1.1: the parameters of a signed request are in the object.
  const signed = body.request ? await readRequestObject(scope, client, body.request) : body
  const rules = requestRulesOf(scope, resourceIdentifiers(scope))
  // The user always answers, which replaces `prompt=consent`.
  const given: Parameters = {
    ...signed,
    scope: acceptedScope(signed.scope, { supported: rules.scopes, offline: mayRefresh(client) }),
  }
  for (const check of Object.values(approvalChecks)) {
    const refused = check({ given, client, rules })
    if (refused) throw refused
  }
  const hint = await readHint(scope, client, given)
  await spendRequest(scope, client, hint)
  const now = scope.now()
  const { approvalExpiresIn } = identityProviderOptions.of(scope)
  const lifetime = Math.min(Number(given.requested_expiry ?? usualLifetime), approvalExpiresIn)
  const expiresAt = after(now, lifetime)
  const { clientId } = client
  const id = randomString(32, alphabets.lettersAndDigits)
  const token = given.client_notification_token
  const isNotified = client.registration.backchannel_token_delivery_mode === 'ping' && token !== undefined
  const work = unitOfWork(scope)
  const row = {
    ...{ id, clientId, clientName: client.name },
    scopes: words(given.scope).join(' '),
    resource: resourceList(given.resource),
    authorizationDetails: readDetails(rules.detailTypes, given.authorization_details),
    bindingMessage: given.binding_message?.trim() || null,
    acrValues: given.acr_values ?? null,
    notificationToken: isNotified ? await seal(scope.settings.secrets, token) : null,
    ipAddress: scope.request.ip,
    ...scope.request.place,
    state: 'pending' as const,
    ...{ sessionId: null, securityVersion: null, authTime: null, amr: null, method: null },
    ...{ createdAt: now, expiresAt, answeredAt: null },
  }
  const written = work.run(store.insertRequest(scope.db, row, { hint, trusted: client.trusted, now }))
  announceApproval(scope, work, id, () => written.rows)
  work.defer(mailKind, { id }, { plain: true, when: store.isRequest(id) })
  work.run(store.deleteSurplusRequests(scope.db, id))
  await work.commit()
  const named = { id, clientId, expiresAt: expiresAt.getTime() }
  return { auth_req_id: authReqId(scope, named), expires_in: lifetime, interval: approvalPollInterval }
}

/** The user whom the request is for. @throws invalid_request for an invalid `id_token_hint` */
async function readHint(scope: Scope, client: Client, given: Parameters): Promise<store.UserHint> {
  const { login_hint: hint, id_token_hint: token } = given
  const isPairwise = client.registration.subject_type === 'pairwise'
  if (token !== undefined) {
    const hinted = await readIdTokenHint(scope, token)
    if (hinted?.clientId !== client.clientId || isPairwise) {
      throw oauthError('invalid_request', 'id_token_hint must be an id token of the client with a public subject')
    }
    return { userId: hinted.sub }
  }
  // A client with pairwise subjects must not learn whether an identifier of a user exists.
  if (hint!.includes('@') || isPairwise) return { email: comparedAddress(hint!) }
  return { userId: hint! }
}

/** Counts requests of a client for a user, known or not. @throws slow_down with status 429 */
async function spendRequest(scope: Scope, { clientId }: Client, hint: store.UserHint): Promise<void> {
  const name = sha256(`${clientId} ${'email' in hint ? hint.email : hint.userId}`)
  const rule = identityProviderOptions.of(scope).approvalRequests
  const { allowed, retryAfter } = await scope.counters.hit(`approval-requests:${name}`, rule)
  if (allowed) return
  const headers = { 'retry-after': String(retryAfter) }
  throw oauthError('slow_down', 'too many requests for this user', { status: 429, headers })
}
