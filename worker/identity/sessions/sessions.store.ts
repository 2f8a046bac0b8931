import { and, desc, eq, gt, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../platform/database.ts'
import { accounts, credentialProvider } from '../accounts/accounts.table.ts'
import { type User, users } from '../users/users.table.ts'
import { type Session, sessions } from './sessions.table.ts'

/** Queries about sessions. Every function is one round trip. */

export async function findSession(db: Database, token: string): Promise<{ session: Session; user: User } | null> {
  const [row] = await db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.token, token))
  return row ?? null
}

/** The user's live sessions, newest first. */
export const listSessions = (db: Database, userId: string, now: Date): Promise<Session[]> =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, now)))
    .orderBy(desc(sessions.createdAt))

/** What must still be true of the user at the moment the session is written. */
export interface SessionGuard {
  securityVersion: number
  /** The password hash that was verified; undefined when another proof was given. */
  passwordHash?: string | undefined
}

/**
 * Writes a session if its user exists, is not banned, and nothing has changed since the proof was checked: the
 * statement itself decides, so a ban or a new password that arrives in between wins.
 */
export async function insertSession(db: Database, session: Session, guard: SessionGuard): Promise<boolean> {
  const now = session.createdAt
  const unbanned = or(eq(users.banned, false), lte(users.banExpires, now))
  const conditions: (SQL | undefined)[] = [
    eq(users.id, session.userId),
    eq(users.securityVersion, guard.securityVersion),
    unbanned,
  ]
  if (guard.passwordHash !== undefined) {
    conditions.push(
      sql`exists (select 1 from ${accounts} where ${accounts.userId} = ${users.id}
        and ${accounts.providerId} = ${credentialProvider} and ${accounts.password} = ${guard.passwordHash})`,
    )
  }
  const rows = await db
    .insert(sessions)
    .select(
      db
        .select({
          id: sql`${session.id}`.as('id'),
          userId: users.id,
          token: sql`${session.token}`.as('token'),
          expiresAt: sql`${session.expiresAt.getTime()}`.as('expires_at'),
          ipAddress: sql`${session.ipAddress}`.as('ip_address'),
          userAgent: sql`${session.userAgent}`.as('user_agent'),
          createdAt: sql`${session.createdAt.getTime()}`.as('created_at'),
          updatedAt: sql`${session.updatedAt.getTime()}`.as('updated_at'),
          activeOrganizationId: sql`${session.activeOrganizationId}`.as('active_organization_id'),
          impersonatedBy: sql`${session.impersonatedBy}`.as('impersonated_by'),
        })
        .from(users)
        .where(and(...conditions)),
    )
    .returning({ id: sessions.id })
  return rows.length > 0
}

/** Moves the expiry, unless another request did since `seen`. */
export const extendSession = (db: Database, session: Session, now: Date, expiresAt: Date) =>
  db
    .update(sessions)
    .set({ expiresAt, updatedAt: now })
    .where(and(eq(sessions.token, session.token), eq(sessions.updatedAt, session.updatedAt)))

export const deleteSession = (db: Database, token: string) => db.delete(sessions).where(eq(sessions.token, token))

/** @param except the token of a session that stays */
export const deleteSessionsOf = (db: Database, userId: string, except?: string) =>
  db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), except === undefined ? undefined : ne(sessions.token, except)))
    .returning({ token: sessions.token })

export const deleteExpiredSessions = (db: Database, now: Date) =>
  db.delete(sessions).where(lte(sessions.expiresAt, now))

/** @returns what remains true of a session: whose it is */
export async function ownerOfSession(db: Database, token: string): Promise<string | null> {
  const [row] = await db.select({ userId: sessions.userId }).from(sessions).where(eq(sessions.token, token))
  return row?.userId ?? null
}

/** For a batch: makes an organization, or none, the active one of a session. */
export const activateInSession = (
  db: Database,
  sessionId: string,
  organizationId: string | SQL | null,
  condition?: SQL,
) =>
  db
    .update(sessions)
    .set({ activeOrganizationId: organizationId })
    .where(and(eq(sessions.id, sessionId), condition))

/** For a batch: an organization is no longer active in any session, or in any of one user. */
export const deactivateInSessions = (
  db: Database,
  { organizationId, userId }: { organizationId: string; userId?: string },
  condition?: SQL,
) =>
  db
    .update(sessions)
    .set({ activeOrganizationId: null })
    .where(
      and(
        eq(sessions.activeOrganizationId, organizationId),
        userId === undefined ? undefined : eq(sessions.userId, userId),
        condition,
      ),
    )
