import { and, desc, eq, max, not, type SQLWrapper } from 'drizzle-orm'
import type { Handle, Work } from '../../../identity/work.ts'
import type { Page } from '../../../kit/page.ts'
import type { Database } from '../../../platform/database.ts'
import { type Condition, rowExists } from '../../../platform/statements.ts'
import { oauthApplications } from '../model/clients/clients.table.ts'
import { oauthAccessTokens, oauthConsents } from '../model/grants/grants.table.ts'
import { deleteProviderGrants, deleteProviderGrantsOf } from '../model/grants/provider-grants.store.ts'
import { deleteTokens, eraseTokensOf, ofConnection, ofUserWhen } from '../model/grants/tokens.store.ts'

/** The consents of a user with the time of the last token, newest first. */
export const selectConnections = (db: Database, userId: SQLWrapper, { limit, offset }: Page) =>
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
    .limit(limit)
    .offset(offset)

/** Holds while a client has neither a consent nor a token of a user. */
export const isDisconnected = (userId: string, clientId: string): Condition =>
  and(
    not(rowExists(oauthConsents, and(eq(oauthConsents.userId, userId), eq(oauthConsents.clientId, clientId)))),
    not(rowExists(oauthAccessTokens, ofConnection(userId, clientId))),
  )!

/** Deletes the consent and the grants of providers of a client. @returns a row if the consent existed */
export function addDisconnection(db: Database, work: Work, userId: string, clientId: string): Handle<{ id: string }> {
  work.run(deleteProviderGrants(db, clientId, userId))
  return work.run(
    db
      .delete(oauthConsents)
      .where(and(eq(oauthConsents.userId, userId), eq(oauthConsents.clientId, clientId)))
      .returning({ id: oauthConsents.id }),
  )
}

/** For a batch: ends the access of all applications. Each must request consent again. */
export const endApplicationsOf = (db: Database, userId: string) => [
  eraseTokensOf(db, userId),
  deleteProviderGrantsOf(db, userId),
  db.delete(oauthConsents).where(eq(oauthConsents.userId, userId)),
]

/** For a batch: deletes the consents and tokens of a user if a condition holds. */
export const endConnectionsOf = (db: Database, userId: string, when: Condition) => [
  deleteTokens(db, ofUserWhen(userId, when)),
  db.delete(oauthConsents).where(and(eq(oauthConsents.userId, userId), when)),
  deleteProviderGrantsOf(db, userId, when),
]
