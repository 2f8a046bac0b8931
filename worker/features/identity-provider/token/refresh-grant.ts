import { requireDaily } from '../../../identity/audit/audit-budget.ts'
import type { Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { sha256 } from '../../../kit/hash.ts'
import { ms } from '../../../kit/time.ts'
import { identityProviderOptions } from '../identity-provider.config.ts'
import { oauthError } from '../identity-provider.errors.ts'
import { authenticate, readCredentials } from '../model/clients/authenticate.ts'
import { clientOf } from '../model/clients/find-client.ts'
import { endGrant } from '../model/grants/ended-tokens.ts'
import type { OAuthAccessToken } from '../model/grants/grants.table.ts'
import { signIdToken } from '../model/grants/id-token.ts'
import {
  addRotation,
  findRefreshToken,
  maxDailyRefreshes,
  mayRefreshAgain,
  refreshWindow,
} from '../model/grants/tokens.store.ts'
import { answerOf, pairAfter, type TokenAnswer, tokenRowOf } from '../model/grants/tokens.ts'
import { detailTypesOf, narrowedDetails } from '../model/protocol/authorization-details.ts'
import { supportedScopes } from '../model/protocol/known-resources.ts'
import { type Parameters, words } from '../model/protocol/parameters.ts'
import { withoutUnsupported } from '../model/protocol/requested-scopes.ts'
import { chosenResource } from '../model/protocol/resources.ts'
import { readProof } from '../model/requests/dpop.ts'
import { refreshChecks, runChecks } from './token-checks.ts'

/**
 * RFC 6749, section 6, with rotation (RFC 9700, section 4.14.2): each use of a refresh token returns the next one. Within
 * `refreshTokenGrace`, and while the next one is unused, a reuse gets the same response. Any other reuse ends the grant.
 */
export async function refresh(scope: Scope, asked: Parameters, authorization: string | null): Promise<TokenAnswer> {
  const given = withKnownScope(scope, asked)
  if (!given.refresh_token) throw oauthError('invalid_request', 'refresh_token is required')
  const credentials = readCredentials(authorization, given)
  const pair = pairAfter(scope, given.refresh_token, true)
  const hashes = [sha256(given.refresh_token), sha256(pair.refreshToken!)] as const
  const { application, token, next } = await findRefreshToken(scope.db, credentials.clientId, ...hashes)
  const found = await clientOf(scope, credentials.clientId, application)
  const client = await authenticate(scope, found, credentials)
  const key = await readProof(scope, client)
  if (!token) throw oauthError('invalid_grant', 'invalid refresh token')
  const detailTypes = detailTypesOf(scope)
  runChecks(refreshChecks, { given, client, key, token, now: scope.now(), detailTypes })
  const wanted = given.scope === undefined ? token.scopes : words(given.scope).join(' ')
  if (token.refreshedAt !== null && !mayRepeat(scope, token.refreshedAt, next)) throw await revokeReused(scope, token)
  // A row of an earlier version has no `grantedAt`; its creation is the closest value.
  const grantedAt = token.grantedAt.getTime() > 0 ? token.grantedAt : token.createdAt
  const grantedResources = token.grantedResources ?? token.resource
  const resource = next
    ? next.resource
    : chosenResource(given.resource ?? token.resource ?? undefined, grantedResources)
  const scopes = next?.scopes ?? wanted
  const details = narrowedDetails(detailTypes, given.authorization_details, token.authorizationDetails)
  const authorizationDetails = next ? next.authorizationDetails : details
  const grant = { ...token, scopes, authorizationDetails, resource, grantedResources, keyThumbprint: key, grantedAt }
  const work = unitOfWork(scope)
  work.require(mayRefreshAgain(token, scope.now()), tooManyRefreshes)
  const { userId, clientId } = token
  requireDaily(scope, work, `refreshes:${clientId}:${userId}`, maxDailyRefreshes, tooManyRefreshes)
  const rotation = addRotation(scope, work, token, tokenRowOf(scope, pair, grant), scope.now())
  await work.commit()
  // A parallel request has exchanged the token since it was read.
  if (!rotation.marked.row && !mayRepeat(scope, token.refreshedAt ?? scope.now(), next)) {
    throw await revokeReused(scope, token)
  }
  const user = rotation.user.row
  if (!rotation.written.row || !user) throw oauthError('invalid_grant', 'user not found')
  const answer = await answerOf(scope, pair, grant, { client, user })
  const granted = words(scopes)
  if (!granted.includes('openid')) return answer
  return { ...answer, id_token: await signIdToken(scope, client, { ...token, user, scopes: granted }) }
}

function tooManyRefreshes() {
  const headers = { 'retry-after': String(refreshWindow) }
  return oauthError('slow_down', 'too many refreshes of this authorization', { status: 429, headers })
}

/** Scopes of OpenID Connect that are not supported were not granted either, and count as absent. */
function withKnownScope(scope: Scope, { scope: asked, ...given }: Parameters): Parameters {
  const kept = withoutUnsupported(asked, supportedScopes(scope))
  // A request for nothing else is not one for everything.
  return asked === undefined ? given : { ...given, scope: kept ?? asked }
}

/** Whether a reuse may get the same response: it is within the grace period, and the next refresh token is unused. */
function mayRepeat(scope: Scope, refreshedAt: Date, next: OAuthAccessToken | null): boolean {
  const { refreshTokenGrace } = identityProviderOptions.of(scope)
  const age = scope.now().getTime() - refreshedAt.getTime()
  return refreshTokenGrace > 0 && age < ms(refreshTokenGrace) && (next === null || next.refreshedAt === null)
}

/** Two parties have the same token, and one of them is an attacker: ends the grant. */
async function revokeReused(scope: Scope, { grantId, clientId }: OAuthAccessToken) {
  await endGrant(scope, grantId)
  scope.log('warn', 'refresh-token-reused', { clientId })
  return oauthError('invalid_grant', 'invalid refresh token', { detail: 'reuse' })
}
