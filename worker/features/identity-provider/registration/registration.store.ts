import { and, eq, inArray, isNull, lte, not, or, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database.ts'
import { type Condition, fewerThan, rowExists, type Statement } from '../../../platform/statements.ts'
import { type OAuthApplication, oauthApplications } from '../model/clients/clients.table.ts'
import { oauthAccessTokens, oauthConsents } from '../model/grants/grants.table.ts'

export const insertApplication = (db: Database, application: OAuthApplication) =>
  db.insert(oauthApplications).values(application)

/** Holds while a user has fewer clients than the limit. @param limit null: any number */
export const hasFewerApplications = (userId: string, limit: number | null): Condition =>
  fewerThan(oauthApplications, and(eq(oauthApplications.userId, userId), isNull(oauthApplications.agent))!, limit)

/** Maximum number of clients per run. */
const batchSize = 500

/**
 * For the cron trigger: deletes clients that were registered without a user, the oldest first, if they were registered or last found in use
 * before `before`, and have neither a consent nor a token. A client in use gets the time of this check.
 */
export function deleteUnusedApplications(db: Database, before: Date, now: Date): Statement[] {
  const due = sql`(select ${oauthApplications.id} from ${oauthApplications} where ${and(
    isNull(oauthApplications.userId),
    isNull(oauthApplications.agent),
    isNull(oauthApplications.service),
    lte(oauthApplications.updatedAt, before),
  )} order by ${oauthApplications.updatedAt} limit ${batchSize})`
  const isUsed = or(
    rowExists(oauthConsents, eq(oauthConsents.clientId, oauthApplications.clientId)),
    rowExists(oauthAccessTokens, eq(oauthAccessTokens.clientId, oauthApplications.clientId)),
  )!
  return [
    db
      .update(oauthApplications)
      .set({ updatedAt: now })
      .where(and(inArray(oauthApplications.id, due), isUsed)),
    db.delete(oauthApplications).where(and(inArray(oauthApplications.id, due), not(isUsed))),
  ]
}
