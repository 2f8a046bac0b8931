import { and, eq, type SQL } from 'drizzle-orm'
import { sessions } from '../../../identity/sessions/sessions.table.ts'
import type { Database } from '../../../platform/database.ts'

/** The organization that a session is working with, as parts of batches. */

/** For a batch: makes an organization, or none, the active one of a session. */
export const activateInSession = (
  db: Database,
  sessionId: string,
  organizationId: string | SQL | null,
  condition?: SQL,
) =>
  db
    .update(sessions)
    .set({ activeOrganizationId: organizationId })
    .where(and(eq(sessions.id, sessionId), condition))

/** For a batch: an organization is no longer active in any session, or in any of one user. */
export const deactivateInSessions = (
  db: Database,
  { organizationId, userId }: { organizationId: string; userId?: string },
  condition?: SQL,
) =>
  db
    .update(sessions)
    .set({ activeOrganizationId: null })
    .where(
      and(
        eq(sessions.activeOrganizationId, organizationId),
        userId === undefined ? undefined : eq(sessions.userId, userId),
        condition,
      ),
    )
