import { and, eq, ne, sql } from 'drizzle-orm'
import { sessions } from '../../identity/sessions/sessions.table.ts'
import { users } from '../../identity/users/users.table.ts'
import type { Condition } from '../../platform/statements.ts'

/** Holds while a session is that of a guest, and of somebody else than a user. */
export const isGuestsSession = (token: string, userId: string): Condition =>
  sql`exists (select 1 from ${sessions} join ${users} on ${eq(users.id, sessions.userId)} where ${and(
    eq(sessions.token, token),
    ne(sessions.userId, userId),
    eq(users.isAnonymous, true),
  )})`
