import { and, desc, eq, gt, inArray } from 'drizzle-orm'
import { type Session, sessions } from '../../identity/model/sessions.table.ts'
import { type User, users } from '../../identity/model/users.table.ts'
import type { Database } from '../../platform/database.ts'

/** The active sessions among the given tokens, newest first. */
export async function findLiveSessions(
  db: Database,
  tokens: readonly string[],
  now: Date,
): Promise<{ session: Session; user: User }[]> {
  if (tokens.length === 0) return []
  return db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(inArray(sessions.token, [...tokens]), gt(sessions.expiresAt, now)))
    .orderBy(desc(sessions.createdAt))
}
