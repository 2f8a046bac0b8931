import { and, desc, eq, isNull, or, type SQLWrapper, sql } from 'drizzle-orm'
import { firstPage, type Page } from '../../../kit/page.ts'
import type { Database } from '../../../platform/database.ts'
import { type Condition, rowExists, type Statement } from '../../../platform/statements.ts'
import { type OAuthApplication, oauthApplications } from '../model/clients/clients.table.ts'
import { authoritiesOf, isPrivateUse } from '../model/clients/redirect-uris.ts'
import { oauthAccessTokens, oauthConsents } from '../model/grants/grants.table.ts'

export const selectApplicationsOf = (db: Database, userId: string | SQLWrapper, { limit, offset }: Page = firstPage) =>
  db
    .select()
    .from(oauthApplications)
    .where(and(eq(oauthApplications.userId, userId), isNull(oauthApplications.agent)))
    .orderBy(desc(oauthApplications.createdAt))
    .limit(limit)
    .offset(offset)

/** Agents have endpoints of their own. */
export const isOwnedBy = (clientId: string, userId: string): Condition =>
  and(eq(oauthApplications.clientId, clientId), eq(oauthApplications.userId, userId), isNull(oauthApplications.agent))!

export async function findOwnApplication(
  db: Database,
  clientId: string,
  userId: string,
): Promise<OAuthApplication | null> {
  const [row] = await db.select().from(oauthApplications).where(isOwnedBy(clientId, userId))
  return row ?? null
}

/** The stored hash of a client's secret; null unless the client is the user's and has a secret. */
export async function findSecretHash(db: Database, clientId: string, userId: string): Promise<string | null> {
  const [row] = await db
    .select({ hash: oauthApplications.clientSecret })
    .from(oauthApplications)
    .where(isOwnedBy(clientId, userId))
  return row?.hash ?? null
}

export const secretIs = (hash: string): Condition => eq(oauthApplications.clientSecret, hash)

/**
 * Holds for a client that may have these redirect URIs: pairwise subjects depend on the host, which must not change, and only
 * a native client has private-use schemes (RFC 8252, section 7.1).
 */
export function allowsRedirectUris(uris: readonly string[]): Condition {
  const { registration, redirectURLs } = oauthApplications
  const first = sql`lower(json_extract(${redirectURLs}, '$[0]'))`
  const isAt = (authority: string) => {
    const begin = `https://${authority}`
    const length = [...begin].length
    return sql`(substr(${first}, 1, ${length}) = ${begin} and substr(${first}, ${length + 1}, 1) in ('', '/', '?'))`
  }
  const isPublic = sql`json_extract(${registration}, '$.subject_type') is not 'pairwise'`
  const isNative = sql`json_extract(${registration}, '$.application_type') = 'native'`
  const keepsSector = or(isPublic, ...authoritiesOf(uris).map(isAt))!
  return uris.some(isPrivateUse) ? and(keepsSector, isNative)! : keepsSector
}

/** Holds while a client is the user's. */
export const isOwned = (clientId: string, userId: string): Condition =>
  rowExists(oauthApplications, isOwnedBy(clientId, userId))

/** Changes a client of the user, if the condition holds for its row. */
export const updateApplication = (
  db: Database,
  clientId: string,
  userId: string,
  changes: Partial<OAuthApplication>,
  condition?: Condition,
) =>
  db
    .update(oauthApplications)
    .set(changes)
    .where(and(isOwnedBy(clientId, userId), condition))
    .returning()

/** @param resources an empty list removes them @returns whether the client exists */
export async function setResources(db: Database, clientId: string, resources: string[], now: Date): Promise<boolean> {
  const changed = await db
    .update(oauthApplications)
    .set({ resources: resources.length > 0 ? resources : null, updatedAt: now })
    .where(eq(oauthApplications.clientId, clientId))
    .returning({ id: oauthApplications.id })
  return changed.length > 0
}

/** Deletes a client of the user with all its tokens and consents. The last statement deletes the client. */
export function deleteApplication(db: Database, clientId: string, userId: string): Statement[] {
  const ownedByUser = db
    .select({ clientId: oauthApplications.clientId })
    .from(oauthApplications)
    .where(isOwnedBy(clientId, userId))
  return [
    db.delete(oauthAccessTokens).where(eq(oauthAccessTokens.clientId, ownedByUser)),
    db.delete(oauthConsents).where(eq(oauthConsents.clientId, ownedByUser)),
    db.delete(oauthApplications).where(isOwnedBy(clientId, userId)),
  ]
}
