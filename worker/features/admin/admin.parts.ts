import { defineParts } from '../../http/feature.ts'
import { runDueJobs } from '../../identity/jobs/dispatch.ts'
import { recoverKind } from '../../identity/recovery/recovery-job.ts'
import { refuseBanned } from './ban.ts'
import { adminClaims } from './claims.ts'
import { giveDefaultRole } from './create-user.ts'
import { promoteAtSignIn, promoteVerified } from './first-admins.ts'
import { forgetAdminSession, leaveAdminSession } from './impersonate.ts'
import { operatorJobs } from './operator-commands.ts'
import { recoverJobs } from './recover.ts'
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
  jobs: { ...operatorJobs, ...recoverJobs },
  // Of a recovery, which does not wait for five minutes.
  cron: { eachMinute: (scope) => runDueJobs(scope, recoverKind) },
  oauth: { claims: adminClaims },
})
