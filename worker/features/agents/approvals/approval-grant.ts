import type { Scope } from '../../../identity/scope.ts'
import { after, days, minutes } from '../../../kit/time.ts'
import { oauthError } from '../../identity-provider/identity-provider.errors.ts'
import { requireClient } from '../../identity-provider/model/clients/authenticate.ts'
import { mayAskForApproval } from '../../identity-provider/model/clients/client.ts'
import { endGrant } from '../../identity-provider/model/grants/ended-tokens.ts'
import type { Grant } from '../../identity-provider/model/grants/grant.ts'
import { issueTokens } from '../../identity-provider/model/grants/issue-tokens.ts'
import { isUnbroken } from '../../identity-provider/model/grants/tokens.store.ts'
import { grantIdOf, type TokenAnswer } from '../../identity-provider/model/grants/tokens.ts'
import { detailTypesOf } from '../../identity-provider/model/protocol/authorization-details.ts'
import { type Parameters, words } from '../../identity-provider/model/protocol/parameters.ts'
import { readProof } from '../../identity-provider/model/requests/dpop.ts'
import { deviceChecks, runChecks } from '../../identity-provider/token/token-checks.ts'
import { addActivity } from '../agents.store.ts'
import { activity, spendCall } from '../agents.ts'
import { findRequest, spendApproval } from './approvals.store.ts'
import type { ApprovalRequest } from './approvals.table.ts'
import { readAuthReqId } from './auth-req-id.ts'
import { approvalPollInterval } from './request-approval.ts'

/** How long an approval waits for its client after the answer, if the request expires earlier. */
const collectWithin = minutes(5)

const ended = () => oauthError('invalid_grant', 'invalid auth_req_id')
const expired = () => oauthError('expired_token', 'the request has expired')

/**
 * OpenID Connect CIBA, sections 10.1 and 11: the client polls for the answer of its user, or gets the tokens after a notification. The
 * approval is used in the batch that writes the tokens, so that it leads to tokens once. @throws OAuthError
 */
export async function exchangeApproval(
  scope: Scope,
  given: Parameters,
  authorization: string | null,
): Promise<TokenAnswer> {
  const { auth_req_id: authReqId } = given
  if (!authReqId) throw oauthError('invalid_request', 'auth_req_id is required')
  const client = await requireClient(scope, given, authorization)
  if (!mayAskForApproval(client)) throw oauthError('unauthorized_client', 'client may not use this grant type')
  const named = readAuthReqId(scope, client.clientId, authReqId)
  if (!named) throw ended()
  const { allowed } = await scope.counters.hit(`approval-poll:${named.id}`, {
    max: 1,
    window: approvalPollInterval - 1,
  })
  if (!allowed) throw oauthError('slow_down', 'polled too soon')
  const key = await readProof(scope, client)
  const row = await findRequest(scope.db, named.id, client.clientId)
  const granted = await grantOf(scope, row, { authReqId, expiresAt: new Date(named.expiresAt) })
  runChecks(deviceChecks, { given, client, key, granted, now: scope.now(), detailTypes: detailTypesOf(scope) })
  await spendCall(scope, client)
  const { agent, clientId } = client
  const chain = agent ? [{ agent: clientId, token: null }] : null
  const { resource: wanted, authorization_details: wantedDetails } = given
  // The row states the use for longer than the record of it.
  const use = { kind: 'approval', token: authReqId, expiresAt: after(scope.now(), days(1)) }
  return issueTokens(scope, client, granted, {
    ...{ key, use, wanted, wantedDetails, chain },
    prepare(work) {
      work.run(spendApproval(scope.db, named.id)).orFail(ended)
      if (!chain) return
      work.require(isUnbroken(chain, scope.now()), ended)
      const { userId, resource, scopes } = granted
      work.run(
        addActivity(scope.db, activity(scope, clientId, 'token', { userId, resource, scopes: scopes.join(' ') })),
      )
    },
  })
}

/** What the user has approved. @throws OAuthError while the user has not, and after the approval was used or has expired */
async function grantOf(
  scope: Scope,
  row: ApprovalRequest | null,
  { authReqId, expiresAt }: { authReqId: string; expiresAt: Date },
): Promise<Grant> {
  const now = scope.now()
  if (row === null || row.state === 'pending') {
    if (expiresAt <= now) throw expired()
    throw oauthError('authorization_pending', 'the user has not answered yet')
  }
  if (row.state === 'denied') throw oauthError('access_denied', 'User denied access')
  if (row.state === 'used') {
    // Two parties have it, or the client lost the response: the tokens of the first use end, as with a code.
    await endGrant(scope, grantIdOf(authReqId))
    throw ended()
  }
  const { answeredAt, authTime, sessionId, securityVersion, amr, method } = row
  if (!answeredAt || !authTime || sessionId === null || securityVersion === null) throw ended()
  if (expiresAt <= now && after(answeredAt, collectWithin) <= now) throw expired()
  const { clientId, userId, resource, authorizationDetails: details } = row
  return {
    ...{ clientId, userId, resource, details, sessionId, securityVersion },
    scopes: words(row.scopes),
    nonce: null,
    authTime: authTime.getTime(),
    amr: amr ?? [],
    method,
  }
}
