import { defineEnds } from '../../http/feature.ts'
import { actsFor } from './organization.steps.ts'
import { sharesOrganization } from './organization.store.ts'

export const organizationEnds = defineEnds({
  actsFor,
  keepsGuest: (_scope, userId) => sharesOrganization(userId),
})
