import type { Scope } from '../../../identity/scope.ts'
import type { User } from '../../../identity/users/users.table.ts'
import { isUsedAlready } from '../../../identity/verifications/used-records.ts'
import type { Statement } from '../../../platform/statements.ts'
import type { AuthorizationCode } from '../authorize/grant.ts'
import type { Client } from '../clients/client.ts'
import { oauthError } from '../identity-provider.errors.ts'
import { signIdToken } from './id-token.ts'
import { awaitEnd, deleteGrant, insertTokens } from './tokens.store.ts'
import { answerOf, grantIdOf, pairAfter, rowOf, type TokenAnswer } from './tokens.ts'

/** What a person has granted, to a client that is proven. */
export type GrantedToClient = Omit<AuthorizationCode, 'redirectUri' | 'proof' | 'keyThumbprint'>

/**
 * The first tokens of a grant. The use of its code and the tokens are written together: of parallel requests one
 * gets them, and a fault uses nothing up.
 * @param seed the code that they are for
 * @param use the statement that uses the code
 * @param alongside what is written with them
 * @param key thumbprint of the key that they are bound to
 * @throws invalid_grant where the code was used before, and then whatever it was used for ends: somebody has two
 *   copies of it, and one of them is a thief; also where the person has been removed, banned or given a new
 *   password, or has withdrawn what they allowed
 */
export async function issueTokens(
  scope: Scope,
  client: Client,
  granted: GrantedToClient,
  { seed, key, use, alongside = [] }: { seed: string; key: string | null; use: Statement; alongside?: Statement[] },
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
  let user: User | null
  try {
    const heard = client.registration.backchannel_logout_uri ? [awaitEnd(scope.db, sessionId)] : []
    user = await insertTokens(
      scope.db,
      [use, ...heard, ...alongside],
      rowOf(scope, pair, grant),
      scope.now(),
      !client.trusted,
    )
  } catch (thrown) {
    if (!isUsedAlready(thrown)) throw thrown
    await deleteGrant(scope.db, grant.grantId)
    throw oauthError('invalid_grant', 'invalid code', { detail: 'reuse' })
  }
  if (!user) throw oauthError('invalid_grant', 'user not found')
  const answer = answerOf(scope, pair, grant)
  if (!scopes.includes('openid')) return answer
  return { ...answer, id_token: await signIdToken(scope, client, { ...granted, user, authTime }) }
}
