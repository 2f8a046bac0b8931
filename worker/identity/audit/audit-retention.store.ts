import { sql } from 'drizzle-orm'
import type { Database } from '../../platform/database.ts'
import { excluded, type Statement } from '../../platform/statements.ts'
import { auditChains, auditRecords } from './audit-records.table.ts'

/** The first records by number, as far as they are older than a time: neither statement reads more than `limit` rows. */
const oldest = (before: Date, limit: number) => sql`(
  select seq, organization_id, organization_seq
  from (select seq, created_at, organization_id, organization_seq from ${auditRecords} where seq > 0 order by seq limit ${limit})
  where created_at < ${before.getTime()})`

/** For a batch, before `deleteOldest`: keeps the last deleted number of each organization, so that none is given twice. */
export const keepNumbers = (db: Database, before: Date, limit: number): Statement =>
  db
    .insert(auditChains)
    .select(
      sql`select organization_id, 0, '', max(organization_seq), '' from ${oldest(before, limit)}
        where organization_id is not null group by organization_id`,
    )
    .onConflictDoUpdate({
      target: auditChains.chain,
      set: { deletedSeq: excluded(auditChains.deletedSeq) },
    })

export const deleteOldest = (db: Database, before: Date, limit: number) =>
  db
    .delete(auditRecords)
    .where(sql`${auditRecords.seq} in (select seq from ${oldest(before, limit)})`)
    .returning({ seq: auditRecords.seq })
