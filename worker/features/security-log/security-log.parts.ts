import { defineParts } from '../../http/feature.ts'
import { deleteOldRecords } from '../../identity/audit-chain/retention.ts'
import { noticeJobs } from '../../identity/security/security-notices.ts'
import { deleteOldSecurityEvents } from './security-log.ts'

export const securityLogParts = defineParts({
  jobs: noticeJobs,
  cron: {
    scheduled: async (scope) => {
      await deleteOldSecurityEvents(scope)
      await deleteOldRecords(scope)
    },
  },
})
