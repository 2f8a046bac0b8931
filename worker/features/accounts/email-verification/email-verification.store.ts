import { and, eq, type SQL, sql } from 'drizzle-orm'
import { type User, users } from '../../../identity/model/users.table.ts'
import type { Database } from '../../../platform/database.ts'
import type { Condition } from '../../../platform/statements.ts'

const unchanged = ({ id, email, securityVersion }: User): SQL =>
  and(eq(users.id, id), eq(users.email, email), eq(users.securityVersion, securityVersion))!

/** Holds while the user has the address and the security version that were read. */
export const isAddressOf = (user: User): Condition => sql`exists (select 1 from ${users} where ${unchanged(user)})`

/** Sets the new address. The security version ends everything that is pending. @param moved the user with the new address */
export function moveAddress(db: Database, moved: User) {
  const { id, email, emailVerified, addressVouchedBy, emailIsPlaceholder, securityVersion, updatedAt } = moved
  return db
    .update(users)
    .set({ email, emailVerified, addressVouchedBy, emailIsPlaceholder, securityVersion, updatedAt })
    .where(eq(users.id, id))
}
