import { defineFeature } from '../../http/feature.ts'
import { after } from '../../kit/time.ts'
import { organizationClaims } from './claims.ts'
import { deleteOldInvitations } from './invitations/invitations.store.ts'
import { organizationOptions } from './membership/membership.config.ts'
import { organizationOperations } from './organization.operations.ts'
import { organizationRoutes } from './organization.routes.ts'
import { actsFor, keepAnOwner, organizationOfSession, publicOrganizationConfig } from './organization.steps.ts'
import { organizationsOf, sharesOrganization } from './organization.store.ts'

export const organization = defineFeature({
  name: 'organization',
  steps: {
    deletingUser: keepAnOwner,
  },
  routes: organizationRoutes,
  operations: organizationOperations,
  options: organizationOptions,
  publicConfiguration: publicOrganizationConfig,
  actsFor,
  claims: organizationClaims,
  startsSession: organizationOfSession,
  aboutUser: { organizations: ({ db }, userId) => organizationsOf(db, userId) },
  keepsGuest: (_scope, userId) => sharesOrganization(userId),
  scheduled: (scope) =>
    deleteOldInvitations(scope.db, after(scope.now(), -organizationOptions.of(scope).invitationsKeptFor)),
  shows: { session: ['activeOrganizationId'] },
})
