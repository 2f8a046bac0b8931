import { defineFeature } from '../../../http/feature.ts'
import { adminOptions } from '../../admin/admin.config.ts'
import { organizationOptions } from '../model/organization.config.ts'

/** The organizations of all users, for administrators of the application. */
export const organizationAdministration = defineFeature({
  name: 'organization-administration',
  on: (options) => organizationOptions.of({ options }).enabled && adminOptions.of({ options }).enabled,
  endpoints: async () => (await import('./administration.endpoints.ts')).organizationAdministrationEndpoints,
})
