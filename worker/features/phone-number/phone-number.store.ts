import { and, eq, ne } from 'drizzle-orm'
import { type User, users } from '../../identity/users/users.table.ts'
import type { Database } from '../../platform/database.ts'

export async function findUserByPhone(db: Database, phoneNumber: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.phoneNumber, phoneNumber))
  return user ?? null
}

/** @returns the user with the number verified; null when they no longer have it, or what was pending has ended */
export async function markPhoneVerified(
  db: Database,
  { id, phoneNumber, securityVersion }: User,
  now: Date,
): Promise<User | null> {
  const [user] = await db
    .update(users)
    .set({ phoneNumberVerified: true, updatedAt: now })
    .where(and(eq(users.id, id), eq(users.phoneNumber, phoneNumber ?? ''), eq(users.securityVersion, securityVersion)))
    .returning()
  return user ?? null
}

const unprovenClaim = (phoneNumber: string) =>
  and(eq(users.phoneNumber, phoneNumber), eq(users.phoneNumberVerified, false))

/** Takes a number from whoever has claimed it without a proof. */
export const dropClaim = (db: Database, phoneNumber: string, now: Date) =>
  db.update(users).set({ phoneNumber: null, updatedAt: now }).where(unprovenClaim(phoneNumber))

/**
 * Makes a proven number a user's own, in place of an earlier one, and takes it from whoever only claimed it.
 * @returns null when the user is gone
 * @throws when somebody else has proven it (UNIQUE), nothing is written then
 */
export async function moveToPhone(db: Database, userId: string, phoneNumber: string, now: Date): Promise<User | null> {
  const [, rows] = await db.batch([
    db
      .update(users)
      .set({ phoneNumber: null, updatedAt: now })
      .where(and(unprovenClaim(phoneNumber), ne(users.id, userId))),
    db
      .update(users)
      .set({ phoneNumber, phoneNumberVerified: true, updatedAt: now })
      .where(eq(users.id, userId))
      .returning(),
  ])
  return rows[0] ?? null
}
