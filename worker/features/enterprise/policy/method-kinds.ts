import type { OwnSessionMethod, SessionMethod } from '../../../identity/model/method.ts'
import type { Scope } from '../../../identity/scope.ts'
import { connectionPrefix } from '../../../kit/connection-id.ts'
import { offeredCustomOptions } from '../../social/custom-provider.ts'
import { configuredIds } from '../../social/public-providers.ts'
import type { PolicyMethod } from '../model/policies.table.ts'

/** `none`: no rule can allow it. `connection`: of an organization; its own ones are always allowed. */
export type MethodKind = PolicyMethod | 'connection' | 'none'

/** The kinds of the methods that sessions name. Others are ids of providers and connections. */
const kinds: Readonly<Record<OwnSessionMethod, PolicyMethod | 'none'>> = {
  email: 'password',
  username: 'password',
  'phone-number': 'password',
  'sign-up': 'password',
  'email-verification': 'email',
  'magic-link': 'email',
  'email-otp': 'email',
  'phone-otp': 'phone',
  passkey: 'passkey',
  // Cloudflare Access passes on the sign-in at an identity provider of the deployment.
  'cloudflare-access': 'provider',
  // A guest has proven nothing.
  anonymous: 'none',
  // An administrator has not authenticated as the user. The session itself follows from the permission.
  impersonation: 'none',
}

/** The kinds by the `method` of sessions: the own methods, and the providers of the configuration. */
export function kindsOf(scope: Scope): Readonly<Record<string, PolicyMethod | 'none'>> {
  const ids = [...configuredIds(scope), ...offeredCustomOptions(scope).map(({ providerId }) => providerId)]
  return { ...Object.fromEntries(ids.map((id) => [id, 'provider' as const])), ...kinds }
}

/** The kind of a sign-in method. A method that is neither an own one nor a provider of the configuration is `none`. */
export function kindOf(scope: Scope, method: SessionMethod): MethodKind {
  if (method.startsWith(connectionPrefix)) return 'connection'
  const known = kindsOf(scope)
  return Object.hasOwn(known, method) ? known[method]! : 'none'
}
