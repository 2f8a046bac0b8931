import { and, eq, sql } from 'drizzle-orm'
import { type User, users } from '../../identity/users/users.table.ts'
import type { Database } from '../../platform/database.ts'
import { demand, type Statement } from '../../platform/statements.ts'

/**
 * For a batch: moves a user from one address to another; all else that is pending dies with it. It ends the batch when
 * the user no longer has the old address (`isUnmetDemand`), or somebody else has the new one (UNIQUE).
 * @param moved the user as they will be
 */
export function moveAddress(db: Database, user: User, moved: User): Statement[] {
  const still = and(eq(users.id, user.id), eq(users.email, user.email), eq(users.securityVersion, user.securityVersion))
  const { email, emailVerified, emailIsPlaceholder, securityVersion, updatedAt } = moved
  return [
    demand(db, sql`exists (select 1 from ${users} where ${still})`),
    db.update(users).set({ email, emailVerified, emailIsPlaceholder, securityVersion, updatedAt }).where(still),
  ]
}
