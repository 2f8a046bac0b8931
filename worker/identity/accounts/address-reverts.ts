import { and, eq, gt, gte, lte, sql } from 'drizzle-orm'
import { sha256 } from '../../kit/hash.ts'
import { randomString } from '../../kit/random.ts'
import { after, days } from '../../kit/time.ts'
import type { Database } from '../../platform/database.ts'
import { type User, users } from '../model/users.table.ts'
import { pageFor } from '../pages.ts'
import type { Scope } from '../scope.ts'
import { securityEvent } from '../security/security-events.ts'
import type { Work } from '../work.ts'
import { type AddressRevert, addressReverts } from './address-reverts.table.ts'

/**
 * Links that revert a change of address. The batch of the change writes the row, so that the link works if and only if
 * the address has changed. Only its use, the use of an older link, or its expiry invalidates the link.
 */
const revertibleFor = days(7)

/**
 * Records a change of address in the sign-in log, and notifies the owner at the old address. The notice to a verified address
 * has a link that reverts the change; an unverified address may belong to a stranger and gets no link.
 * @param user before the change
 */
export function recordAddressChange(scope: Scope, work: Work, user: User, sessionId: string | null): void {
  const event = { type: 'email-changed', user, sessionId } as const
  if (!user.emailVerified || user.emailIsPlaceholder) {
    securityEvent(scope, work, event)
    return
  }
  const token = randomString(32)
  const until = after(scope.now(), revertibleFor)
  const revert: AddressRevert = {
    tokenHash: sha256(token),
    userId: user.id,
    email: user.email,
    changedAt: scope.now(),
    expiresAt: until,
  }
  const link = { url: pageFor(scope, 'revertEmail', { token }), until }
  work.run(scope.db.insert(addressReverts).values(revert))
  securityEvent(scope, work, event, undefined, link)
}

const isLive = (tokenHash: string, now: Date) =>
  and(eq(addressReverts.tokenHash, tokenHash), gt(addressReverts.expiresAt, now))

/** The change that a link reverts, with its user; null for an unknown, used or expired link. One round trip. */
export async function findRevert(
  db: Database,
  token: string,
  now: Date,
): Promise<{ revert: AddressRevert; user: User } | null> {
  const [row] = await db
    .select({ revert: addressReverts, user: users })
    .from(addressReverts)
    .innerJoin(users, eq(users.id, addressReverts.userId))
    .where(isLive(sha256(token), now))
  return row ?? null
}

/**
 * Uses the link, and the links of later changes: the owner of the older address rejects all later changes. Links of
 * earlier changes remain valid.
 */
export function spendRevert(scope: Scope, work: Work, { tokenHash, userId, changedAt }: AddressRevert): void {
  const { db } = scope
  work.require(sql`exists (select 1 from ${addressReverts} where ${isLive(tokenHash, scope.now())})`)
  work.run(
    db.delete(addressReverts).where(and(eq(addressReverts.userId, userId), gte(addressReverts.changedAt, changedAt))),
  )
}

export const deleteExpiredReverts = (db: Database, now: Date) =>
  db.delete(addressReverts).where(lte(addressReverts.expiresAt, now))
