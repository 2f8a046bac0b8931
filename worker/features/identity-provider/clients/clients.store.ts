import { and, desc, eq, isNotNull, type SQLWrapper } from 'drizzle-orm'
import type { Database } from '../../../platform/database.ts'
import { runBatch } from '../../../platform/statements.ts'
import {
  type OAuthApplication,
  oauthAccessTokens,
  oauthApplications,
  oauthConsents,
} from '../identity-provider.table.ts'

/** Queries about registered clients. Every function is one round trip. */

export const selectClient = (db: Database, clientId: string) =>
  db.select().from(oauthApplications).where(eq(oauthApplications.clientId, clientId))

export async function findApplication(db: Database, clientId: string): Promise<OAuthApplication | null> {
  const [row] = await selectClient(db, clientId)
  return row ?? null
}

/** For a batch: what somebody has allowed a client. @param userId the statement that finds it */
export const selectConsent = (db: Database, clientId: string, userId: SQLWrapper) =>
  db
    .select()
    .from(oauthConsents)
    .where(and(eq(oauthConsents.clientId, clientId), eq(oauthConsents.userId, userId)))

export const insertApplication = (db: Database, application: OAuthApplication) =>
  db.insert(oauthApplications).values(application)

/** For a batch. @param userId a text, or the statement that finds it */
export const selectApplicationsOf = (db: Database, userId: string | SQLWrapper) =>
  db
    .select()
    .from(oauthApplications)
    .where(eq(oauthApplications.userId, userId))
    .orderBy(desc(oauthApplications.createdAt))

const owned = (clientId: string, userId: string) =>
  and(eq(oauthApplications.clientId, clientId), eq(oauthApplications.userId, userId))

/** @param withSecret only a client that has one @returns null unless it is the user's */
export async function updateApplication(
  db: Database,
  clientId: string,
  userId: string,
  changes: Partial<OAuthApplication>,
  withSecret = false,
): Promise<OAuthApplication | null> {
  const [row] = await db
    .update(oauthApplications)
    .set(changes)
    .where(and(owned(clientId, userId), withSecret ? isNotNull(oauthApplications.clientSecret) : undefined))
    .returning()
  return row ?? null
}

/** Deletes a client with every consent and token that it has. @returns whether it was the user's */
export async function deleteApplication(db: Database, clientId: string, userId: string): Promise<boolean> {
  const ownedByUser = db
    .select({ clientId: oauthApplications.clientId })
    .from(oauthApplications)
    .where(owned(clientId, userId))
  const results = await runBatch(db, [
    db.delete(oauthAccessTokens).where(eq(oauthAccessTokens.clientId, ownedByUser)),
    db.delete(oauthConsents).where(eq(oauthConsents.clientId, ownedByUser)),
    db.delete(oauthApplications).where(owned(clientId, userId)).returning({ id: oauthApplications.id }),
  ])
  return (results[2] as unknown[]).length > 0
}
