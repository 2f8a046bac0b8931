import { and, desc, eq, gt, inArray } from 'drizzle-orm'
import { type Session, sessions } from '../../../identity/model/sessions.table.ts'
import { type User, users } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import { isAllowedSession } from '../../../identity/sessions/sessions.store.ts'

/** The active sessions among the given tokens, newest first. */
export async function findLiveSessions(
  scope: Scope,
  tokens: readonly string[],
): Promise<{ session: Session; user: User }[]> {
  if (tokens.length === 0) return []
  return scope.db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(inArray(sessions.token, [...tokens]), gt(sessions.expiresAt, scope.now()), isAllowedSession(scope)))
    .orderBy(desc(sessions.createdAt))
}
