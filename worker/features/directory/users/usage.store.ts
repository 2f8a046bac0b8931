import { and, eq, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Database } from '../../../platform/database.ts'
import { type Condition, fewerThan, rowExists, type Statement } from '../../../platform/statements.ts'
import { tableCounts } from '../../../platform/table-counts.table.ts'
import { connections } from '../../enterprise/model/connections.table.ts'
import { organizationDomains } from '../../enterprise/model/domains.table.ts'
import { directoryGroups } from '../model/groups.table.ts'
import { directoryUsers, directoryUsage as usage } from '../model/users.table.ts'

/** The bytes of an entry beside its attributes: its row, its indexes and its memberships. */
export const rowBytes = 1024

/** Holds for a row of a connection of an organization. */
export const isOf = (connectionId: SQLiteColumn, organizationId: string): SQL =>
  sql`${connectionId} in (select ${connections.id} from ${connections} where ${connections.organizationId} = ${organizationId})`

/**
 * Counts the entries of earlier versions, once for each connection. It precedes the writes of entries. drizzle writes the
 * columns of a selection without their table, and both tables have an `id`.
 */
export const seedUsage = (db: Database, connectionId: string): Statement[] => [
  db
    .insert(usage)
    .select(
      db
        .select({
          connectionId: sql<string>`${connections.id}`.as('connection_id'),
          bytes: sql<number>`(select coalesce(sum(length(cast(${directoryUsers.data} as blob)) + ${rowBytes}), 0)
            from ${directoryUsers} where ${directoryUsers}.connection_id = ${connections}.id)`.as('bytes'),
        })
        .from(connections)
        .where(
          and(
            eq(connections.id, connectionId),
            sql`not exists (select 1 from ${usage} where ${usage.connectionId} = ${connectionId})`,
          ),
        ),
    )
    .onConflictDoNothing(),
]

export const addBytes = (db: Database, connectionId: string, bytes: number) =>
  db
    .update(usage)
    .set({ bytes: sql`max(0, ${usage.bytes} + ${bytes})` })
    .where(eq(usage.connectionId, connectionId))

/** Holds while the entries of an organization have at most so many bytes. */
export const fitsOrganization = (organizationId: string, max: number): Condition =>
  sql`(select coalesce(sum(${usage.bytes}), 0) from ${usage} where ${isOf(usage.connectionId, organizationId)}) <= ${max}`

/** The bytes of all directories, which triggers keep. */
const total = sql<number>`(select ${tableCounts.value} from ${tableCounts} where ${tableCounts.name} = 'directory-bytes')`

/** The same of the deployment. */
export const fitsDeployment = (max: number): Condition => sql`${total} <= ${max}`

export async function readTotal(db: Database): Promise<number> {
  const [row] = await db.select({ total: total.as('total') }).from(sql`(select 1)`)
  return row?.total ?? 0
}

/** Holds for an organization with a verified domain, and while its directories have at most so many users and so many groups. */
export const mayHaveEntries = (organizationId: string, max: number): Condition =>
  or(
    rowExists(
      organizationDomains,
      and(eq(organizationDomains.organizationId, organizationId), isNotNull(organizationDomains.verifiedAt)),
    ),
    and(
      fewerThan(directoryUsers, isOf(directoryUsers.connectionId, organizationId), max + 1),
      fewerThan(directoryGroups, isOf(directoryGroups.connectionId, organizationId), max + 1),
    ),
  )!
