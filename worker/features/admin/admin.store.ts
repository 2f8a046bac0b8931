import { and, eq, exists, gt, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { accounts, credentialProvider } from '../../identity/accounts/accounts.table.ts'
import type { Caller } from '../../identity/scope.ts'
import { type Session, sessions } from '../../identity/sessions/sessions.table.ts'
import { type User, users } from '../../identity/users/users.table.ts'
import type { Database } from '../../platform/database.ts'
import type { Condition } from '../../platform/statements.ts'

/** Queries of administrators about one person. Every function is one round trip, or part of one. */

/** Who counts as an administrator. */
export interface AdminMarks {
  adminRoles: readonly string[]
  adminUserIds: readonly string[]
}

/** Holds while a caller's session lives and their roles are what their rights were judged by. */
export const actorStands = (db: Database, { session, user }: Caller): Condition =>
  exists(
    db
      .select({ one: sql`1` })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(and(eq(sessions.token, session.token), eq(users.role, user.role))),
  )

/** Holds while a person's roles are what the caller's rights over them were judged by. */
export const subjectStands = (db: Database, { id, role }: Pick<User, 'id' | 'role'>): Condition =>
  exists(
    db
      .select({ one: sql`1` })
      .from(users)
      .where(and(eq(users.id, id), eq(users.role, role))),
  )

/**
 * Holds while there is an administrator besides a person, who is not banned. Few people have another role than
 * `user`: only they are looked at (index users_staff).
 */
export function anotherAdminRemains(db: Database, userId: string, marks: AdminMarks, now: Date): Condition {
  const active = and(ne(users.id, userId), or(eq(users.banned, false), lte(users.banExpires, now)))
  const among = (which: SQL) => exists(db.select({ one: sql`1` }).from(users).where(and(which, active)))
  const hasRole = marks.adminRoles.map((role) => sql`instr(',' || ${users.role} || ',', ${`,${role},`}) > 0`)
  return or(
    among(and(sql`${users.role} <> 'user'`, or(...hasRole))!),
    among(sql`${users.id} in (select value from json_each(${JSON.stringify(marks.adminUserIds)}))`),
  )!
}

export async function holds(db: Database, condition: Condition): Promise<boolean> {
  const [row] = await db.select({ held: sql<number>`${condition}` }).from(sql`(select 1)`)
  return row?.held === 1
}

/** For a batch: changes a person's role. */
export const updateRole = (db: Database, userId: string, role: string, now: Date) =>
  db.update(users).set({ role, updatedAt: now }).where(eq(users.id, userId))

export type Ban = Pick<User, 'banned' | 'banReason' | 'banExpires'>

/** For a batch: writes a ban, or that there is none. */
export const updateBan = (db: Database, userId: string, ban: Ban, now: Date) =>
  db
    .update(users)
    .set({ ...ban, updatedAt: now })
    .where(eq(users.id, userId))

/** Clears a ban that has ended, unless there is another by now. */
export const clearExpiredBan = (db: Database, userId: string, now: Date) =>
  db
    .update(users)
    .set({ banned: false, banReason: null, banExpires: null, updatedAt: now })
    .where(and(eq(users.id, userId), eq(users.banned, true), lte(users.banExpires, now)))

/** A live session with its user. */
export async function findLiveSession(
  db: Database,
  token: string,
  now: Date,
): Promise<{ session: Session; user: User } | null> {
  const [row] = await db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.token, token), gt(sessions.expiresAt, now)))
  return row ?? null
}

/** For a batch. */
export const userById = (db: Database, userId: string) => db.select().from(users).where(eq(users.id, userId))

/** For a batch: a person's ways in, without what is secret about them. */
export const accountsOf = (db: Database, userId: string) =>
  db
    .select({
      id: accounts.id,
      providerId: accounts.providerId,
      accountId: accounts.accountId,
      createdAt: accounts.createdAt,
    })
    .from(accounts)
    .where(eq(accounts.userId, userId))
    .orderBy(accounts.createdAt)

/** Holds while somebody has a role as it was read, and a proven address. */
export const isProven = (db: Database, { id, email, role }: User): Condition =>
  exists(
    db
      .select({ one: sql`1` })
      .from(users)
      .where(and(eq(users.id, id), eq(users.email, email), eq(users.role, role), eq(users.emailVerified, true))),
  )

/** For a batch: takes the password of somebody with one of these addresses, if a condition holds. */
export const deletePasswordOf = (db: Database, userId: string, emails: readonly string[], when: Condition) =>
  db.delete(accounts).where(
    and(
      eq(accounts.userId, userId),
      eq(accounts.providerId, credentialProvider),
      when,
      exists(
        db
          .select({ one: sql`1` })
          .from(users)
          .where(
            and(
              eq(users.id, userId),
              sql`${users.email} in (select lower(value) from json_each(${JSON.stringify(emails)}))`,
            ),
          ),
      ),
    ),
  )
