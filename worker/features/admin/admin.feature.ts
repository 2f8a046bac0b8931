import { defineFeature } from '../../http/feature.ts'
import type { Scope } from '../../identity/scope.ts'
import { adminOptions } from './admin.config.ts'
import type { OptionalPublicConfiguration } from './admin.contract.ts'
import { adminErrors } from './admin.errors.ts'
import { adminOperations } from './admin.operations.ts'
import { adminRoutes } from './admin.routes.ts'
import { refuseBanned } from './ban.ts'
import { adminClaims } from './claims.ts'
import { giveDefaultRole } from './create-user.ts'
import { administratorRows, appointsAdministrator, promoteAtSignIn, promoteVerified } from './first-admins.ts'
import { forgetAdminSession, leaveAdminSession } from './impersonate.ts'
import { userMay } from './may-administer.ts'
import { operatorJobs } from './operator-commands.ts'
import { keepAnAdmin } from './remove-user.ts'

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
  steps: {
    creatingUser: giveDefaultRole,
    deletingUser: keepAnAdmin,
    signingIn: (scope, attempt) => refuseBanned(scope, attempt) ?? promoteAtSignIn(scope, attempt),
    sessionIssued: forgetAdminSession,
    signingOut: leaveAdminSession,
    reactions: { 'user.created': promoteVerified, 'user.updated': promoteVerified },
  },
  routes: adminRoutes,
  operations: adminOperations,
  options: adminOptions,
  jobs: operatorJobs,
  errorsAt: ({ path }) => (path.startsWith('/delete-user') ? [adminErrors.THE_LAST_ADMINISTRATOR_MUST_REMAIN] : []),
  publicConfiguration: publicAdmin,
  administers: userMay,
  appointsAdministrator,
  administratorRows,
  claims: adminClaims,
  shows: { user: ['role', 'banned', 'banReason', 'banExpires'], session: ['impersonatedBy'] },
})
