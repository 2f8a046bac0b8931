import { and, eq, sql } from 'drizzle-orm'
import { type User, users } from '../../identity/users/users.table.ts'
import type { Database } from '../../platform/database.ts'

/**
 * Replaces an address that is still unverified. What was mailed to the old one dies.
 * @returns null when it has been verified or changed in the meantime
 * @throws when the new address is taken (UNIQUE)
 */
export async function replaceUnverifiedEmail(db: Database, user: User, email: string, now: Date): Promise<User | null> {
  const [changed] = await db
    .update(users)
    .set({ email, emailIsPlaceholder: false, updatedAt: now, securityVersion: sql`${users.securityVersion} + 1` })
    .where(and(eq(users.id, user.id), eq(users.email, user.email), eq(users.emailVerified, false)))
    .returning()
  return changed ?? null
}
