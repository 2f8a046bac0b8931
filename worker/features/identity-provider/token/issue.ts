import type { Scope } from '../../../identity/scope.ts'
import type { AuthorizationCode } from '../authorize/grant.ts'
import type { Client } from '../clients/client.ts'
import { oauthError } from '../identity-provider.errors.ts'
import { signIdToken } from './id-token.ts'
import { answerOf, grantIdOf, pairAfter, rowOf, type TokenAnswer } from './tokens.ts'
import { insertTokens } from './tokens.store.ts'

/** What a person has granted, to a client that is proven. */
export type GrantedToClient = Omit<AuthorizationCode, 'redirectUri' | 'proof' | 'keyThumbprint'>

/**
 * The first tokens of a grant.
 * @param seed the code that they are for, which has just been used
 * @param key thumbprint of the key that they are bound to
 * @throws invalid_grant where the person has been removed, banned, or given a new password since
 */
export async function issueTokens(
  scope: Scope,
  client: Client,
  granted: GrantedToClient,
  { seed, key }: { seed: string; key: string | null },
): Promise<TokenAnswer> {
  const { userId, securityVersion, scopes, resource, sessionId } = granted
  const authTime = new Date(granted.authTime)
  const grant = {
    clientId: client.clientId,
    userId,
    securityVersion,
    scopes: scopes.join(' '),
    grantId: grantIdOf(seed),
    resource,
    keyThumbprint: key,
    sessionId,
    authTime,
  }
  const pair = pairAfter(scope, seed, scopes.includes('offline_access'))
  const user = await insertTokens(scope.db, rowOf(scope, pair, grant), scope.now())
  if (!user) throw oauthError('invalid_grant', 'user not found')
  const answer = answerOf(scope, pair, grant)
  if (!scopes.includes('openid')) return answer
  return { ...answer, id_token: await signIdToken(scope, client, { ...granted, user, authTime }) }
}
