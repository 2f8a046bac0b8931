import type { Caller, Scope } from '../../identity/scope.ts'
import { type AuthorizationWish, startAuthorization } from './authorization.ts'
import type { ConfiguredProvider } from './configured.ts'
import { socialErrors as errors } from './social.errors.ts'

/**
 * Starts linking an identity to the caller.
 * @returns the URL at the provider
 * @throws THIS_SESSION_MAY_NOT_LINK_ACCOUNTS for an administrator who impersonates, and for API keys
 */
export async function startLink(
  scope: Scope,
  caller: Caller,
  configured: ConfiguredProvider,
  wish: Pick<AuthorizationWish, 'callbackURL' | 'errorCallbackURL' | 'scopes'>,
): Promise<string> {
  const { user, session, via } = caller
  if (session.impersonatedBy !== null || via === 'api-key') throw errors.THIS_SESSION_MAY_NOT_LINK_ACCOUNTS()
  return startAuthorization(scope, configured, { ...wish, link: { userId: user.id, email: user.email } })
}
