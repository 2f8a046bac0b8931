import { type SQL, sql } from 'drizzle-orm'
import { jsonOr, type StoredRecord } from '../../kit/audit-chain.ts'
import type { Database } from '../../platform/database.ts'
import { auditRecords } from './audit-records.table.ts'

/** The records after a number, of the deployment or of an organization. */
export const recordsAfter = (organizationId: string | undefined, after: number, limit: number): SQL =>
  organizationId === undefined
    ? sql`(select * from ${auditRecords} where seq > ${after} order by seq limit ${limit})`
    : sql`(select * from ${auditRecords} where organization_id = ${organizationId} and organization_seq > ${after}
        order by organization_seq limit ${limit})`

/** Records as the database stores them: a value that is not JSON is an altered one, and does not end the read. */
export const rawRecords = (db: Database, from: SQL) =>
  db
    .select({
      seq: sql<number>`seq`.as('seq'),
      id: sql<string>`id`.as('id'),
      createdAt: sql<number>`created_at`.as('created_at'),
      action: sql<string>`action`.as('action'),
      actorType: sql<string>`actor_type`.as('actor_type'),
      actorId: sql<string | null>`actor_id`.as('actor_id'),
      actorVia: sql<string | null>`actor_via`.as('actor_via'),
      onBehalfOf: sql<string | null>`on_behalf_of`.as('on_behalf_of'),
      subjectType: sql<string>`subject_type`.as('subject_type'),
      subjectId: sql<string | null>`subject_id`.as('subject_id'),
      organizationId: sql<string | null>`organization_id`.as('organization_id'),
      organizationSeq: sql<number | null>`organization_seq`.as('organization_seq'),
      ipAddress: sql<string | null>`ip_address`.as('ip_address'),
      userAgent: sql<string | null>`user_agent`.as('user_agent'),
      requestId: sql<string | null>`request_id`.as('request_id'),
      before: sql<string>`"before"`.as('before'),
      after: sql<string>`"after"`.as('after'),
      hash: sql<string | null>`hash`.as('hash'),
      organizationHash: sql<string | null>`organization_hash`.as('organization_hash'),
    })
    .from(from)

export type RawRecord = Awaited<ReturnType<typeof rawRecords>>[number]

export const recordOf = (row: RawRecord): StoredRecord & { createdAt: Date } => ({
  ...row,
  createdAt: new Date(row.createdAt),
  before: jsonOr(row.before),
  after: jsonOr(row.after),
})
