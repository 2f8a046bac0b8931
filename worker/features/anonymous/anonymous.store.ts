import { and, eq, ne, or, sql } from 'drizzle-orm'
import { accounts } from '../../identity/accounts/accounts.table.ts'
import { sessions } from '../../identity/sessions/sessions.table.ts'
import { users } from '../../identity/users/users.table.ts'
import type { Database } from '../../platform/database.ts'
import type { Condition } from '../../platform/statements.ts'

/** Holds while a session is that of a guest, and of somebody else than a user. */
export const isGuestsSession = (token: string, userId: string): Condition =>
  sql`exists (select 1 from ${sessions} join ${users} on ${eq(users.id, sessions.userId)} where ${and(
    eq(sessions.token, token),
    ne(sessions.userId, userId),
    eq(users.isAnonymous, true),
  )})`

/** Whether a user has a way in. @param kept what holds while a feature keeps one */
export async function hasWayIn(db: Database, userId: string, kept: readonly Condition[]): Promise<boolean> {
  const account = sql`exists (select 1 from ${accounts} where ${eq(accounts.userId, userId)})`
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), or(account, ...kept)))
  return rows.length > 0
}
