import { and, desc, eq, isNotNull, or, type SQLWrapper, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database.ts'
import { type Condition, runBatch } from '../../../platform/statements.ts'
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

/** Holds for a client that has a secret. */
export const hasSecret: Condition = isNotNull(oauthApplications.clientSecret)

/**
 * Holds for a client whose pairwise names stay what they are: they depend on the host of its redirect URIs.
 * @param authorities the host of the new ones, in lower case, in each way in which they spell it
 */
export function keepsSector(authorities: readonly string[]): Condition {
  const { registration, redirectURLs } = oauthApplications
  const first = sql`lower(json_extract(${redirectURLs}, '$[0]'))`
  const isAt = (authority: string) => {
    const begin = `https://${authority}`
    const length = [...begin].length
    return sql`(substr(${first}, 1, ${length}) = ${begin} and substr(${first}, ${length + 1}, 1) in ('', '/', '?'))`
  }
  return or(sql`json_extract(${registration}, '$.subject_type') is not 'pairwise'`, ...authorities.map(isAt))!
}

/** @returns the client as it is then; null when the condition did not hold; `not-theirs` unless it is the user's */
export async function updateApplication(
  db: Database,
  clientId: string,
  userId: string,
  changes: Partial<OAuthApplication>,
  condition?: Condition,
): Promise<OAuthApplication | null | 'not-theirs'> {
  const [[row], [theirs]] = await db.batch([
    db
      .update(oauthApplications)
      .set(changes)
      .where(and(owned(clientId, userId), condition))
      .returning(),
    db.select({ id: oauthApplications.id }).from(oauthApplications).where(owned(clientId, userId)),
  ])
  return theirs ? (row ?? null) : 'not-theirs'
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
