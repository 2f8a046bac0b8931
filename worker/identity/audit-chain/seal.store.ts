import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../platform/database.ts'
import { excluded, givenRows, type Statement } from '../../platform/statements.ts'
import { auditChains, auditRecords } from '../audit/audit-records.table.ts'
import { sealedSeq } from './chain-records.store.ts'

/** Holds while no other run has sealed records since the read. */
export const isSealedUntil = (seq: number): SQL => sql`${sealedSeq} = ${seq}`

/** For a batch: writes the links of records. */
export const writeLinks = (
  db: Database,
  links: readonly (readonly [seq: number, hash: string | null, organizationHash: string | null])[],
): Statement =>
  db
    .update(auditRecords)
    .set({ hash: sql`given.hash`, organizationHash: sql`given.own` })
    .from(givenRows(['seq', 'hash', 'own'], links))
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
