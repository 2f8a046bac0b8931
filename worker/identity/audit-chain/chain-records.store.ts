import { type SQL, sql } from 'drizzle-orm'
import { deploymentChain } from '../../kit/audit-chain.ts'
import type { Database } from '../../platform/database.ts'
import { auditChains, auditRecords } from '../audit/audit-records.table.ts'

/** The last sealed number of the deployment's chain. */
export const sealedSeq = sql`coalesce((select sealed_seq from ${auditChains} where chain = ${deploymentChain}), 0)`

/** The first unsealed records by number. */
const unsealed = (limit: number): SQL =>
  sql`(select * from ${auditRecords} where seq > ${sealedSeq} order by seq limit ${limit})`

/**
 * The first records that are not yet in the chain of their organization, of each organization in turn, and the first ones
 * by number, which the chain of the deployment continues with. A flood of one organization leaves the others their share. With
 * the plus SQLite sorts what is not sealed, instead of reading all records of organizations in the order of their index.
 */
export const unsealedInTurn = (limit: number): SQL =>
  sql`(select * from ${auditRecords} where seq in (
    select seq from (
      select seq, row_number() over (partition by +organization_id order by +organization_seq) as turn from ${auditRecords}
      where seq > ${sealedSeq} and +organization_id is not null and organization_hash is null
      order by turn, seq limit ${limit}
    )
    union select seq from ${unsealed(limit)}
  ) order by seq)`

/** The states of the deployment's chain and of those of the records. */
export const chainsOf = (db: Database, from: SQL) =>
  db
    .select()
    .from(auditChains)
    .where(
      sql`${auditChains.chain} = ${deploymentChain}
        or ${auditChains.chain} in (select organization_id from ${from} where organization_id is not null)`,
    )
