import { and, eq, ne, or, type SQL, sql } from 'drizzle-orm'
import { passwordOpens } from '../../identity/accounts/ways-in.ts'
import { type User, users } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import type { Database } from '../../platform/database.ts'
import type { Condition, Statement } from '../../platform/statements.ts'

export async function findUserByPhone(db: Database, phoneNumber: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.phoneNumber, phoneNumber))
  return user ?? null
}

const some = (condition: SQL | undefined): SQL => sql`exists (select 1 from ${users} where ${condition})`

/** Holds while a user can sign in with a code to their number, or with the number and a password. */
export const numberOpens = (scope: Scope, userId: string): Condition =>
  or(some(and(eq(users.id, userId), eq(users.phoneNumberVerified, true))), passwordOpens(scope, userId, 'phoneNumber'))!

const claimOf = ({ id, phoneNumber, securityVersion }: User) =>
  and(eq(users.id, id), eq(users.phoneNumber, phoneNumber ?? ''), eq(users.securityVersion, securityVersion))

/** Holds while a user claims a number as it was read. */
export const claimsNumber = (user: User): Condition => some(claimOf(user))

/** Verifies the number that a user claims. */
export const proveClaim = (db: Database, user: User, now: Date): Statement =>
  db.update(users).set({ phoneNumberVerified: true, updatedAt: now }).where(claimOf(user))

/** Removes a number from a user who claims it without a proof. */
export const dropClaim = (db: Database, phoneNumber: string, now: Date): Statement =>
  db.update(users).set({ phoneNumber: null, updatedAt: now }).where(unprovenClaim(phoneNumber))

const unprovenClaim = (phoneNumber: string) =>
  and(eq(users.phoneNumber, phoneNumber), eq(users.phoneNumberVerified, false))

/** Sets a user's proven number, and removes it from a user who only claims it. UNIQUE protects a proven one. */
export const moveToPhone = (
  db: Database,
  userId: string,
  { phoneNumber, phoneNumberChangedAt }: { phoneNumber: string; phoneNumberChangedAt: Date | null },
  now: Date,
): Statement[] => [
  db
    .update(users)
    .set({ phoneNumber: null, updatedAt: now })
    .where(and(unprovenClaim(phoneNumber), ne(users.id, userId))),
  db
    .update(users)
    .set({ phoneNumber, phoneNumberVerified: true, phoneNumberChangedAt, updatedAt: now })
    .where(eq(users.id, userId)),
]
