import { and, eq, sql } from 'drizzle-orm'
import { type User, users } from '../../identity/users/users.table.ts'
import type { Database } from '../../platform/database.ts'

/**
 * Moves a user from one address to another, which is not verified yet. All else that is pending dies with it.
 * @returns null when the user no longer has the old address, nothing has been written then
 * @throws when the new address is taken (UNIQUE)
 */
export async function moveAddress(
  db: Database,
  user: Pick<User, 'id' | 'email'>,
  email: string,
  now: Date,
): Promise<User | null> {
  const [moved] = await db
    .update(users)
    .set({ email, emailVerified: false, updatedAt: now, securityVersion: sql`${users.securityVersion} + 1` })
    .where(and(eq(users.id, user.id), eq(users.email, user.email)))
    .returning()
  return moved ?? null
}
