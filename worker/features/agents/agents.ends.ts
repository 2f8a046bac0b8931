import { defineEnds } from '../../http/feature.ts'
import { approvalRequests } from './approvals/approvals.table.ts'

export const agentsEnds = defineEnds({
  // The secrets of notifications.
  sealed: [{ table: approvalRequests, column: approvalRequests.notificationToken }],
})
