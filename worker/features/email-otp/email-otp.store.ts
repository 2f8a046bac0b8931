import { and, eq } from 'drizzle-orm'
import { type User, users } from '../../identity/users/users.table.ts'
import type { Database } from '../../platform/database.ts'

/** @returns the user with the address verified; null when they no longer have it, or what was pending has ended */
export async function markVerified(
  db: Database,
  { id, email, securityVersion }: User,
  now: Date,
): Promise<User | null> {
  const [user] = await db
    .update(users)
    .set({ emailVerified: true, updatedAt: now })
    .where(and(eq(users.id, id), eq(users.email, email), eq(users.securityVersion, securityVersion)))
    .returning()
  return user ?? null
}
