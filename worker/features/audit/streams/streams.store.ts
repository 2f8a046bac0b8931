import { and, asc, eq, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import { auditChains, auditRecords } from '../../../identity/audit/audit-records.table.ts'
import { deploymentChain } from '../../../kit/audit-chain.ts'
import type { Database } from '../../../platform/database.ts'
import { type Condition, fewerThan, insertWhere } from '../../../platform/statements.ts'
import { type AuditStream, auditStreams } from './streams.table.ts'

const { organizationId: owner, cursor } = auditStreams

/** What the retention has deleted from the log of a chain; before the first sealed record nothing. */
const deletedOf = (chain: string | SQL) =>
  sql`coalesce((select deleted_seq from ${auditChains} where chain = ${chain}), 0)`

/** The last number of a chain. Records in D1 may have moved to the archive: then the last one is sealed. */
const lastOf = (chain: string | SQL, newest: SQL) =>
  sql`coalesce(${newest}, (select sealed_seq from ${auditChains} where chain = ${chain}), 0)`

/** The number after which a stream begins. */
const beginning = (organizationId: string | null, from: 'now' | 'beginning'): SQL<number> => {
  const chain = organizationId ?? deploymentChain
  if (from === 'beginning') return sql<number>`${deletedOf(chain)}`
  const newest =
    organizationId === null
      ? sql`(select max(seq) from ${auditRecords})`
      : sql`(select max(organization_seq) from ${auditRecords} where organization_id = ${organizationId})`
  return sql<number>`${lastOf(chain, newest)}`
}

const chainOf = sql`coalesce(${owner}, ${deploymentChain})`

const newestOf = sql`iif(${owner} is null,
  (select max(seq) from ${auditRecords}),
  (select max(organization_seq) from ${auditRecords} where ${auditRecords.organizationId} = ${owner}))`

/** The number of records that wait: numbers have no gaps, except before the first record that the retention has kept. */
const waiting = sql<number>`max(0, ${lastOf(chainOf, newestOf)} - max(${cursor}, ${deletedOf(chainOf)}))`.as('waiting')

const hasSealed = sql`exists (select 1 from ${auditChains}
  where chain = ${chainOf} and sealed_seq > ${cursor} and deleted_seq < sealed_seq)`
/** @param organizationId an expression in the batch that identifies the caller; null: of the deployment */
const isOf = (organizationId: string | SQL | null) =>
  organizationId === null ? sql`${owner} is null` : eq(owner, organizationId)

export const listStreams = (db: Database, organizationId: string | SQL | null, limit: number) =>
  db
    .select({ stream: auditStreams, waiting })
    .from(auditStreams)
    .where(isOf(organizationId))
    .orderBy(asc(auditStreams.createdAt), asc(auditStreams.id))
    .limit(limit)

/** A stream of one organization. */
export async function findStream(db: Database, organizationId: string | null, id: string) {
  const [found] = await db
    .select({ stream: auditStreams, waiting })
    .from(auditStreams)
    .where(and(isOf(organizationId), eq(auditStreams.id, id)))
  return found ?? null
}

export async function streamById(db: Database, id: string): Promise<AuditStream | null> {
  const [found] = await db.select().from(auditStreams).where(eq(auditStreams.id, id))
  return found ?? null
}

export const hasFewerStreams = (organizationId: string | null, limit: number): Condition =>
  fewerThan(auditStreams, isOf(organizationId)!, limit)

/** @param from `now`: it gets no older record */
export const insertStream = (db: Database, row: Omit<AuditStream, 'cursor'>, from: 'now' | 'beginning') =>
  insertWhere(db, auditStreams, { ...row, cursor: beginning(row.organizationId, from) }, sql`true`)

export const updateStream = (db: Database, id: string, changes: Partial<AuditStream>) =>
  db.update(auditStreams).set(changes).where(eq(auditStreams.id, id))

export const deleteStream = (db: Database, organizationId: string | null, id: string) =>
  db.delete(auditStreams).where(and(isOf(organizationId), eq(auditStreams.id, id)))

/** Notes a delivery, unless another run has noted it. */
export const noteDelivered = (db: Database, stream: AuditStream, through: number, now: Date) =>
  db
    .update(auditStreams)
    .set({ cursor: through, unconfirmed: null, failingSince: null, lastFailure: null, lastDeliveredAt: now })
    .where(and(eq(auditStreams.id, stream.id), eq(cursor, stream.cursor)))

/**
 * Ids of active streams with sealed records that wait, or with a batch that is not confirmed: one stream of each
 * organization, then the second ones. Those that have waited longest come first.
 */
export const dueStreams = (db: Database, limit: number) =>
  db
    .select({ id: auditStreams.id })
    .from(auditStreams)
    .where(and(eq(auditStreams.state, 'active'), or(isNotNull(auditStreams.unconfirmed), hasSealed)))
    .orderBy(
      sql`row_number() over (partition by ${owner} order by coalesce(${auditStreams.lastDeliveredAt}, 0))`,
      sql`coalesce(${auditStreams.lastDeliveredAt}, 0)`,
    )
    .limit(limit)
