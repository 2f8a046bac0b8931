import { gt, lte, sql } from 'drizzle-orm'
import { deploymentChain } from '../../kit/audit-chain.ts'
import type { Database } from '../../platform/database.ts'
import { givenRows, givenValues, type Statement } from '../../platform/statements.ts'
import { auditChains, auditRecords } from '../audit/audit-records.table.ts'

/** The first records by number. */
export const firstRecords = (db: Database, limit: number) =>
  db
    .select({
      seq: auditRecords.seq,
      createdAt: auditRecords.createdAt,
      organizationId: auditRecords.organizationId,
      organizationSeq: auditRecords.organizationSeq,
      hash: auditRecords.hash,
      organizationHash: auditRecords.organizationHash,
    })
    .from(auditRecords)
    // Not a scan of the table for the planner.
    .where(gt(auditRecords.seq, 0))
    .orderBy(auditRecords.seq)
    .limit(limit)

/** The states of the chains of these records. */
export const firstChains = (db: Database, limit: number) =>
  db
    .select()
    .from(auditChains)
    .where(
      sql`${auditChains.chain} = ${deploymentChain} or ${auditChains.chain} in (
        select organization_id from (select organization_id from ${auditRecords} where seq > 0 order by seq limit ${limit})
        where organization_id is not null)`,
    )

/** The states of some chains. */
export const chainsNamed = (db: Database, names: readonly string[]) =>
  db
    .select()
    .from(auditChains)
    .where(sql`${auditChains.chain} in ${givenValues(names)}`)

/** For a batch, before `deleteUntil`: the last deleted record of each chain. */
export const writeDeleted = (
  db: Database,
  ends: readonly (readonly [chain: string, seq: number, hash: string])[],
): Statement =>
  db
    .update(auditChains)
    .set({ deletedSeq: sql`given.seq`, deletedHash: sql`given.hash` })
    .from(givenRows(['chain', 'seq', 'hash'], ends))
    .where(sql`${auditChains.chain} = given.chain and ${auditChains.deletedSeq} < given.seq`)

export const deleteUntil = (db: Database, seq: number): Statement =>
  db.delete(auditRecords).where(lte(auditRecords.seq, seq))
