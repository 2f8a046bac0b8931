import { eq } from 'drizzle-orm'
import type { RestoredRows } from '../../../identity/lifecycle.ts'
import { invitations } from '../model/invitations.table.ts'

/** A restored invitation may have been canceled or accepted. */
export const restoredInvitations: readonly RestoredRows[] = [
  { table: invitations, set: { status: 'canceled' }, where: eq(invitations.status, 'pending') },
]
