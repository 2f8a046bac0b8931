import { and, desc, eq, max, type SQLWrapper } from 'drizzle-orm'
import type { Database } from '../../../platform/database.ts'
import { type Condition, runBatch } from '../../../platform/statements.ts'
import { oauthAccessTokens, oauthApplications, oauthConsents } from '../identity-provider.table.ts'

/** Queries about the applications that a person is connected with. Every function is one round trip. */

/** What a person allows whom, since when, and when a token was last given for it; the newest first. */
export const selectConnections = (db: Database, userId: SQLWrapper) =>
  db
    .select({
      clientId: oauthConsents.clientId,
      name: oauthConsents.clientName,
      icon: oauthApplications.icon,
      scopes: oauthConsents.scopes,
      createdAt: oauthConsents.createdAt,
      lastUsedAt: max(oauthAccessTokens.createdAt),
    })
    .from(oauthConsents)
    .leftJoin(oauthApplications, eq(oauthApplications.clientId, oauthConsents.clientId))
    .leftJoin(
      oauthAccessTokens,
      and(eq(oauthAccessTokens.clientId, oauthConsents.clientId), eq(oauthAccessTokens.userId, oauthConsents.userId)),
    )
    .where(eq(oauthConsents.userId, userId))
    .groupBy(oauthConsents.id)
    .orderBy(desc(oauthConsents.createdAt))

/** Withdraws a consent, with every token that came from it. @returns whether there was one */
export async function deleteConnection(db: Database, userId: string, clientId: string): Promise<boolean> {
  const results = await runBatch(db, [
    db
      .delete(oauthAccessTokens)
      .where(and(eq(oauthAccessTokens.userId, userId), eq(oauthAccessTokens.clientId, clientId))),
    db
      .delete(oauthConsents)
      .where(and(eq(oauthConsents.userId, userId), eq(oauthConsents.clientId, clientId)))
      .returning({ id: oauthConsents.id }),
  ])
  return (results[1] as unknown[]).length > 0
}

/** For a batch: a person's consents and tokens end, if a condition holds. */
export const endConnectionsOf = (db: Database, userId: string, when: Condition) => [
  db.delete(oauthAccessTokens).where(and(eq(oauthAccessTokens.userId, userId), when)),
  db.delete(oauthConsents).where(and(eq(oauthConsents.userId, userId), when)),
]
