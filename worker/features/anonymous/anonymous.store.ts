import { and, eq, gt, inArray, ne, not, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { accounts } from '../../identity/model/accounts.table.ts'
import { sessions } from '../../identity/model/sessions.table.ts'
import { type User, users } from '../../identity/model/users.table.ts'
import { isAdmitted } from '../../identity/sessions/sessions.store.ts'
import type { Database } from '../../platform/database.ts'
import type { Condition } from '../../platform/statements.ts'

/** Holds while a session belongs to a guest other than the user. @param keys of a device that the request shows */
export const isGuestsSession = (token: string, userId: string, keys: readonly string[]): Condition =>
  sql`exists (select 1 from ${sessions} join ${users} on ${eq(users.id, sessions.userId)} where ${and(
    eq(sessions.token, token),
    ne(sessions.userId, userId),
    eq(users.isAnonymous, true),
    isAdmitted(keys),
  )})`

/** Holds while a user has no sign-in method. @param kept the conditions of the features */
export const hasNoWayIn = (userId: string | SQL, kept: readonly Condition[]): Condition =>
  not(or(sql`exists (select 1 from ${accounts} where ${eq(accounts.userId, userId)})`, ...kept)!)

export async function userFulfils(db: Database, userId: string, condition: Condition): Promise<boolean> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), condition))
  return rows.length > 0
}

/** An alias, because the conditions of features query `users` as well. */
const guest = alias(users, 'guest')

/** The argument of the features' conditions. */
export const guestId = sql`${guest.id}`

/** The expression of the index `users_guests`. */
const lastSeen = sql`case when ${guest.guestSeenAt} is null then ${guest.createdAt} else ${guest.guestSeenAt} end`

/** Guests who were created or last seen before a time, the oldest first. */
export function listDueGuests(
  db: Database,
  before: Date,
  limit: number,
  isUnseen: Condition,
): Promise<{ user: User; isUnseen: number }[]> {
  return db
    .select({ user: guest, isUnseen: sql<number>`${isUnseen}` })
    .from(guest)
    .where(and(sql`${guest.isAnonymous} = 1`, sql`${lastSeen} <= ${before.getTime()}`))
    .orderBy(lastSeen)
    .limit(limit)
}

/** The conditions that keep a guest. */
export interface KeptGuests {
  /** A session that was used after this time. */
  since: Date
  /** Any valid session at this time, if sessions do not store their last use; otherwise null. */
  liveAt: Date | null
  /** Conditions of features that keep the guest. */
  kept: readonly Condition[]
}

/** Holds for a guest without a sign-in method and without a visit since a time. */
export const isUnseenGuest = ({ since, liveAt, kept }: KeptGuests): Condition =>
  and(
    eq(guest.isAnonymous, true),
    eq(guest.emailIsPlaceholder, true),
    eq(guest.phoneNumberVerified, false),
    hasNoWayIn(guestId, kept),
    sql`not exists (select 1 from ${sessions} where ${and(
      eq(sessions.userId, guest.id),
      liveAt ? gt(sessions.expiresAt, liveAt) : gt(sessions.updatedAt, since),
    )})`,
  )!

export const isStillUnseen = (userId: string, isUnseen: Condition): Condition =>
  sql`exists (select 1 from ${users} ${sql.identifier('guest')} where ${and(eq(guest.id, userId), isUnseen)})`

/** Keeps guests. They are due again after their last visit if it was after `since`, otherwise after now. */
export function keepGuests(db: Database, ids: readonly string[], { since, now }: { since: Date; now: Date }) {
  const visit = sql`select max(${sessions.updatedAt}) from ${sessions} where ${and(
    eq(sessions.userId, users.id),
    gt(sessions.updatedAt, since),
  )}`
  return db
    .update(users)
    .set({ guestSeenAt: sql`coalesce((${visit}), ${now.getTime()})` })
    .where(inArray(users.id, sql`(select value from json_each(${JSON.stringify(ids)}))`))
}
