import { and, eq, isNotNull, or, sql } from 'drizzle-orm'
import { accounts } from '../../../identity/model/accounts.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import { connectionPrefix } from '../../../kit/connection-id.ts'
import type { Database } from '../../../platform/database.ts'
import type { Condition, Expression } from '../../../platform/statements.ts'
import { organizations } from '../../organization/model/organizations.table.ts'
import { type Connection, connections, type TestResult } from '../model/connections.table.ts'
import { organizationDomains } from '../model/domains.table.ts'
import { signInPolicies } from '../model/policies.table.ts'

/**
 * The active connection of a domain: the one that it names, otherwise the oldest of the organization. One round trip,
 * for unknown domains too.
 */
export async function findConnectionOfDomain(db: Database, domain: string) {
  const [found] = await db
    .select({
      organization: organizations.name,
      allowedMethods: signInPolicies.allowedMethods,
      connectionId: sql<string | null>`(select ${connections.id} from ${connections} where ${and(
        eq(connections.organizationId, organizationDomains.organizationId),
        eq(connections.state, 'active'),
        or(sql`${organizationDomains.connectionId} is null`, eq(connections.id, organizationDomains.connectionId)),
      )} order by ${connections.createdAt}, ${connections.id} limit 1)`,
    })
    .from(organizationDomains)
    .innerJoin(organizations, eq(organizations.id, organizationDomains.organizationId))
    .leftJoin(signInPolicies, eq(signInPolicies.organizationId, organizationDomains.organizationId))
    .where(and(eq(organizationDomains.domain, domain), isNotNull(organizationDomains.verifiedAt)))
  return found ?? null
}

/** An active connection, with the name of its organization. */
export const findActiveConnection = (db: Database, id: string) =>
  db
    .select({ id: connections.id, organization: organizations.name })
    .from(connections)
    .innerJoin(organizations, eq(organizations.id, connections.organizationId))
    .where(and(eq(connections.id, id), eq(connections.state, 'active')))

/** Stores the outcome of a test, unless the configuration has changed since its start. */
export const recordTest = (db: Database, { id, updatedAt, state }: Connection, lastTest: TestResult) =>
  db
    .update(connections)
    .set({ lastTest, ...(state === 'draft' ? { state: 'testing' as const } : {}) })
    .where(and(eq(connections.id, id), eq(connections.updatedAt, updatedAt)))

/** Holds while the user has an identity at an active connection. */
export const connectionOpens = (_scope: Scope, userId: string | Expression): Condition =>
  sql`exists (select 1 from ${accounts} inner join ${connections}
    on ${connections.id} = substr(${accounts.providerId}, ${connectionPrefix.length + 1})
      and ${accounts.providerId} = ${connectionPrefix} || ${connections.id}
    where ${accounts.userId} = ${userId} and ${connections.state} = 'active')`
