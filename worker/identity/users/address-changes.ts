import { and, eq, gt, lte, type SQL, sql } from 'drizzle-orm'
import { newId } from '../../kit/random.ts'
import { after } from '../../kit/time.ts'
import type { Database } from '../../platform/database.ts'
import { demand, type Statement } from '../../platform/statements.ts'
import type { Scope } from '../scope.ts'
import { emailVerificationOptions } from '../settings.ts'
import { type AddressChange, addressChanges } from './address-changes.table.ts'
import { type User, users } from './users.table.ts'

/** Changes of address that wait for a mailed link. Such a link works for as long as the row of its change stands. */

const expiry = (scope: Scope) => after(scope.now(), emailVerificationOptions.of(scope).expiresIn)

export const draftChange = (scope: Scope, user: User, newEmail: string): AddressChange => ({
  userId: user.id,
  id: newId(),
  newEmail,
  securityVersion: user.securityVersion,
  expiresAt: expiry(scope),
})

/** For a batch: remembers a change, in place of an earlier one, whose links end with that. */
export function rememberChange(db: Database, change: AddressChange): Statement {
  const { userId, ...rest } = change
  return db.insert(addressChanges).values(change).onConflictDoUpdate({ target: addressChanges.userId, set: rest })
}

const isPending = (userId: string, id: string, now: Date) =>
  and(eq(addressChanges.userId, userId), eq(addressChanges.id, id), gt(addressChanges.expiresAt, now))

const demandPending = (scope: Scope, userId: string, id: string) =>
  demand(scope.db, sql`exists (select 1 from ${addressChanges} where ${isPending(userId, id, scope.now())})`)

/** For a batch: gives the next link of a change its own time. Ends the batch (`isUnmetDemand`) where it is not pending. */
export const prolongChange = (scope: Scope, userId: string, id: string): Statement[] => [
  demandPending(scope, userId, id),
  scope.db
    .update(addressChanges)
    .set({ expiresAt: expiry(scope) })
    .where(eq(addressChanges.userId, userId)),
]

/** For the batch that moves the address: uses the change up. Ends the batch (`isUnmetDemand`) where it is not pending. */
export const finishChange = (scope: Scope, userId: string, id: string): Statement[] => [
  demandPending(scope, userId, id),
  deleteChange(scope.db, userId),
]

/** Cancels whatever change of a user is pending: its links end. */
export const deleteChange = (db: Database, userId: string) =>
  db.delete(addressChanges).where(eq(addressChanges.userId, userId))

/** For a batch: the change of a user that still can be confirmed; a row at most. */
export const pendingChangeOf = (db: Database, userId: SQL<string>, now: Date) =>
  db
    .select({ newEmail: addressChanges.newEmail })
    .from(addressChanges)
    .innerJoin(
      users,
      and(eq(users.id, addressChanges.userId), eq(users.securityVersion, addressChanges.securityVersion)),
    )
    .where(and(eq(addressChanges.userId, userId), gt(addressChanges.expiresAt, now)))

export const deleteExpiredChanges = (db: Database, now: Date) =>
  db.delete(addressChanges).where(lte(addressChanges.expiresAt, now))
