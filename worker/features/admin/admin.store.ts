import { and, eq, exists, gt, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../identity/model/accounts.table.ts'
import { type Session, sessions } from '../../identity/model/sessions.table.ts'
import { type User, users } from '../../identity/model/users.table.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { isAllowedSession } from '../../identity/sessions/sessions.store.ts'
import { pageSize } from '../../kit/page.ts'
import type { Database } from '../../platform/database.ts'
import { type Condition, givenValues, listContains } from '../../platform/statements.ts'

/** The condition of an administrator. */
export interface AdminMarks {
  adminRoles: readonly string[]
  adminUserIds: readonly string[]
}

/** Holds while the session of a caller is active and the caller's roles are the ones that the check has read. */
export const actorStands = (db: Database, { session, user }: Caller): Condition =>
  exists(
    db
      .select({ one: sql`1` })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(and(eq(sessions.token, session.token), eq(users.role, user.role))),
  )

/** Holds while the roles of a user are the ones that the check has read. */
export const subjectStands = (db: Database, { id, role }: Pick<User, 'id' | 'role'>): Condition =>
  exists(
    db
      .select({ one: sql`1` })
      .from(users)
      .where(and(eq(users.id, id), eq(users.role, role))),
  )

/** Holds while another administrator exists who is not banned. The index users_staff leads to users with a role. */
export function anotherAdminRemains(db: Database, userId: string, marks: AdminMarks, now: Date): Condition {
  const active = and(ne(users.id, userId), or(eq(users.banned, false), lte(users.banExpires, now)))
  const among = (which: SQL) => exists(db.select({ one: sql`1` }).from(users).where(and(which, active)))
  const hasRole = marks.adminRoles.map((role) => listContains(users.role, role))
  return or(
    among(and(sql`${users.role} <> 'user'`, or(...hasRole))!),
    among(sql`${users.id} in (select value from json_each(${JSON.stringify(marks.adminUserIds)}))`),
  )!
}

/** For a batch: updates the roles of a user. */
export const updateRole = (db: Database, userId: string, role: string, now: Date) =>
  db.update(users).set({ role, updatedAt: now }).where(eq(users.id, userId))

export type Ban = Pick<User, 'banned' | 'banReason' | 'banExpires'>

/** For a batch: writes or clears a ban. */
export const updateBan = (db: Database, userId: string, ban: Ban, now: Date) =>
  db
    .update(users)
    .set({ ...ban, updatedAt: now })
    .where(eq(users.id, userId))

/** Clears a ban that has ended, unless a newer ban has replaced it. */
export const clearExpiredBan = (db: Database, userId: string, now: Date) =>
  db
    .update(users)
    .set({ banned: false, banReason: null, banExpires: null, updatedAt: now })
    .where(and(eq(users.id, userId), eq(users.banned, true), lte(users.banExpires, now)))

/** A live session with its user. */
export async function findLiveSession(scope: Scope, token: string): Promise<{ session: Session; user: User } | null> {
  const [row] = await scope.db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.token, token), gt(sessions.expiresAt, scope.now()), isAllowedSession(scope)))
  return row ?? null
}

/** For a batch. */
export const userById = (db: Database, userId: string) => db.select().from(users).where(eq(users.id, userId))

/** For a batch: the accounts of a user without secrets. */
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
    .limit(pageSize)

const isOwnProof = and(eq(users.emailVerified, true), isNull(users.addressVouchedBy))

/** Holds while a user has the role and the address that were read, and this deployment has proven the address. */
export const isProven = (db: Database, { id, email, role }: User): Condition =>
  exists(
    db
      .select({ one: sql`1` })
      .from(users)
      .where(and(eq(users.id, id), eq(users.email, email), eq(users.role, role), isOwnProof)),
  )

/**
 * Holds for the row of a user with one of these roles, ids or addresses.
 * @param of `list`: the index users_staff leads to users with a role
 */
export function hasRoleIdOrAddress(
  roles: readonly string[],
  ids: readonly string[],
  emails: readonly string[],
  of: 'row' | 'list',
): Condition {
  const hasRole = sql`exists (select 1 from json_each(${JSON.stringify(roles)}) as named where ${listContains(users.role, sql`named.value`)})`
  return or(
    of === 'row'
      ? hasRole
      : sql`${users.id} in (select ${users.id} from ${users} where ${users.role} <> 'user' and ${hasRole})`,
    sql`${users.id} in ${givenValues(ids)}`,
    sql`${users.email} in ${givenValues(emails)}`,
  )!
}
