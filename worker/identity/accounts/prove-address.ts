import { and, eq, exists, isNotNull, not, type SQL, sql } from 'drizzle-orm'
import type { EndedAccess } from '../lifecycle.ts'
import { accounts } from '../model/accounts.table.ts'
import { type AddressVoucher, type User, users } from '../model/users.table.ts'
import { appointsAdministrator, contributed } from '../registry.ts'
import type { Scope } from '../scope.ts'
import { securityEvent } from '../security/security-events.ts'
import { sessionsOf } from '../sessions/sessions.store.ts'
import { endSessions, forgetSessionsOf } from '../sessions/sessions.ts'
import { announceUser } from '../users/announce.ts'
import type { Work } from '../work.ts'

/** An identity at a provider, with the names of accounts. */
export interface ProviderIdentity {
  providerId: string
  accountId: string
}

/** What remains after the first proof of an address, and the party whose word replaces a proof of this deployment. */
interface Kept {
  identity?: ProviderIdentity | undefined
  vouchedBy?: AddressVoucher
}

/**
 * Marks a user's address as proven, by a mailed link or code or by a provider. The first proof removes the access of a
 * user who created the account without a proof: password, identities, numbers, passkeys, keys, second factor and
 * sessions are deleted, and the security version invalidates links and codes. The rest of the account remains. Requires
 * that the address is unchanged since the read.
 * @param keep the remaining parts: the provider's identity that is the proof, if it is already linked; or `keep`,
 *   everything (decision 250)
 * @returns the user after the commit
 */
export function proveAddress(scope: Scope, work: Work, user: User, keep: Kept | 'keep' = {}): User {
  const vouchedBy = keep === 'keep' ? null : (keep.vouchedBy ?? null)
  // Another's word for an address that appoints an administrator counts as no proof.
  const isRepeated = vouchedBy === null && user.addressVouchedBy !== null && appointsAdministrator(scope, user.email)
  if (user.emailVerified && !isRepeated) return user
  const { db } = scope
  const { id, email, securityVersion } = user
  const unproven = and(
    eq(users.id, id),
    eq(users.email, email),
    isRepeated ? isNotNull(users.addressVouchedBy) : eq(users.emailVerified, false),
    eq(users.securityVersion, securityVersion),
  )
  const when = exists(db.select({ one: sql`1` }).from(users).where(unproven))
  work.require(when)
  const columns: Partial<User> = {
    ...(keep === 'keep' && !isRepeated ? {} : endAccess(scope, work, user, when, isRepeated ? {} : (keep as Kept))),
    emailVerified: true,
    addressVouchedBy: vouchedBy,
    updatedAt: scope.now(),
  }
  const proven: User = { ...user, ...columns }
  work.run(db.update(users).set(columns).where(unproven))
  announceUser(scope, work, 'user.updated', id, proven)
  return proven
}

/** Deletes all other sign-in methods of the account, and notifies its owner. @returns columns of the user to set */
function endAccess(scope: Scope, work: Work, user: User, when: SQL, { identity }: Kept): Partial<User> {
  const { id, securityVersion } = user
  endSessions(scope, work, and(sessionsOf(id), when)!)
  const afterCommit = () => forgetSessionsOf(scope, id)
  work.run(
    scope.db
      .delete(accounts)
      .where(
        and(
          eq(accounts.userId, id),
          identity &&
            not(and(eq(accounts.providerId, identity.providerId), eq(accounts.accountId, identity.accountId))!),
          when,
        ),
      ),
    { afterCommit },
  )
  const ended: EndedAccess[] = contributed(scope, 'revokes', 'access', 'all').map((end) => end(scope, id, when))
  for (const { statements = [] } of ended) work.run(statements)
  // The mailbox is proven now, so that the notice goes to it.
  securityEvent(scope, work, { type: 'unproven-access-ended', user: { ...user, emailVerified: true } }, when)
  return Object.assign({}, ...ended.map((one) => one.columns), { securityVersion: securityVersion + 1 })
}
