import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { type User, users } from '../../identity/users/users.table.ts'
import type { Database } from '../../platform/database.ts'
import { demand, type Statement } from '../../platform/statements.ts'

/** Queries about numbers. */

export async function findUserByPhone(db: Database, phoneNumber: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.phoneNumber, phoneNumber))
  return user ?? null
}

const some = (condition: SQL | undefined): SQL => sql`exists (select 1 from ${users} where ${condition})`

/** For a batch: the number that a user has claimed is theirs. It ends the batch unless their claim still stands. */
export function proveClaimStatements(db: Database, { id, phoneNumber, securityVersion }: User, now: Date): Statement[] {
  const claim = and(
    eq(users.id, id),
    eq(users.phoneNumber, phoneNumber ?? ''),
    eq(users.securityVersion, securityVersion),
  )
  return [demand(db, some(claim)), db.update(users).set({ phoneNumberVerified: true, updatedAt: now }).where(claim)]
}

/** For a batch: takes a number from whoever has claimed it without a proof. */
export const dropClaim = (db: Database, phoneNumber: string, now: Date): Statement =>
  db.update(users).set({ phoneNumber: null, updatedAt: now }).where(unprovenClaim(phoneNumber))

const unprovenClaim = (phoneNumber: string) =>
  and(eq(users.phoneNumber, phoneNumber), eq(users.phoneNumberVerified, false))

/**
 * For a batch: makes a proven number a user's own, in place of an earlier one, and takes it from whoever only claimed
 * it. When somebody else has proven it the batch ends (UNIQUE), and when the user is gone (`isUnmetDemand`).
 */
export const moveToPhone = (db: Database, userId: string, phoneNumber: string, now: Date): Statement[] => [
  demand(db, some(eq(users.id, userId))),
  db
    .update(users)
    .set({ phoneNumber: null, updatedAt: now })
    .where(and(unprovenClaim(phoneNumber), ne(users.id, userId))),
  db.update(users).set({ phoneNumber, phoneNumberVerified: true, updatedAt: now }).where(eq(users.id, userId)),
]
