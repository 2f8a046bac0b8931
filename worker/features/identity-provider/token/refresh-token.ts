import type { Scope } from '../../../identity/scope.ts'
import { sha256 } from '../../../kit/hash.ts'
import { ms } from '../../../kit/time.ts'
import { authenticate, readCredentials } from '../clients/authenticate.ts'
import { clientOf } from '../clients/find-client.ts'
import { readProof } from '../dpop/dpop.ts'
import { identityProviderOptions } from '../identity-provider.config.ts'
import { oauthError } from '../identity-provider.errors.ts'
import type { OAuthAccessToken } from '../identity-provider.table.ts'
import { type Parameters, words } from '../parameters.ts'
import { refreshChecks, runChecks } from './checks.ts'
import { signIdToken } from './id-token.ts'
import { deleteGrant, findRefreshToken, rotate } from './tokens.store.ts'
import { answerOf, pairAfter, rowOf, type TokenAnswer, type TokenGrant } from './tokens.ts'

/**
 * RFC 6749, section 6, with rotation (RFC 9700, section 4.14.2): every refresh token is used once, and answered with
 * the next. It may be the same answer for some seconds, as long as nobody has used the next one; after that a second
 * use ends everything that came from the authorization.
 */
export async function refresh(scope: Scope, given: Parameters, authorization: string | null): Promise<TokenAnswer> {
  if (!given.refresh_token) throw oauthError('invalid_request', 'refresh_token is required')
  const credentials = readCredentials(authorization, given)
  const pair = pairAfter(scope, given.refresh_token, true)
  const hashes = [sha256(given.refresh_token), sha256(pair.refreshToken!)] as const
  const { application, token, next } = await findRefreshToken(scope.db, credentials.clientId, ...hashes)
  const found = await clientOf(scope, credentials.clientId, application)
  const client = await authenticate(scope, found, credentials)
  const key = await readProof(scope, client)
  if (!token) throw oauthError('invalid_grant', 'invalid refresh token')
  runChecks(refreshChecks, { given, client, key, token, now: scope.now() })
  const wanted = given.scope === undefined ? token.scopes : words(given.scope).join(' ')
  if (token.refreshedAt !== null && !mayComeAgain(scope, token.refreshedAt, next)) throw await revoked(scope, token)
  const grant = { ...grantOf(token), scopes: next?.scopes ?? wanted, keyThumbprint: key }
  const { first, written, user } = await rotate(scope.db, token, rowOf(scope, pair, grant), scope.now())
  // Somebody else was faster by a moment.
  if (!first && !mayComeAgain(scope, token.refreshedAt ?? scope.now(), next)) throw await revoked(scope, token)
  if (!written || !user) throw oauthError('invalid_grant', 'user not found')
  const answer = answerOf(scope, pair, grant)
  const scopes = words(grant.scopes)
  if (!scopes.includes('openid')) return answer
  return { ...answer, id_token: await signIdToken(scope, client, { ...token, user, scopes }) }
}

const grantOf = (row: OAuthAccessToken): TokenGrant => {
  const { clientId, userId, securityVersion, scopes, grantId, resource, keyThumbprint, sessionId, authTime } = row
  return { clientId, userId, securityVersion, scopes, grantId, resource, keyThumbprint, sessionId, authTime }
}

/** A used token whose answer may have been lost: within seconds, and nobody has used what it was answered with. */
function mayComeAgain(scope: Scope, refreshedAt: Date, next: OAuthAccessToken | null): boolean {
  const { refreshTokenGrace } = identityProviderOptions.of(scope)
  const age = scope.now().getTime() - refreshedAt.getTime()
  return refreshTokenGrace > 0 && age < ms(refreshTokenGrace) && (next === null || next.refreshedAt === null)
}

/** Two have the same token, and nobody knows which one is the thief. */
async function revoked(scope: Scope, { grantId, clientId }: OAuthAccessToken) {
  await deleteGrant(scope.db, grantId)
  scope.log('warn', 'refresh-token-reused', { clientId })
  return oauthError('invalid_grant', 'invalid refresh token', { detail: 'reuse' })
}
