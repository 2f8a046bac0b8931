import { and, eq, sql } from 'drizzle-orm'
import { jobs } from '../../../../identity/jobs/jobs.table.ts'
import type { EventRows } from '../../../../identity/model/events.ts'
import { sessions } from '../../../../identity/model/sessions.table.ts'
import type { Database } from '../../../../platform/database.ts'
import { insertWhere, type Statement } from '../../../../platform/statements.ts'
import { oauthAccessTokens as tokens } from './grants.table.ts'

/** Queries about clients with back-channel logout. Each function is one round trip or a part of one. */

export interface Logout {
  userId: string
  sessionId: string
}

/** For the batch of a client's tokens: a message that is held until the session ends; one per client and session. */
export function holdLogout(db: Database, clientId: string, logout: Logout, now: Date): Statement {
  const session = sql`from ${sessions} where ${sessions.id} = ${logout.sessionId}`
  const job = {
    ...{ id: `logout:${clientId}:${logout.sessionId}`, kind: `logout/${clientId}`, key: logout.sessionId },
    ...{ payload: JSON.stringify(logout), attempts: 0, state: 'held' as const, settledAt: null, lastError: null },
    ...{ nextAt: sql`(select ${sessions.expiresAt} ${session})`, createdAt: now },
  }
  return insertWhere(db, jobs, job, sql`exists (select 1 ${session})`).onConflictDoNothing()
}

/** For the batch that ends sessions, before the deletion. @param group the prefix of the message ids */
export const releaseHeld = (db: Database, group: string, { from, where }: EventRows, now: Date): Statement =>
  db
    .update(jobs)
    .set({ id: sql`${group} || lower(hex(randomblob(8)))`, state: 'pending', nextAt: now, createdAt: now })
    .where(sql`${jobs.state} = 'held' and ${jobs.key} in (select ${sessions.id} from ${from} where ${where})`)

/** For a batch of the cron trigger: releases the messages of sessions that have expired. */
export function releaseExpired(db: Database, now: Date): Statement[] {
  const ofJob = sql`from ${sessions} where ${sessions.id} = ${jobs.key}`
  const due = sql`${jobs.state} <> 'pending' and ${jobs.state} = 'held' and ${jobs.nextAt} <= ${now.getTime()}`
  return [
    db
      .update(jobs)
      .set({ nextAt: sql`(select ${sessions.expiresAt} ${ofJob})` })
      .where(sql`${due} and exists (select 1 ${ofJob})`),
    db.update(jobs).set({ state: 'pending', nextAt: now, createdAt: now }).where(due),
  ]
}

/** The client has received the message: its new tokens name no session. */
export const detachSession = (db: Database, clientId: string, sessionId: string) =>
  db
    .update(tokens)
    .set({ sessionId: null })
    .where(and(eq(tokens.clientId, clientId), eq(tokens.sessionId, sessionId)))
