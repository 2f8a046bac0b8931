import { defineEnds } from '../../http/feature.ts'
import { restoredInvitations } from './invitations/restored.store.ts'
import { actsFor } from './organization.steps.ts'
import { sharesOrganization } from './organization.store.ts'

export const organizationEnds = defineEnds({
  permissions: { actsFor },
  stored: {
    restored: restoredInvitations,
  },
  keeps: { guest: (_scope, userId) => sharesOrganization(userId) },
})
