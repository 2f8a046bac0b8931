import { inArray } from 'drizzle-orm'
import type { RestoredRows } from '../../../identity/lifecycle.ts'
import { approvalRequests } from './approvals.table.ts'

export const restoredApprovals: readonly RestoredRows[] = [
  {
    table: approvalRequests,
    set: { state: 'denied' },
    where: inArray(approvalRequests.state, ['pending', 'approved']),
  },
]
