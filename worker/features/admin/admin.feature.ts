import { defineFeature } from '../../http/feature.ts'
import type { Scope } from '../../identity/scope.ts'
import { adminOptions } from './admin.config.ts'
import type { OptionalPublicConfiguration } from './admin.contract.ts'

/** The public configuration for the hosted screens: the permissions of each role (kit/permissions.ts). */
function publicAdmin(scope: Scope): OptionalPublicConfiguration {
  const { roles, defaultRole, impersonationSessionDuration } = adminOptions.of(scope)
  return {
    features: { admin: true },
    lifetimes: { impersonation: impersonationSessionDuration },
    admin: { roles, defaultRole },
  }
}

export const admin = defineFeature({
  name: 'admin',
  options: adminOptions,
  publicConfiguration: publicAdmin,
  shows: { user: ['role', 'banned', 'banReason', 'banExpires'], session: ['impersonatedBy'] },
  places: ['creatingUser', 'deletingUser', 'signingIn', 'sessionIssued', 'signingOut', 'reactions'],
  gives: ['jobs', 'oauth', 'permissions', 'cron'],
  endpoints: async () => (await import('./admin.endpoints.ts')).adminEndpoints,
  parts: async () => (await import('./admin.parts.ts')).adminParts,
  ends: async () => (await import('./admin.ends.ts')).adminEnds,
})
