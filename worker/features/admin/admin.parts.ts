import { defineParts } from '../../http/feature.ts'
import { refuseBanned } from './ban.ts'
import { adminClaims } from './claims.ts'
import { giveDefaultRole } from './create-user.ts'
import { promoteAtSignIn, promoteVerified } from './first-admins.ts'
import { forgetAdminSession, leaveAdminSession } from './impersonate.ts'
import { operatorJobs } from './operator-commands.ts'
import { keepAnAdmin } from './remove-user.ts'

export const adminParts = defineParts({
  steps: {
    creatingUser: giveDefaultRole,
    deletingUser: keepAnAdmin,
    signingIn: (scope, attempt) => refuseBanned(scope, attempt) ?? promoteAtSignIn(scope, attempt),
    sessionIssued: forgetAdminSession,
    signingOut: leaveAdminSession,
    reactions: { 'user.created': promoteVerified, 'user.updated': promoteVerified },
  },
  jobs: operatorJobs,
  oauth: { claims: adminClaims },
})
