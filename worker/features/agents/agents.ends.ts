import { defineEnds } from '../../http/feature.ts'
import { approvalRequests } from './approvals/approvals.table.ts'
import { restoredApprovals } from './approvals/restored.store.ts'

export const agentsEnds = defineEnds({
  stored: {
    // The secrets of notifications.
    sealed: [{ table: approvalRequests, column: approvalRequests.notificationToken }],
    restored: restoredApprovals,
  },
})
