import { and, desc, eq, gt, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { compiled } from '../../platform/compiled.ts'
import type { Database } from '../../platform/database.ts'
import { accounts, credentialProvider } from '../accounts/accounts.table.ts'
import { type User, users } from '../users/users.table.ts'
import { type Session, sessions } from './sessions.table.ts'

/** Queries about sessions. Every function is one round trip. */

const sessionByToken = compiled({ session: sessions, user: users }, (db) =>
  db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.token, sql.placeholder('token'))),
)

export async function findSession(db: Database, token: string): Promise<{ session: Session; user: User } | null> {
  const [row] = await sessionByToken(db, { token })
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

const value = (name: keyof Session, column: string) => sql`${sql.placeholder(name)}`.as(column)

const guardedInsert = compiled({ id: sessions.id }, (db) =>
  db
    .insert(sessions)
    .select(
      db
        .select({
          id: value('id', 'id'),
          userId: users.id,
          token: value('token', 'token'),
          expiresAt: value('expiresAt', 'expires_at'),
          ipAddress: value('ipAddress', 'ip_address'),
          userAgent: value('userAgent', 'user_agent'),
          createdAt: value('createdAt', 'created_at'),
          updatedAt: value('updatedAt', 'updated_at'),
          activeOrganizationId: value('activeOrganizationId', 'active_organization_id'),
          impersonatedBy: value('impersonatedBy', 'impersonated_by'),
        })
        .from(users)
        .where(
          and(
            eq(users.id, sql.placeholder('userId')),
            eq(users.securityVersion, sql.placeholder('securityVersion')),
            or(eq(users.banned, false), sql`${users.banExpires} <= ${sql.placeholder('createdAt')}`),
            sql`(${sql.placeholder('passwordHash')} is null or exists (select 1 from ${accounts}
              where ${accounts.userId} = ${users.id} and ${accounts.providerId} = ${credentialProvider}
              and ${accounts.password} = ${sql.placeholder('passwordHash')}))`,
          ),
        ),
    )
    .returning({ id: sessions.id }),
)

/**
 * Writes a session if its user exists, is not banned, and nothing has changed since the proof was checked: the
 * statement itself decides, so a ban or a new password that arrives in between wins.
 */
export async function insertSession(db: Database, session: Session, guard: SessionGuard): Promise<boolean> {
  const rows = await guardedInsert(db, {
    ...session,
    expiresAt: session.expiresAt.getTime(),
    createdAt: session.createdAt.getTime(),
    updatedAt: session.updatedAt.getTime(),
    securityVersion: guard.securityVersion,
    passwordHash: guard.passwordHash ?? null,
  })
  return rows.length > 0
}

/** Moves the expiry, unless another request did since `seen`. */
export const extendSession = (db: Database, session: Session, now: Date, expiresAt: Date) =>
  db
    .update(sessions)
    .set({ expiresAt, updatedAt: now })
    .where(and(eq(sessions.token, session.token), eq(sessions.updatedAt, session.updatedAt)))

const sessionDeletion = compiled({}, (db) => db.delete(sessions).where(eq(sessions.token, sql.placeholder('token'))))

export async function deleteSession(db: Database, token: string): Promise<void> {
  await sessionDeletion(db, { token })
}

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
