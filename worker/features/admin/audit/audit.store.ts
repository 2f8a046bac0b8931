import { and, desc, eq, gte, lt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { users } from '../../../identity/model/users.table.ts'
import { idOfUser } from '../../../identity/users/users.store.ts'
import type { Place } from '../../../kit/cursor.ts'
import type { Database } from '../../../platform/database.ts'
import { type AuditLine, adminAudit } from './audit.table.ts'

/** For a batch. */
export const insertAuditLine = (db: Database, line: AuditLine) => db.insert(adminAudit).values(line)

export interface AuditQuery {
  /** Users by id or email address. */
  actor?: string | undefined
  subject?: string | undefined
  action?: string | undefined
  since?: Date | undefined
  until?: Date | undefined
  limit: number
  after: Place | null
}

const actors = alias(users, 'actors')
const subjects = alias(users, 'subjects')

/** For a batch: reads a page of the log, newest first, and one more line, which shows whether another page follows. */
export const auditPage = (db: Database, { actor, subject, action, since, until, limit, after }: AuditQuery) =>
  db
    .select({
      id: adminAudit.id,
      createdAt: adminAudit.createdAt,
      action: adminAudit.action,
      actorId: adminAudit.actorId,
      subjectId: adminAudit.subjectId,
      ipAddress: adminAudit.ipAddress,
      userAgent: adminAudit.userAgent,
      before: adminAudit.before,
      after: adminAudit.after,
      // In a batch, D1 identifies columns only by name.
      actorName: sql<string | null>`${actors.name}`.as('actor_name'),
      subjectName: sql<string | null>`${subjects.name}`.as('subject_name'),
    })
    .from(adminAudit)
    .leftJoin(actors, eq(actors.id, adminAudit.actorId))
    .leftJoin(subjects, eq(subjects.id, adminAudit.subjectId))
    .where(
      and(
        actor === undefined ? undefined : eq(adminAudit.actorId, idOfUser(actor)),
        subject === undefined ? undefined : eq(adminAudit.subjectId, idOfUser(subject)),
        // The plus leaves the index of the user, which has fewer rows.
        action === undefined
          ? undefined
          : (actor ?? subject) === undefined
            ? eq(adminAudit.action, action)
            : sql`+${adminAudit.action} = ${action}`,
        since && gte(adminAudit.createdAt, since),
        until && lt(adminAudit.createdAt, until),
        after ? sql`(${adminAudit.createdAt}, ${adminAudit.id}) < (${after.createdAt}, ${after.id})` : undefined,
      ),
    )
    .orderBy(desc(adminAudit.createdAt), desc(adminAudit.id))
    .limit(limit + 1)
