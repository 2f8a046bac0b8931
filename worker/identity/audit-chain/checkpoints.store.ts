import { and, desc, eq, lt, lte, sql } from 'drizzle-orm'
import type { Database } from '../../platform/database.ts'
import { givenRows, givenValues, type Statement } from '../../platform/statements.ts'
import { auditChains, auditCheckpoints } from '../audit/audit-records.table.ts'

export const dueChains = (db: Database, now: Date, limit: number) =>
  db
    .select()
    .from(auditChains)
    .where(lte(auditChains.checkpointDue, now))
    .orderBy(auditChains.checkpointDue)
    .limit(limit)

export const insertCheckpoints = (
  db: Database,
  checkpoints: readonly (readonly [chain: string, token: string])[],
  now: Date,
): Statement =>
  db
    .insert(auditCheckpoints)
    .select(
      sql`select null, chain, ${now.getTime()}, token from ${givenRows(['chain', 'token'], checkpoints)} where true`,
    )

/** For a batch: the chains that have not continued since their checkpoint need no further one. */
export const settleDue = (db: Database, signed: readonly (readonly [chain: string, seq: number])[]): Statement =>
  db
    .update(auditChains)
    .set({ checkpointDue: null })
    .from(givenRows(['chain', 'seq'], signed))
    .where(sql`${auditChains.chain} = given.chain and ${auditChains.sealedSeq} = given.seq`)

/** For a batch, after `insertCheckpoints`: each chain keeps its newest one. */
export const deleteOldCheckpoints = (db: Database, chains: readonly string[], before: Date): Statement =>
  db
    .delete(auditCheckpoints)
    .where(and(sql`${auditCheckpoints.chain} in ${givenValues(chains)}`, lt(auditCheckpoints.createdAt, before)))

/** The state of a chain; none before its first record is sealed. @param chain or an expression in the batch */
export const chainState = (db: Database, chain: string | ReturnType<typeof sql>) =>
  db.select().from(auditChains).where(eq(auditChains.chain, chain))

/** A page of a chain's checkpoints, newest first, and one more. */
export const checkpointsPage = (
  db: Database,
  chain: string | ReturnType<typeof sql>,
  limit: number,
  before: number | null,
) =>
  db
    .select()
    .from(auditCheckpoints)
    .where(and(eq(auditCheckpoints.chain, chain), before === null ? undefined : lt(auditCheckpoints.id, before)))
    .orderBy(desc(auditCheckpoints.createdAt), desc(auditCheckpoints.id))
    .limit(limit + 1)
