import type { SessionMethod } from '../../../identity/model/method.ts'
import { providerPrefix } from '../model/connections.table.ts'
import type { PolicyMethod } from '../model/policies.table.ts'

/** The methods of sessions by the kinds of the rules. All other methods are ids of providers. */
export const methodsOfKind = {
  password: ['email', 'username', 'phone-number', 'sign-up'],
  email: ['email-verification', 'magic-link', 'email-otp'],
  phone: ['phone-otp'],
  passkey: ['passkey'],
} as const satisfies Partial<Record<PolicyMethod, readonly string[]>>

/** The kind of a sign-in method; `connection` for a connection of an organization. */
export function kindOf(method: SessionMethod): PolicyMethod | 'connection' {
  if (method.startsWith(providerPrefix)) return 'connection'
  const found = Object.entries(methodsOfKind).find(([, methods]) => (methods as readonly string[]).includes(method))
  return (found?.[0] as PolicyMethod | undefined) ?? 'provider'
}
