import { and, desc, eq, type SQL, type SQLWrapper } from 'drizzle-orm'
import { accounts } from '../../../../identity/model/accounts.table.ts'
import type { Database } from '../../../../platform/database.ts'
import { type Condition, excluded, rowExists, type Statement } from '../../../../platform/statements.ts'
import { oauthApplications as clients } from '../clients/clients.table.ts'
import { oauthConsents } from './grants.table.ts'
import { providerGrants as grants, type ProviderGrant } from './provider-grants.table.ts'

const isGrant = (userId: string, clientId: string, providerId: string) =>
  and(eq(grants.userId, userId), eq(grants.clientId, clientId), eq(grants.providerId, providerId))

/** The grants of a user with the names of the agents, newest first. Their number is that of agents and providers. */
export const selectProviderGrants = (db: Database, userId: SQLWrapper) =>
  db
    .select({
      clientId: grants.clientId,
      agent: clients.name,
      accountId: grants.accountId,
      providerId: grants.providerId,
      scopes: grants.scopes,
      createdAt: grants.createdAt,
      lastUsedAt: grants.lastUsedAt,
    })
    .from(grants)
    .innerJoin(clients, eq(clients.clientId, grants.clientId))
    .where(eq(grants.userId, userId))
    .orderBy(desc(grants.createdAt))
    .limit(500)

/** A grant with the scopes that the account has now. An account that has passed to another user matches none. */
export const selectProviderGrant = (db: Database, userId: string, clientId: string, providerId: string) =>
  db
    .select({ id: grants.id, accountId: grants.accountId, scopes: grants.scopes, current: accounts.scope })
    .from(grants)
    .innerJoin(
      accounts,
      and(
        eq(accounts.id, grants.accountId),
        eq(accounts.userId, grants.userId),
        eq(accounts.providerId, grants.providerId),
      ),
    )
    .where(isGrant(userId, clientId, providerId))

/** For a batch: writes a grant, or replaces the stored one. */
export const putProviderGrant = (db: Database, grant: ProviderGrant) =>
  db
    .insert(grants)
    .values(grant)
    .onConflictDoUpdate({
      target: [grants.userId, grants.clientId, grants.providerId],
      set: {
        accountId: excluded(grants.accountId),
        scopes: excluded(grants.scopes),
        createdAt: excluded(grants.createdAt),
      },
    })

/** Holds while the account has exactly these scopes and belongs to the user. */
export const accountHasScopes = (userId: string, accountId: string, scope: string): Condition =>
  rowExists(accounts, and(eq(accounts.id, accountId), eq(accounts.userId, userId), eq(accounts.scope, scope)))

/** Holds while an agent is active and the user allows it to act for them. */
export const mayActFor = (clientId: string, userId: string): Condition =>
  and(
    rowExists(clients, and(eq(clients.clientId, clientId), eq(clients.state, 'active'))),
    rowExists(
      oauthConsents,
      and(eq(oauthConsents.clientId, clientId), eq(oauthConsents.userId, userId), eq(oauthConsents.consentGiven, true)),
    ),
  )!

/** For the batch that records the use of a grant: returns its row while it has these scopes. */
export const recordProviderUse = (db: Database, { id, scopes }: Pick<ProviderGrant, 'id' | 'scopes'>, now: Date) =>
  db
    .update(grants)
    .set({ lastUsedAt: now })
    .where(and(eq(grants.id, id), eq(grants.scopes, scopes)))

export const deleteProviderGrant = (db: Database, userId: string, clientId: string, providerId: string) =>
  db
    .delete(grants)
    .where(isGrant(userId, clientId, providerId))
    .returning({ id: grants.id })

/** For a batch: deletes the grants of an agent, of one user or of all. */
export const deleteProviderGrants = (db: Database, clientId: string, userId?: string): Statement =>
  db
    .delete(grants)
    .where(and(eq(grants.clientId, clientId), userId === undefined ? undefined : eq(grants.userId, userId)))

/** For a batch: deletes all grants of a user. @param when a condition */
export const deleteProviderGrantsOf = (db: Database, userId: string, when?: SQL): Statement =>
  db.delete(grants).where(and(eq(grants.userId, userId), when))
