import { type SQL, sql } from 'drizzle-orm'
import { deploymentChain, jsonOr, type StoredRecord } from '../../kit/audit-chain.ts'
import type { Database } from '../../platform/database.ts'
import { auditChains, auditRecords } from '../audit/audit-records.table.ts'

/** The last sealed number of the deployment's chain. */
export const sealedSeq = sql`coalesce((select sealed_seq from ${auditChains} where chain = ${deploymentChain}), 0)`

/** The first unsealed records by number. */
const unsealed = (limit: number): SQL =>
  sql`(select * from ${auditRecords} where seq > ${sealedSeq} order by seq limit ${limit})`

/**
 * The first records that are not yet in the chain of their organization, of each organization in turn, and the first ones
 * by number, which the chain of the deployment continues with. A flood of one organization leaves the others their share.
 */
export const unsealedInTurn = (limit: number): SQL =>
  sql`(select * from ${auditRecords} where seq in (
    select seq from (
      select seq, row_number() over (partition by organization_id order by organization_seq) as turn from ${auditRecords}
      where seq > ${sealedSeq} and organization_id is not null and organization_hash is null
      order by turn, seq limit ${limit}
    )
    union select seq from ${unsealed(limit)}
  ) order by seq)`

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

/** The states of the deployment's chain and of those of the records. */
export const chainsOf = (db: Database, from: SQL) =>
  db
    .select()
    .from(auditChains)
    .where(
      sql`${auditChains.chain} = ${deploymentChain}
        or ${auditChains.chain} in (select organization_id from ${from} where organization_id is not null)`,
    )
