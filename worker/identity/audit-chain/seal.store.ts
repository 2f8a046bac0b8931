import { type SQL, sql } from 'drizzle-orm'
import { deploymentChain } from '../../kit/audit-chain.ts'
import type { Database } from '../../platform/database.ts'
import { excluded, givenRows, type Statement } from '../../platform/statements.ts'
import { auditChains, auditRecords } from '../audit/audit-records.table.ts'

/** The last sealed number of the deployment's chain. */
const sealedSeq = sql`coalesce((select sealed_seq from ${auditChains} where chain = ${deploymentChain}), 0)`

/** Holds while no other run has sealed records since the read. */
export const isSealedUntil = (seq: number): SQL => sql`${sealedSeq} = ${seq}`

/** The first unsealed records by number, as the database stores them. */
const unsealed = (limit: number) => sql`(select * from ${auditRecords} where seq > ${sealedSeq} order by seq limit ${limit})`

export const unsealedRecords = (db: Database, limit: number) =>
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
    })
    .from(unsealed(limit))

/** The states of the chains that the first unsealed records continue. */
export const continuedChains = (db: Database, limit: number) =>
  db
    .select()
    .from(auditChains)
    .where(
      sql`${auditChains.chain} = ${deploymentChain}
        or ${auditChains.chain} in (select organization_id from ${unsealed(limit)} where organization_id is not null)`,
    )

/** For a batch: writes the links of records. */
export const writeLinks = (
  db: Database,
  links: readonly (readonly [seq: number, hash: string, organizationHash: string | null])[],
): Statement =>
  db
    .update(auditRecords)
    .set({ hash: sql`given.hash`, organizationHash: sql`given.organization_hash` })
    .from(givenRows(['seq', 'hash', 'organization_hash'], links))
    .where(sql`${auditRecords.seq} = given.seq`)

/** For a batch: the new ends of chains. Their next checkpoint becomes due. */
export const writeEnds = (
  db: Database,
  ends: readonly (readonly [chain: string, seq: number, hash: string])[],
  due: Date,
): Statement =>
  db
    .insert(auditChains)
    .select(
      sql`select chain, seq, hash, 0, '', ${due.getTime()} from ${givenRows(['chain', 'seq', 'hash'], ends)} where true`,
    )
    .onConflictDoUpdate({
      target: auditChains.chain,
      set: {
        sealedSeq: excluded(auditChains.sealedSeq),
        sealedHash: excluded(auditChains.sealedHash),
        checkpointDue: sql`coalesce(${auditChains.checkpointDue}, ${excluded(auditChains.checkpointDue)})`,
      },
    })
