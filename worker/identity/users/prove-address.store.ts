import { and, eq, exists, not, type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { Database } from '../../platform/database.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { sessions } from '../sessions/sessions.table.ts'
import { type User, users } from './users.table.ts'

/** An identity at a provider, as accounts name it. */
export interface Identity {
  providerId: string
  accountId: string
}

/**
 * Verifies an address that was not, and removes every way in that was set up before: password, linked identities
 * but `keep`, phone number, second factor, sessions, and what the features add. One batch, which does all or nothing.
 * @returns null, and nothing is written, when the address has been verified or changed in the meantime
 */
export async function takeOverUnverified(
  db: Database,
  { id, email }: User,
  now: Date,
  keep: Identity | undefined,
  features: (userId: string, when: SQL) => BatchItem<'sqlite'>[],
): Promise<User | null> {
  const unproven = and(eq(users.id, id), eq(users.email, email), eq(users.emailVerified, false))
  const when = exists(db.select({ one: sql`1` }).from(users).where(unproven))
  const kept = keep && and(eq(accounts.providerId, keep.providerId), eq(accounts.accountId, keep.accountId))
  const statements: BatchItem<'sqlite'>[] = [
    db.delete(accounts).where(and(eq(accounts.userId, id), kept && not(kept), when)),
    ...features(id, when),
    // Last, for all others ask whether the address is still unproven.
    db
      .update(users)
      .set({
        emailVerified: true,
        phoneNumber: null,
        phoneNumberVerified: false,
        twoFactorEnabled: false,
        securityVersion: sql`${users.securityVersion} + 1`,
        updatedAt: now,
      })
      .where(unproven)
      .returning(),
  ]
  const results = await db.batch([db.delete(sessions).where(and(eq(sessions.userId, id), when)), ...statements])
  const [user] = results.at(-1) as unknown as User[]
  return user ?? null
}
