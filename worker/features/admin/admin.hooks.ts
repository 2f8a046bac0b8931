import type { Scope } from '../../identity/scope.ts'
import { adminOptions } from './admin.config.ts'

/** What the hosted screens are told: what each role may do (kit/permissions.ts). */
export function tellOfRoles(scope: Scope) {
  const { roles, defaultRole, impersonationSessionDuration } = adminOptions.of(scope)
  return {
    features: { admin: true },
    lifetimes: { impersonation: impersonationSessionDuration },
    admin: { roles, defaultRole },
  }
}
