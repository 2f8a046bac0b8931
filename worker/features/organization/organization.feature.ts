import { defineFeature } from '../../http/feature.ts'
import { organizationOptions } from './membership/membership.config.ts'
import { tellOfOrganizations } from './organization.hooks.ts'
import { organizationRoutes } from './organization.routes.ts'

export const organization = defineFeature({
  name: 'organization',
  routes: organizationRoutes,
  options: organizationOptions,
  publicConfiguration: tellOfOrganizations,
  shows: { session: ['activeOrganizationId'] },
})
