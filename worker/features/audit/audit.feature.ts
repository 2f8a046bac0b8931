import { defineFeature } from '../../http/feature.ts'
import { organizationOptions } from '../organization/model/organization.config.ts'
import type { OptionalPublicConfiguration } from './audit.contract.ts'

/** The audit log for those whom it protects: owners and administrators of an organization. */
export const audit = defineFeature({
  name: 'audit',
  on: (options) => organizationOptions.of({ options }).enabled,
  publicConfiguration: (): OptionalPublicConfiguration => ({ features: { audit: true } }),
  endpoints: async () => (await import('./audit.endpoints.ts')).auditEndpoints,
})
