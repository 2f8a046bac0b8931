import { defineParts } from '../../http/feature.ts'
import { archiveRecords } from '../../identity/audit-archive/archive-records.ts'
import { deleteEndedObjects } from '../../identity/audit-archive/clean.ts'
import { eraseDeletedUsers } from '../../identity/audit-archive/erase.ts'
import { deleteOldRecords } from '../../identity/audit-chain/retention.ts'
import { noticeJobs } from '../../identity/security/security-notices.ts'
import { deleteOldSecurityEvents } from './security-log.ts'

export const securityLogParts = defineParts({
  jobs: noticeJobs,
  cron: {
    scheduled: async (scope) => {
      await deleteOldSecurityEvents(scope)
      await deleteOldRecords(scope)
      await archiveRecords(scope)
      await eraseDeletedUsers(scope)
      await deleteEndedObjects(scope)
    },
  },
})
