import { and, eq, isNotNull, isNull, or } from 'drizzle-orm'
import type { RestoredRows } from '../../../../identity/lifecycle.ts'
import type { Database } from '../../../../platform/database.ts'
import { oauthApplications } from '../clients/clients.table.ts'
import { oauthAccessTokens, oauthConsents, oauthServiceTokens } from './grants.table.ts'
import { providerGrants } from './provider-grants.table.ts'

const actsAlone = or(isNotNull(oauthApplications.agent), isNotNull(oauthApplications.service))

/**
 * Clients whose secret may have been replaced since: those of a user, and services. The secret of an agent, and of a client
 * that a visitor has registered, never changes.
 */
const hasReplaceableSecret = and(
  isNotNull(oauthApplications.clientSecret),
  isNull(oauthApplications.agent),
  or(isNotNull(oauthApplications.userId), isNotNull(oauthApplications.service)),
)!

/** It is the hash of no secret. Null would be a client with keys. */
const endedSecret = 'ended'

/** The clients whose secrets a recovery ends, for the operator. */
export const clientsWithRestoredSecret = (db: Database, limit: number) =>
  db
    .select({ clientId: oauthApplications.clientId, name: oauthApplications.name })
    .from(oauthApplications)
    .where(hasReplaceableSecret)
    .orderBy(oauthApplications.createdAt, oauthApplications.id)
    .limit(limit)

export const restoredGrants: readonly RestoredRows[] = [
  // Agents and services: their owners let those in use continue.
  {
    table: oauthApplications,
    set: { state: 'paused' },
    where: and(eq(oauthApplications.state, 'active'), actsAlone)!,
    kind: 'keys',
  },
  {
    table: oauthApplications,
    set: { clientSecret: endedSecret, previousSecret: null, previousSecretEndsAt: null },
    where: hasReplaceableSecret,
    kind: 'keys',
  },
  { table: oauthConsents },
  { table: providerGrants },
  { table: oauthServiceTokens },
  { table: oauthAccessTokens },
]
