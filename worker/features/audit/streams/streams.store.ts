import { and, asc, eq, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import { auditChains, auditRecords } from '../../../identity/audit/audit-records.table.ts'
import { auditSegmentParts, auditSegments } from '../../../identity/audit-archive/segments.table.ts'
import { deploymentChain } from '../../../kit/audit-chain.ts'
import type { Database } from '../../../platform/database.ts'
import { type Condition, fewerThan, insertWhere } from '../../../platform/statements.ts'
import { type AuditStream, auditStreams } from './streams.table.ts'

const { organizationId: owner, cursor } = auditStreams

/** The first number of a log, in the archive or in D1. The retention may have deleted the first records. */
const firstOf = (organizationId: string | null | SQL) => {
  const ofDeployment = sql`coalesce(
    (select first_seq from ${auditSegments} where first_seq > 0 and +state <> 'ended' order by first_seq limit 1),
    (select min(seq) from ${auditRecords}))`
  const own = sql`coalesce(
    (select min(first_number) from ${auditSegmentParts} where ${auditSegmentParts.organizationId} = ${organizationId}),
    (select min(organization_seq) from ${auditRecords} where ${auditRecords.organizationId} = ${organizationId}))`
  if (organizationId === null) return ofDeployment
  return typeof organizationId === 'string' ? own : sql`iif(${organizationId} is null, ${ofDeployment}, ${own})`
}

/** The last number. What D1 does not have is in the archive, and sealed. */
const lastOf = (organizationId: string | null | SQL) => {
  const ofDeployment = sql`(select max(seq) from ${auditRecords})`
  const own = sql`(select max(organization_seq) from ${auditRecords} where ${auditRecords.organizationId} = ${organizationId})`
  const newest =
    organizationId === null
      ? ofDeployment
      : typeof organizationId === 'string'
        ? own
        : sql`iif(${organizationId} is null, ${ofDeployment}, ${own})`
  return sql`coalesce(${newest}, (select sealed_seq from ${auditChains}
    where chain = coalesce(${organizationId}, ${deploymentChain})), 0)`
}

/** The number after which a stream begins. */
const beginning = (organizationId: string | null, from: 'now' | 'beginning'): SQL<number> =>
  from === 'now' ? sql`${lastOf(organizationId)}` : sql`coalesce(${firstOf(organizationId)} - 1, 0)`

/** The number of records that wait: numbers have no gaps, except before the first record that the retention has kept. */
const waiting =
  sql<number>`max(0, ${lastOf(sql`${owner}`)} - max(${cursor}, coalesce(${firstOf(sql`${owner}`)} - 1, 0)))`.as(
    'waiting',
  )

const hasSealed = sql`exists (select 1 from ${auditChains}
  where chain = coalesce(${owner}, ${deploymentChain}) and sealed_seq > ${cursor} and deleted_seq < sealed_seq)`
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
