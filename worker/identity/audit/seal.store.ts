import { and, asc, eq, gt, inArray, lt, lte, sql } from 'drizzle-orm'
import type { Database } from '../../platform/database.ts'
import type { Condition, Statement } from '../../platform/statements.ts'
import { excluded } from '../../platform/statements.ts'
import { type AuditChain, auditChains, auditRecords } from './audit-records.table.ts'

/** The records that follow the sealed ones, in order. */
export const unsealed = (db: Database, limit: number) =>
  db
    .select()
    .from(auditRecords)
    .where(sql`${auditRecords.seq} > coalesce((select sealed_seq from ${auditChains} where chain = ''), 0)`)
    .orderBy(asc(auditRecords.seq))
    .limit(limit)

export const chainsNamed = (db: Database, names: readonly string[]) =>
  db
    .select()
    .from(auditChains)
    .where(inArray(auditChains.chain, sql`(select value from json_each(${JSON.stringify(names)}))`))

/** Holds while no other run has sealed records since the read. */
export const isHead = (chain: string, seq: number): Condition =>
  sql`coalesce((select sealed_seq from ${auditChains} where chain = ${chain}), 0) = ${seq}`

export interface Link {
  seq: number
  hash: string
  organizationHash: string | null
}

/** For a batch: stores the links of records. */
export const writeLinks = (db: Database, links: readonly Link[]): Statement => {
  const given = sql`(select value ->> 'seq' as seq, value ->> 'hash' as hash, value ->> 'organizationHash' as own
    from json_each(${JSON.stringify(links)})) as given`
  return db
    .update(auditRecords)
    .set({ hash: sql`given.hash`, organizationHash: sql`given.own` })
    .from(given)
    .where(sql`${auditRecords.seq} = given.seq`)
}

/** For a batch: moves the ends of chains. */
export const writeChain = (db: Database, chain: AuditChain): Statement =>
  db
    .insert(auditChains)
    .values(chain)
    .onConflictDoUpdate({
      target: auditChains.chain,
      set: {
        sealedSeq: excluded(auditChains.sealedSeq),
        sealedHash: excluded(auditChains.sealedHash),
        deletedSeq: excluded(auditChains.deletedSeq),
        deletedHash: excluded(auditChains.deletedHash),
      },
    })

/** Sealed records that are older than a time, in order, from the first. */
export const oldRecords = (db: Database, before: Date, limit: number) =>
  db
    .select()
    .from(auditRecords)
    .where(
      and(
        lt(auditRecords.createdAt, before),
        sql`${auditRecords.seq} <= (select sealed_seq from ${auditChains} where chain = '')`,
      ),
    )
    .orderBy(asc(auditRecords.seq))
    .limit(limit)

export const deleteUpTo = (db: Database, seq: number): Statement =>
  db.delete(auditRecords).where(lte(auditRecords.seq, seq))

/** A page of a chain in its order, for a verification. @param chain empty: the deployment */
export function chainPage(db: Database, chain: string, after: number, limit: number) {
  const number = chain === '' ? auditRecords.seq : auditRecords.organizationSeq
  return db
    .select()
    .from(auditRecords)
    .where(and(chain === '' ? undefined : eq(auditRecords.organizationId, chain), gt(number, after)))
    .orderBy(asc(number))
    .limit(limit)
}
