import { and, eq, sql } from 'drizzle-orm'
import { recordUser } from '../../identity/events/record.ts'
import type { Scope } from '../../identity/scope.ts'
import { type User, users } from '../../identity/users/users.table.ts'
import { runBatch } from '../../platform/statements.ts'

/**
 * Replaces an address that is still unverified. What was mailed to the old one dies.
 * @returns null when it has been verified or changed in the meantime
 * @throws when the new address is taken (UNIQUE)
 */
export async function replaceUnverifiedEmail(scope: Scope, user: User, email: string): Promise<User | null> {
  const { db } = scope
  const change = db
    .update(users)
    .set({
      email,
      emailIsPlaceholder: false,
      updatedAt: scope.now(),
      securityVersion: sql`${users.securityVersion} + 1`,
    })
    .where(and(eq(users.id, user.id), eq(users.email, user.email), eq(users.emailVerified, false)))
    .returning()
  const recorded = recordUser(scope, 'user.updated', user.id, eq(users.email, email))
  const [rows] = await runBatch(db, [change, ...recorded])
  return (rows as User[])[0] ?? null
}
