import { and, desc, eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { users } from '../../../identity/users/users.table.ts'
import type { Database } from '../../../platform/database.ts'
import { type AuditLine, adminAudit } from './audit.table.ts'

/** Queries about the audit log. Every function is one round trip. */

/** For a batch. */
export const insertAuditLine = (db: Database, line: AuditLine) => db.insert(adminAudit).values(line)

/** Where a page begins: after this line. */
export interface AuditPlace {
  createdAt: number
  id: string
}

export interface AuditQuery {
  actorId?: string | undefined
  subjectId?: string | undefined
  limit: number
  after: AuditPlace | null
}

const actors = alias(users, 'actors')
const subjects = alias(users, 'subjects')

/** For a batch: a page of the log, newest first, and one line more, which tells whether there is another page. */
export const auditPage = (db: Database, { actorId, subjectId, limit, after }: AuditQuery) =>
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
      // In a batch, D1 knows columns by their names alone.
      actorName: sql<string | null>`${actors.name}`.as('actor_name'),
      subjectName: sql<string | null>`${subjects.name}`.as('subject_name'),
    })
    .from(adminAudit)
    .leftJoin(actors, eq(actors.id, adminAudit.actorId))
    .leftJoin(subjects, eq(subjects.id, adminAudit.subjectId))
    .where(
      and(
        actorId === undefined ? undefined : eq(adminAudit.actorId, actorId),
        subjectId === undefined ? undefined : eq(adminAudit.subjectId, subjectId),
        after ? sql`(${adminAudit.createdAt}, ${adminAudit.id}) < (${after.createdAt}, ${after.id})` : undefined,
      ),
    )
    .orderBy(desc(adminAudit.createdAt), desc(adminAudit.id))
    .limit(limit + 1)
