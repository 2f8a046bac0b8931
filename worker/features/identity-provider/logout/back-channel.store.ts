import { and, eq, notExists, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database.ts'
import { named } from '../../../platform/statements.ts'
import { endedSessions, oauthApplications, oauthAccessTokens as tokens } from '../identity-provider.table.ts'

/** Queries about sessions that have ended and clients that want to know. Every function is one round trip. */

const waits = sql`json_extract(${oauthApplications.registration}, '$.backchannel_logout_uri') is not null`

/**
 * Clients with tokens of a session that is no more, each once for a session. Every client's first comes before any
 * client's second, so that one that does not answer keeps nobody else waiting.
 */
export const listEndedSessions = (db: Database, limit: number) =>
  db
    .select({
      application: named(oauthApplications, 'application'),
      userId: tokens.userId,
      sessionId: endedSessions.sessionId,
    })
    .from(endedSessions)
    // SQLite reads the tables of a cross join in their order: few sessions have ended, and there may be many tokens.
    .crossJoin(tokens)
    .innerJoin(oauthApplications, eq(oauthApplications.clientId, tokens.clientId))
    .where(and(eq(tokens.sessionId, endedSessions.sessionId), waits))
    .groupBy(tokens.clientId, endedSessions.sessionId)
    .orderBy(sql`row_number() over (partition by ${tokens.clientId})`, sql`random()`)
    .limit(limit)

/** The client has heard. */
export const detachSession = (db: Database, clientId: string, sessionId: string) =>
  db
    .update(tokens)
    .set({ sessionId: null })
    .where(and(eq(tokens.clientId, clientId), eq(tokens.sessionId, sessionId)))

/** Forgets the sessions of which every client has heard. */
export const forgetEndedSessions = (db: Database) => {
  const waiting = db
    .select({ found: sql`1` })
    .from(tokens)
    .innerJoin(oauthApplications, eq(oauthApplications.clientId, tokens.clientId))
    .where(and(eq(tokens.sessionId, endedSessions.sessionId), waits))
  return db.delete(endedSessions).where(notExists(waiting))
}
