import { and, eq, sql } from 'drizzle-orm'
import { type User, users } from '../../identity/model/users.table.ts'
import type { Database } from '../../platform/database.ts'

/** Sets a proven address of a user and invalidates links and codes. UNIQUE rejects a taken address. */
export const restoreAddress = (db: Database, userId: string, email: string, now: Date) =>
  db
    .update(users)
    .set({
      email,
      emailVerified: true,
      addressVouchedBy: null,
      emailIsPlaceholder: false,
      updatedAt: now,
      securityVersion: sql`${users.securityVersion} + 1`,
    })
    .where(eq(users.id, userId))
    .returning()

/** Replaces an unverified address; returns a row unless it was verified or changed in the meantime. */
export const replaceUnverifiedEmail = (db: Database, user: User, email: string, now: Date) =>
  db
    .update(users)
    .set({
      email,
      emailIsPlaceholder: false,
      addressVouchedBy: null,
      updatedAt: now,
      securityVersion: sql`${users.securityVersion} + 1`,
    })
    .where(and(eq(users.id, user.id), eq(users.email, user.email), eq(users.emailVerified, false)))
    .returning()
