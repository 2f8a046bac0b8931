import { and, count, eq, gt, lte, ne, or, sql } from 'drizzle-orm'
import type { User } from '../../identity/users/users.table.ts'
import type { Database } from '../../platform/database.ts'
import { type TrustedDevice, trustedDevices, twoFactors } from './two-factor.table.ts'

/** Queries about trusted devices. Every function is one round trip. */

type Owner = Pick<User, 'id' | 'securityVersion'>

/** The user's devices that are still trusted. */
const standing = ({ id, securityVersion }: Owner, now: Date) =>
  and(
    eq(trustedDevices.userId, id),
    eq(trustedDevices.securityVersion, securityVersion),
    gt(trustedDevices.expiresAt, now),
  )

export async function isTrusted(db: Database, tokenHash: string, user: Owner, now: Date): Promise<boolean> {
  const rows = await db
    .select({ userId: trustedDevices.userId })
    .from(trustedDevices)
    .where(and(eq(trustedDevices.tokenHash, tokenHash), standing(user, now)))
  return rows.length > 0
}

/**
 * Trusts a device, as long as the second factor it was proven with is in force; what is no longer trusted goes.
 * @returns whether it is
 */
export async function addTrustedDevice(db: Database, device: TrustedDevice): Promise<boolean> {
  const { userId, securityVersion, createdAt } = device
  const [, rows] = await db.batch([
    db
      .delete(trustedDevices)
      .where(
        and(
          eq(trustedDevices.userId, userId),
          or(lte(trustedDevices.expiresAt, createdAt), ne(trustedDevices.securityVersion, securityVersion)),
        ),
      ),
    db
      .insert(trustedDevices)
      .select(
        db
          .select({
            tokenHash: sql`${device.tokenHash}`.as('token_hash'),
            userId: twoFactors.userId,
            twoFactorId: sql`${twoFactors.id}`.as('two_factor_id'),
            securityVersion: sql`${securityVersion}`.as('security_version'),
            createdAt: sql`${createdAt.getTime()}`.as('created_at'),
            expiresAt: sql`${device.expiresAt.getTime()}`.as('expires_at'),
          })
          .from(twoFactors)
          .where(
            and(eq(twoFactors.id, device.twoFactorId), eq(twoFactors.userId, userId), eq(twoFactors.confirmed, true)),
          ),
      )
      .returning({ tokenHash: trustedDevices.tokenHash }),
  ])
  return rows.length > 0
}

/** Hands the trust on from one session's token to the next. @returns until when, or null when there is none */
export async function renewTrustedDevice(
  db: Database,
  from: string,
  to: string,
  user: Owner,
  now: Date,
): Promise<Date | null> {
  const [device] = await db
    .update(trustedDevices)
    .set({ tokenHash: to })
    .where(and(eq(trustedDevices.tokenHash, from), standing(user, now)))
    .returning({ expiresAt: trustedDevices.expiresAt })
  return device?.expiresAt ?? null
}

export async function countTrustedDevices(db: Database, user: Owner, now: Date): Promise<number> {
  const [row] = await db.select({ devices: count() }).from(trustedDevices).where(standing(user, now))
  return row?.devices ?? 0
}

export const deleteTrustedDevices = (db: Database, userId: string) =>
  db.delete(trustedDevices).where(eq(trustedDevices.userId, userId))

export const deleteExpiredTrust = (db: Database, now: Date) =>
  db.delete(trustedDevices).where(lte(trustedDevices.expiresAt, now))
