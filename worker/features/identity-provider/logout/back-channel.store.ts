import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { sessions } from '../../../identity/sessions/sessions.table.ts'
import type { Database } from '../../../platform/database.ts'
import { named } from '../../../platform/statements.ts'
import { oauthApplications, oauthAccessTokens as tokens } from '../identity-provider.table.ts'

/** Queries about sessions that have ended and clients that want to know. Every function is one round trip. */

/** Clients with tokens of a session that is no more, each once for a session. @param among ids of sessions; all without */
export const listEndedSessions = (db: Database, limit: number, among?: readonly string[]) =>
  db
    .selectDistinct({
      application: named(oauthApplications, 'application'),
      userId: tokens.userId,
      sessionId: sql<string>`${tokens.sessionId}`.as('ended_session'),
    })
    .from(tokens)
    .innerJoin(oauthApplications, eq(oauthApplications.clientId, tokens.clientId))
    .where(
      and(
        among ? inArray(tokens.sessionId, [...among]) : isNotNull(tokens.sessionId),
        sql`json_extract(${oauthApplications.registration}, '$.backchannel_logout_uri') is not null`,
        sql`not exists (select 1 from ${sessions} where ${sessions.id} = ${tokens.sessionId})`,
      ),
    )
    .limit(limit)

/** The client has heard. */
export const detachSession = (db: Database, clientId: string, sessionId: string) =>
  db
    .update(tokens)
    .set({ sessionId: null })
    .where(and(eq(tokens.clientId, clientId), eq(tokens.sessionId, sessionId)))
