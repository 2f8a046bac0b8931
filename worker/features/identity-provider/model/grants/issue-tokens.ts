import type { Scope } from '../../../../identity/scope.ts'
import { unitOfWork } from '../../../../identity/unit-of-work.ts'
import type { SingleUse, Work } from '../../../../identity/work.ts'
import { oauthError } from '../../identity-provider.errors.ts'
import { type Client, mayRefresh } from '../clients/client.ts'
import { detailTypesOf, narrowedDetails } from '../protocol/authorization-details.ts'
import { chosenResource } from '../protocol/resources.ts'
import type { ChainLink } from './chain.ts'
import { endGrant } from './ended-tokens.ts'
import type { Grant } from './grant.ts'
import { signIdToken } from './id-token.ts'
import { holdLogout } from './logout-messages.store.ts'
import { insertTokens, isGranted, selectUser } from './tokens.store.ts'
import { answerOf, grantIdOf, pairAfter, type TokenAnswer, tokenRowOf } from './tokens.ts'

/**
 * Issues the first tokens of a grant. One batch uses the code and writes the tokens: of parallel requests one gets
 * them.
 * @param wanted the `resource` of the token request, and wantedDetails its `authorization_details`; the checks have accepted both
 * @throws invalid_grant if the code was used before: two parties have it, so the tokens of its first use end; also if
 *   the user lost access, or has withdrawn the consent
 */
export async function issueTokens(
  scope: Scope,
  client: Client,
  granted: Grant,
  {
    key,
    use,
    prepare,
    chain = null,
    wanted,
    wantedDetails,
  }: {
    key: string | null
    use: SingleUse
    /** Adds writes and conditions to the batch. */
    prepare?(work: Work): void
    chain?: ChainLink[] | null
    wanted: string | undefined
    wantedDetails: string | undefined
  },
): Promise<TokenAnswer> {
  const { userId, securityVersion, scopes, resource, sessionId, amr } = granted
  // A code of an earlier version has no method.
  const method = granted.method ?? null
  const authTime = new Date(granted.authTime)
  const grant = {
    clientId: client.clientId,
    userId,
    securityVersion,
    scopes: scopes.join(' '),
    grantId: grantIdOf(use.token),
    resource: chosenResource(wanted, resource),
    grantedResources: resource,
    claims: granted.claims ?? null,
    authorizationDetails: narrowedDetails(detailTypesOf(scope), wantedDetails, granted.details),
    chain,
    keyThumbprint: key,
    sessionId,
    authTime,
    amr,
    method,
    grantedAt: scope.now(),
  }
  const pair = pairAfter(scope, use.token, scopes.includes('offline_access') && mayRefresh(client))
  const full = tokenRowOf(scope, pair, grant)
  // Tokens do not outlive their agent.
  const end = client.expiresAt && client.expiresAt < full.accessTokenExpiresAt ? client.expiresAt : null
  const row = end ? { ...full, accessTokenExpiresAt: end } : full
  const work = unitOfWork(scope)
  work.use(use, async () => {
    await endGrant(scope, grant.grantId)
    return oauthError('invalid_grant', 'invalid code', { detail: 'reuse' })
  })
  if (client.registration.backchannel_logout_uri && sessionId !== null)
    work.run(holdLogout(scope.db, client.clientId, { userId, sessionId }, scope.now()))
  prepare?.(work)
  work.require(isGranted(scope, row, scope.now(), client), () => oauthError('invalid_grant', 'user not found'))
  work.audit({
    action: 'oauth2.token',
    actor: { type: 'client', id: userId, via: client.clientId },
    subjectId: userId,
    after: { scopes: grant.scopes, resource: grant.resource },
  })
  work.run(insertTokens(scope.db, row))
  const user = work.run(selectUser(scope.db, userId))
  await work.commit()
  const lifetime = end && { expiresIn: Math.floor((end.getTime() - scope.now().getTime()) / 1000) }
  const answer = await answerOf(scope, pair, grant, { client, user: user.row!, ...lifetime })
  if (!scopes.includes('openid')) return answer
  return { ...answer, id_token: await signIdToken(scope, client, { ...granted, user: user.row!, authTime }) }
}
