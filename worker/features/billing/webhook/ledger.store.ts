import { and, asc, desc, eq, lt, lte, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database.ts'
import { type LedgerEntry, webhookLedger } from './ledger.table.ts'

/** Queries about the ledger of webhooks. Every function is one round trip. */

/** For a batch: ends it when the webhook was received before (UNIQUE). */
export const insertEntry = (db: Database, entry: LedgerEntry) => db.insert(webhookLedger).values(entry)

/** The same for what cannot be read: its second delivery changes nothing. */
export const keepEntry = (db: Database, entry: LedgerEntry) =>
  db.insert(webhookLedger).values(entry).onConflictDoNothing()

/** The column that says so. */
export const ledgerKey = 'billing_webhooks.id'

export const finishEntry = (db: Database, id: string) =>
  db
    .update(webhookLedger)
    .set({ done: true, payload: null, nextAt: null, lastError: null })
    .where(eq(webhookLedger.id, id))

export const noteFailure = (db: Database, id: string, lastError: string) =>
  db.update(webhookLedger).set({ lastError }).where(eq(webhookLedger.id, id))

export async function findEntry(db: Database, id: string): Promise<LedgerEntry | null> {
  const [entry] = await db.select().from(webhookLedger).where(eq(webhookLedger.id, id))
  return entry ?? null
}

/** Takes an entry for one try: whoever else holds it as it was read gets nothing. */
export async function leaseEntry(db: Database, { id, attempts }: LedgerEntry, nextAt: Date | null): Promise<boolean> {
  const taken = await db
    .update(webhookLedger)
    .set({ attempts: sql`${webhookLedger.attempts} + 1`, nextAt })
    .where(and(eq(webhookLedger.id, id), eq(webhookLedger.attempts, attempts), eq(webhookLedger.done, false)))
    .returning({ id: webhookLedger.id })
  return taken.length > 0
}

export const listDue = (db: Database, now: Date, limit: number): Promise<LedgerEntry[]> =>
  db.select().from(webhookLedger).where(lte(webhookLedger.nextAt, now)).orderBy(asc(webhookLedger.nextAt)).limit(limit)

/** What waits for another try or was given up, newest first. */
export const listUndone = (db: Database, limit: number) =>
  db
    .select({
      id: webhookLedger.id,
      type: webhookLedger.type,
      attempts: webhookLedger.attempts,
      nextAt: webhookLedger.nextAt,
      lastError: webhookLedger.lastError,
      receivedAt: webhookLedger.receivedAt,
    })
    .from(webhookLedger)
    .where(eq(webhookLedger.done, false))
    .orderBy(desc(webhookLedger.receivedAt))
    .limit(limit)

export const deleteOldEntries = (db: Database, before: Date) =>
  db.delete(webhookLedger).where(and(eq(webhookLedger.done, true), lt(webhookLedger.receivedAt, before)))
