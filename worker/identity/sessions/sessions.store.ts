import { and, desc, eq, gt, inArray, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { compiled } from '../../platform/compiled.ts'
import type { Database } from '../../platform/database.ts'
import { insertWhere, named, runBatch, type Statement } from '../../platform/statements.ts'
import { accounts, credentialProvider } from '../accounts/accounts.table.ts'
import type { Own } from '../caller.ts'
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

/** For a batch: the same, see `named`. */
export const sessionByTokenStatement = (db: Database, token: string) =>
  db
    .select({ session: named(sessions, 'session'), user: named(users, 'user') })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.token, token))

/** The caller's own by a session token, as parts of other statements; nothing once the session has expired. */
export function ownByToken(token: string, now: Date): Own {
  const live = and(eq(sessions.token, token), gt(sessions.expiresAt, now))
  return {
    userId: sql`(select ${sessions.userId} from ${sessions} where ${live})`,
    ofSession: (column) => sql`(select ${sessions[column]} from ${sessions} where ${live})`,
  }
}

/** The same of a caller who is known already. */
export const ownOfCaller = ({ user, session }: { user: User; session: Session }): Own => ({
  userId: sql`${user.id}`,
  ofSession: (column) => sql`${sql.param(session[column], sessions[column])}`,
})

/** What is nobody's. */
export const ownOfNobody: Own = { userId: sql`null`, ofSession: () => sql`null` }

/** The user's live sessions, newest first. */
export const listSessions = (db: Database, userId: string | SQL, now: Date) =>
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
  /** The token of a session that must still exist, because this one takes its place. */
  replaced?: string | undefined
}

/**
 * Writes a session if its user exists, is not banned, and nothing has changed since the proof was checked: the
 * statement itself decides, so a ban or a new password that arrives in between wins.
 */
export const insertSessionStatement = (db: Database, session: Session, guard: SessionGuard) => {
  const { securityVersion, passwordHash, replaced } = guard
  const mayEnter = and(
    eq(users.id, session.userId),
    eq(users.securityVersion, securityVersion),
    or(eq(users.banned, false), lte(users.banExpires, session.createdAt)),
  )!
  return insertWhere(
    db,
    sessions,
    session,
    and(
      sql`exists (select 1 from ${users} where ${mayEnter})`,
      passwordHash === undefined ? undefined : passwordStands(session.userId, passwordHash),
      replaced === undefined
        ? undefined
        : sql`exists (select 1 from ${sessions} where ${eq(sessions.token, replaced)})`,
    )!,
  ).returning({ id: sessions.id })
}

/** Holds while the user's password is the one with this hash. */
export const passwordStands = (userId: string, passwordHash: string): SQL =>
  sql`exists (select 1 from ${accounts} where ${and(
    eq(accounts.userId, userId),
    eq(accounts.providerId, credentialProvider),
    eq(accounts.password, passwordHash),
  )})`

export async function insertSession(db: Database, session: Session, guard: SessionGuard): Promise<boolean> {
  const rows = await insertSessionStatement(db, session, guard)
  return rows.length > 0
}

export const sessionExists = (id: string): SQL => sql`exists (select 1 from ${sessions} where ${eq(sessions.id, id)})`

/** Moves the expiry, unless another request did since `seen`. */
export const extendSession = (db: Database, session: Session, now: Date, expiresAt: Date) =>
  db
    .update(sessions)
    .set({ expiresAt, updatedAt: now })
    .where(and(eq(sessions.token, session.token), eq(sessions.updatedAt, session.updatedAt)))

const sessionDeletion = compiled({ session: sessions }, (db) =>
  db
    .delete(sessions)
    .where(eq(sessions.token, sql.placeholder('token')))
    .returning(),
)

/** For a batch. */
export const deleteSessionStatement = (db: Database, token: string) =>
  db.delete(sessions).where(eq(sessions.token, token))

/** @param before written first, in one batch. @returns the sessions that were there */
export async function deleteSessionsByToken(
  db: Database,
  tokens: readonly string[],
  before: readonly Statement[] = [],
): Promise<Session[]> {
  const [token] = tokens
  if (tokens.length === 1 && before.length === 0) {
    return (await sessionDeletion(db, { token })).map(({ session }) => session)
  }
  const those = inArray(sessions.token, [...tokens])
  const results = await runBatch(db, [...before, db.delete(sessions).where(those).returning()])
  return results.at(-1) as Session[]
}

/** All that somebody is signed in with, as themselves or as others. @param except the token of a session that stays */
export const sessionsOf = (userId: string, except?: string): SQL =>
  and(
    or(eq(sessions.userId, userId), eq(sessions.impersonatedBy, userId)),
    except === undefined ? undefined : ne(sessions.token, except),
  )!

/** For a batch. */
export const deleteSessions = (db: Database, those: SQL) =>
  db.delete(sessions).where(those).returning({ token: sessions.token })

export const deleteExpiredSessions = (db: Database, now: Date) =>
  db.delete(sessions).where(lte(sessions.expiresAt, now))

/** Lays fields over those of a live session. @returns all of them as they are now; null without such a session */
export async function updateSessionFields(
  db: Database,
  token: string,
  fields: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<Record<string, unknown> | null> {
  const [row] = await db
    .update(sessions)
    .set({ additionalFields: sql`json_patch(${sessions.additionalFields}, ${JSON.stringify(fields)})` })
    .where(and(eq(sessions.token, token), gt(sessions.expiresAt, now)))
    .returning({ fields: sessions.additionalFields })
  return row?.fields ?? null
}

/** @returns what remains true of a session: whose it is */
export async function ownerOfSession(db: Database, token: string): Promise<string | null> {
  const [row] = await db.select({ userId: sessions.userId }).from(sessions).where(eq(sessions.token, token))
  return row?.userId ?? null
}
