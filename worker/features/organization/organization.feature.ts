import { defineFeature } from '../../http/feature.ts'
import { pageFor } from '../../identity/pages.ts'
import type { Scope } from '../../identity/scope.ts'
import { organizationOptions } from './model/organization.config.ts'
import type { OptionalPublicConfiguration } from './organization.contract.ts'

/** The public configuration: that organizations are on, and the permissions of each role (kit/permissions.ts). */
function publicOrganizationConfig(scope: Scope): OptionalPublicConfiguration {
  const { roles, creatorRole, teams, disableOrganizationDeletion, allowUserToCreateOrganization, invitationExpiresIn } =
    organizationOptions.of(scope)
  return {
    features: { organization: true, teams: teams.enabled },
    lifetimes: { invitation: invitationExpiresIn },
    organization: {
      roles,
      creatorRole,
      deletable: !disableOrganizationDeletion,
      // A function decides for each user, so that only an attempt shows the decision.
      creatable: allowUserToCreateOrganization !== false,
      invitationPage: pageFor(scope, 'acceptInvitation'),
    },
  }
}

export const organization = defineFeature({
  name: 'organization',
  options: organizationOptions,
  publicConfiguration: publicOrganizationConfig,
  shows: { session: ['activeOrganizationId'] },
  places: ['deletingUser'],
  gives: ['oauth', 'startsSession', 'aboutUser', 'cron', 'permissions', 'keeps', 'stored'],
  endpoints: async () => (await import('./organization.endpoints.ts')).organizationEndpoints,
  parts: async () => (await import('./organization.parts.ts')).organizationParts,
  ends: async () => (await import('./organization.ends.ts')).organizationEnds,
})
