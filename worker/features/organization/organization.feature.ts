import { defineFeature } from '../../http/feature.ts'
import { organizationOptions } from './membership/membership.config.ts'
import { tellOfOrganizations } from './organization.hooks.ts'
import { organizationRoutes } from './organization.routes.ts'
import { organizationsOf } from './organization.store.ts'

export const organization = defineFeature({
  name: 'organization',
  routes: organizationRoutes,
  options: organizationOptions,
  publicConfiguration: tellOfOrganizations,
  aboutUser: { organizations: ({ db }, userId) => organizationsOf(db, userId) },
  shows: { session: ['activeOrganizationId'] },
})
