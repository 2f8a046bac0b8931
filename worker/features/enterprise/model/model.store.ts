import { and, asc, eq, isNotNull, type SQL } from 'drizzle-orm'
import { accounts } from '../../../identity/model/accounts.table.ts'
import { domainOf, users } from '../../../identity/model/users.table.ts'
import type { Database } from '../../../platform/database.ts'
import { type Condition, fewerThan, insertWhere, rowExists } from '../../../platform/statements.ts'
import { members } from '../../organization/model/members.table.ts'
import { type OrganizationKey, organizationIdFor } from '../../organization/model/membership.store.ts'
import { organizations } from '../../organization/model/organizations.table.ts'
import { type Connection, connections, providerOf } from './connections.table.ts'
import { type OrganizationDomain, organizationDomains } from './domains.table.ts'
import { breakGlassMembers, signInPolicies } from './policies.table.ts'
import { setupLinks } from './setup-links.table.ts'

/** An id, or the query that finds it for a member. */
type OrganizationId = string | ReturnType<typeof organizationIdFor>

/** What members and the holder of a set-up link see. */
const sharedQueries = (db: Database, organizationId: OrganizationId) => ({
  connections: db
    .select()
    .from(connections)
    .where(eq(connections.organizationId, organizationId))
    .orderBy(asc(connections.createdAt), asc(connections.id)),
  domains: db
    .select()
    .from(organizationDomains)
    .where(eq(organizationDomains.organizationId, organizationId))
    .orderBy(asc(organizationDomains.domain)),
  setupLinks: db.select().from(setupLinks).where(eq(setupLinks.organizationId, organizationId)),
})

/** For a batch of reads: the rules of an organization and its break-glass owners. */
export const policyReads = (db: Database, organizationId: OrganizationId) => ({
  policies: db.select().from(signInPolicies).where(eq(signInPolicies.organizationId, organizationId)),
  breakGlass: db
    .select({ memberId: breakGlassMembers.memberId })
    .from(breakGlassMembers)
    .innerJoin(members, eq(members.id, breakGlassMembers.memberId))
    .where(eq(members.organizationId, organizationId)),
})

/** Everything about the single sign-on of an organization. */
export const settingsQueries = (db: Database, organizationId: OrganizationId) => ({
  ...sharedQueries(db, organizationId),
  ...policyReads(db, organizationId),
})

/** The same, if the user is a member. */
export const settingsForMember = (db: Database, userId: string | SQL, key: OrganizationKey) =>
  settingsQueries(db, organizationIdFor(db, userId, key))

/** The connections and domains of an organization, and its name. */
export const setupQueries = (db: Database, organizationId: string) => ({
  organizations: db
    .select({ name: organizations.name })
    .from(organizations)
    .where(eq(organizations.id, organizationId)),
  ...sharedQueries(db, organizationId),
})

/** A connection of one organization. */
export const connectionQuery = (db: Database, organizationId: string | SQL, id: string) =>
  db
    .select()
    .from(connections)
    .where(and(eq(connections.organizationId, organizationId), eq(connections.id, id)))

export const connectionById = (db: Database, id: string) => db.select().from(connections).where(eq(connections.id, id))

export const insertConnection = (db: Database, connection: Connection, max: number) =>
  insertWhere(
    db,
    connections,
    connection,
    fewerThan(connections, eq(connections.organizationId, connection.organizationId), max),
  )

/** Changes a connection, unless another request has changed it since the read. */
export const updateConnection = (db: Database, seen: Connection, changes: Partial<Connection>) =>
  db
    .update(connections)
    .set(changes)
    .where(and(eq(connections.id, seen.id), eq(connections.updatedAt, seen.updatedAt)))
    .returning()

export const deleteConnection = (db: Database, { id }: Connection) =>
  db.delete(connections).where(eq(connections.id, id))

export const domainQuery = (db: Database, organizationId: string | SQL, id: string) =>
  db
    .select()
    .from(organizationDomains)
    .where(and(eq(organizationDomains.organizationId, organizationId), eq(organizationDomains.id, id)))

export const insertDomain = (db: Database, domain: OrganizationDomain, max: number) =>
  insertWhere(
    db,
    organizationDomains,
    domain,
    fewerThan(organizationDomains, eq(organizationDomains.organizationId, domain.organizationId), max),
  )

export const updateDomain = (db: Database, id: string, changes: Partial<OrganizationDomain>) =>
  db.update(organizationDomains).set(changes).where(eq(organizationDomains.id, id)).returning()

export const deleteDomain = (db: Database, id: string) =>
  db.delete(organizationDomains).where(eq(organizationDomains.id, id))

/** Holds while the organization has an active connection. */
export const hasActiveConnection = (organizationId: string): Condition =>
  rowExists(connections, and(eq(connections.organizationId, organizationId), eq(connections.state, 'active')))

/** Holds while the organization has a connection, in any state. */
export const connectionExists = (organizationId: string, id: string): Condition =>
  rowExists(connections, and(eq(connections.organizationId, organizationId), eq(connections.id, id)))

/** Holds while the domain is a verified one of the organization. */
export const ownsDomain = (organizationId: string, domain: string): Condition =>
  rowExists(
    organizationDomains,
    and(
      eq(organizationDomains.organizationId, organizationId),
      eq(organizationDomains.domain, domain),
      isNotNull(organizationDomains.verifiedAt),
    ),
  )

/** The domain of the address of the user of the current row. */
export const domainOfUser: SQL = domainOf(users.email)

/** Holds for a user of the current row whose address is in a verified domain of an organization. */
export const isInVerifiedDomain = (organizationId: string | SQL): Condition =>
  rowExists(
    organizationDomains,
    and(
      eq(organizationDomains.organizationId, organizationId),
      eq(organizationDomains.domain, domainOfUser),
      isNotNull(organizationDomains.verifiedAt),
    ),
  )

/** Deletes the identities of a connection. */
export const deleteIdentities = (db: Database, connection: Connection) =>
  db.delete(accounts).where(eq(accounts.providerId, providerOf(connection)))

/** For a batch: the organization manages the membership of a user, whatever address the user has later. */
export const markManaged = (db: Database, organizationId: string, userId: string) =>
  db
    .update(members)
    .set({ isManaged: true })
    .where(and(eq(members.organizationId, organizationId), eq(members.userId, userId)))
