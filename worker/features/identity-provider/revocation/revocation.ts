import type { Scope } from '../../../identity/scope.ts'
import { findForClient } from '../introspection/introspection.ts'
import { deleteGrant, expireAccessToken } from '../token/tokens.store.ts'

/**
 * RFC 7009: a refresh token ends with everything that came from its authorization, an access token by itself. A token
 * that is unknown, or another client's, is none of the caller's, and the answer is the same (section 2.2).
 */
export async function revoke(scope: Scope, request: Request, raw: string): Promise<void> {
  const { client, token, type } = await findForClient(scope, request, raw)
  if (token?.clientId !== client.clientId) return
  if (type === 'refresh_token') await deleteGrant(scope.db, token.grantId)
  else await expireAccessToken(scope.db, token.id, scope.now())
}
