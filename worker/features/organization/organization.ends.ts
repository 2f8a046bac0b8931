import { defineEnds } from '../../http/feature.ts'
import { actsFor } from './organization.steps.ts'
import { sharesOrganization } from './organization.store.ts'

export const organizationEnds = defineEnds({
  permissions: { actsFor },
  keeps: { guest: (_scope, userId) => sharesOrganization(userId) },
})
