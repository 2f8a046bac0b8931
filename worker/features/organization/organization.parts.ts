import { defineParts } from '../../http/feature.ts'
import { after } from '../../kit/time.ts'
import { organizationClaims } from './claims.ts'
import { deleteOldInvitations } from './invitations/invitations.store.ts'
import { organizationOptions } from './model/organization.config.ts'
import { keepAnOwner, organizationOfSession } from './organization.steps.ts'
import { organizationsOf } from './organization.store.ts'

export const organizationParts = defineParts({
  steps: {
    deletingUser: keepAnOwner,
  },
  oauth: { claims: organizationClaims },
  startsSession: organizationOfSession,
  aboutUser: { organizations: ({ db }, userId) => organizationsOf(db, userId) },
  cron: {
    scheduled: (scope) =>
      deleteOldInvitations(scope.db, after(scope.now(), -organizationOptions.of(scope).invitationsKeptFor)),
  },
})
