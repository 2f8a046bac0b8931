import type { Caller, Scope } from '../../identity/scope.ts'
import { type AuthorizationWish, startAuthorization } from './authorization.ts'
import type { ConfiguredProvider } from './configured.ts'

/**
 * Starts linking an identity to the caller.
 * @returns the URL at the provider
 * @throws UNABLE_TO_CREATE_VERIFICATION
 */
export async function startLink(
  scope: Scope,
  { user }: Caller,
  configured: ConfiguredProvider,
  wish: Pick<AuthorizationWish, 'callbackURL' | 'errorCallbackURL' | 'scopes'>,
): Promise<string> {
  return startAuthorization(scope, configured, { ...wish, link: { userId: user.id, email: user.email } })
}
