import { and, count, desc, eq, exists, gt, inArray, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { type User, users } from '../../identity/model/users.table.ts'
import type { Database } from '../../platform/database.ts'
import { insertWhere, type Statement } from '../../platform/statements.ts'
import { type TrustedDevice, trustedDevices, twoFactors } from './two-factor.table.ts'

/** Queries about trusted devices. Each function is one round trip, or statements for a batch. */

type Owner = Pick<User, 'id' | 'securityVersion'>

/** The user's devices that are still trusted. */
const standing = ({ id, securityVersion }: Owner, now: Date) =>
  and(
    eq(trustedDevices.userId, id),
    eq(trustedDevices.securityVersion, securityVersion),
    gt(trustedDevices.expiresAt, now),
  )

/** @returns null for a device that is not trusted */
export async function trustedUntil(db: Database, tokenHash: string, user: Owner, now: Date): Promise<Date | null> {
  const [device] = await db
    .select({ expiresAt: trustedDevices.expiresAt })
    .from(trustedDevices)
    .where(and(eq(trustedDevices.tokenHash, tokenHash), standing(user, now)))
  return device?.expiresAt ?? null
}

/** The maximum of a user; a further device ends the oldest trust. */
export const maxTrustedDevices = 100

/** Trusts a device while the second factor that it was proven with is in force, and deletes expired and surplus trust. */
export function trustStatements(db: Database, device: TrustedDevice): Statement[] {
  const { userId, twoFactorId, securityVersion, createdAt } = device
  const inForce = and(eq(twoFactors.id, twoFactorId), eq(twoFactors.userId, userId), eq(twoFactors.confirmed, true))
  return [
    db
      .delete(trustedDevices)
      .where(
        and(
          eq(trustedDevices.userId, userId),
          or(
            lte(trustedDevices.expiresAt, createdAt),
            ne(trustedDevices.securityVersion, securityVersion),
            inArray(trustedDevices.tokenHash, surplusOf(db, userId)),
          ),
        ),
      ),
    insertWhere(db, trustedDevices, device, exists(db.select({ one: sql`1` }).from(twoFactors).where(inForce))),
  ]
}

/** All but the newest, which leaves place for one more. */
const surplusOf = (db: Database, userId: string) =>
  db
    .select({ tokenHash: trustedDevices.tokenHash })
    .from(trustedDevices)
    .where(eq(trustedDevices.userId, userId))
    .orderBy(desc(trustedDevices.createdAt), desc(trustedDevices.tokenHash))
    // SQLite requires a LIMIT for an OFFSET.
    .limit(Number.MAX_SAFE_INTEGER)
    .offset(maxTrustedDevices - 1)

/** For a batch: transfers the trust from one session's token to the next. */
export const renewStatement = (db: Database, from: string, to: string, user: Owner, now: Date): Statement =>
  db
    .update(trustedDevices)
    .set({ tokenHash: to })
    .where(and(eq(trustedDevices.tokenHash, from), standing(user, now)))

/** The number of a user's trusted devices. Also for a batch. */
export const countTrustedDevices = (db: Database, userId: string | SQL, now: Date) =>
  db
    .select({ devices: count() })
    .from(trustedDevices)
    .where(
      and(
        eq(trustedDevices.userId, userId),
        gt(trustedDevices.expiresAt, now),
        sql`${trustedDevices.securityVersion} = (select ${users.securityVersion} from ${users} where ${users.id} = ${trustedDevices.userId})`,
      ),
    )

export const deleteTrustedDevices = (db: Database, userId: string) =>
  db.delete(trustedDevices).where(eq(trustedDevices.userId, userId))

export const deleteExpiredTrust = (db: Database, now: Date) =>
  db.delete(trustedDevices).where(lte(trustedDevices.expiresAt, now))
