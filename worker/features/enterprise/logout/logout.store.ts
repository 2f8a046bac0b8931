import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../identity/model/accounts.table.ts'
import { sessions } from '../../../identity/model/sessions.table.ts'
import type { Database } from '../../../platform/database.ts'
import { type Connection, providerOf } from '../model/connections.table.ts'

/** The sessions that a connection has signed in for a subject: all of them, or those with the named indexes. */
export function sessionsOfSubject(
  db: Database,
  connection: Connection,
  { subject, sessionIndexes }: { subject: string; sessionIndexes: readonly string[] },
): SQL {
  const provider = providerOf(connection)
  const users = db
    .select({ userId: accounts.userId })
    .from(accounts)
    .where(and(eq(accounts.providerId, provider), eq(accounts.accountId, subject)))
  return and(
    inArray(sessions.userId, users),
    eq(sessions.method, provider),
    sql`json_extract(${sessions.upstream}, '$.subject') = ${subject}`,
    sessionIndexes.length === 0
      ? undefined
      : sql`json_extract(${sessions.upstream}, '$.sessionIndex') in (select value from json_each(${JSON.stringify(sessionIndexes)}))`,
  )!
}
