import { and, eq, gt, lte, type SQL, sql } from 'drizzle-orm'
import { newId } from '../../kit/random.ts'
import { after } from '../../kit/time.ts'
import type { Database } from '../../platform/database.ts'
import type { Statement } from '../../platform/statements.ts'
import { type User, users } from '../model/users.table.ts'
import type { Scope } from '../scope.ts'
import type { Work } from '../work.ts'
import { emailVerificationOptions } from './accounts.config.ts'
import { type AddressChange, addressChanges } from './address-changes.table.ts'

/** Changes of address that wait for a mailed link. The link is valid while the row of its change exists. */

const expiry = (scope: Scope) => after(scope.now(), emailVerificationOptions.of(scope).expiresIn)

export const draftChange = (scope: Scope, user: User, newEmail: string): AddressChange => ({
  userId: user.id,
  id: newId(),
  newEmail,
  securityVersion: user.securityVersion,
  expiresAt: expiry(scope),
})

/** Stores a change and replaces an earlier one, which invalidates its links. */
export function rememberChange(db: Database, change: AddressChange): Statement {
  const { userId, ...rest } = change
  return db.insert(addressChanges).values(change).onConflictDoUpdate({ target: addressChanges.userId, set: rest })
}

const isPending = (userId: string, id: string, now: Date) =>
  and(eq(addressChanges.userId, userId), eq(addressChanges.id, id), gt(addressChanges.expiresAt, now))

const requirePending = (scope: Scope, work: Work, userId: string, id: string): void =>
  work.require(sql`exists (select 1 from ${addressChanges} where ${isPending(userId, id, scope.now())})`)

/** Gives the next link of a pending change its own lifetime. */
export function prolongChange(scope: Scope, work: Work, userId: string, id: string): void {
  requirePending(scope, work, userId, id)
  work.run(
    scope.db
      .update(addressChanges)
      .set({ expiresAt: expiry(scope) })
      .where(eq(addressChanges.userId, userId)),
  )
}

/** Uses a pending change, in the batch that changes the address. */
export function finishChange(scope: Scope, work: Work, userId: string, id: string): void {
  requirePending(scope, work, userId, id)
  work.run(deleteChange(scope.db, userId))
}

/** Cancels the pending change of a user and invalidates its links. */
export const deleteChange = (db: Database, userId: string) =>
  db.delete(addressChanges).where(eq(addressChanges.userId, userId))

/** For a batch: the pending change of the user; at most one row. */
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
