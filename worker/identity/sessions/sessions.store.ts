import {
  and,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  not,
  or,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { firstPage, type Page } from '../../kit/page.ts'
import { cachedQuery, type Database } from '../../platform/database.ts'
import { type Condition, insertWhere, rowExists } from '../../platform/statements.ts'
import type { Own } from '../caller.ts'
import { accounts, credentialProvider } from '../model/accounts.table.ts'
import { type DeviceKey, type Session, sessions } from '../model/sessions.table.ts'
import { type User, users } from '../model/users.table.ts'
import { isAllowed } from '../registry.ts'
import type { Scope } from '../scope.ts'

/** Queries about sessions. Each function is one round trip. */

const sessionQuery = cachedQuery({ session: sessions, user: users }, (db, columns) =>
  db
    .select(columns)
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.token, sql.placeholder('token'))),
)

/** A session with its user. */
export const sessionByToken = (db: Database, token: string) => sessionQuery(db, { token })

/** A row if a rule of an organization forbids a session. That of an impersonation belongs to an administrator. */
export const forbiddenSession = (db: Database, token: string, forbidden: SQL) =>
  db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.token, token), isNull(sessions.impersonatedBy), forbidden))

/** Holds for a session that the rules of organizations allow. That of an impersonation belongs to an administrator. */
export const isAllowedSession = (scope: Scope): SQL =>
  or(isNotNull(sessions.impersonatedBy), isAllowed(scope, sessions))!

export const sessionById = (scope: Scope, id: string) =>
  scope.db
    .select()
    .from(sessions)
    .where(and(eq(sessions.id, id), isAllowedSession(scope)))

type Value<T> = T | Placeholder

/** Holds for a session that has neither expired nor passed its absolute lifetime. */
const isLive = (now: Value<Date>, beganAtEarliest: Value<Date>) =>
  and(gt(sessions.expiresAt, now), gt(sessions.createdAt, beganAtEarliest))

/** Conditions on the caller by a session token, for other statements; false after the session has ended. */
export function ownByToken(token: string, now: Date, beganAtEarliest: Date): Own {
  const live = () => and(eq(sessions.token, token), isLive(now, beganAtEarliest))
  return {
    get userId() {
      return userIdOf(live())
    },
    ofSession: (column) => sql`(select ${sessions[column]} from ${sessions} where ${live()})`,
    get cached() {
      return {
        userId: userIdByToken,
        values: {
          ownToken: token,
          // drizzle encodes no value of a placeholder.
          ownNow: sessions.expiresAt.mapToDriverValue(now),
          ownBeganAtEarliest: sessions.createdAt.mapToDriverValue(beganAtEarliest),
        },
      }
    },
  }
}

const userIdOf = (which: SQL | undefined) => sql<string>`(select ${sessions.userId} from ${sessions} where ${which})`

const userIdByToken = userIdOf(
  and(
    eq(sessions.token, sql.placeholder('ownToken')),
    isLive(sql.placeholder('ownNow'), sql.placeholder('ownBeganAtEarliest')),
  ),
)

/** The same for a known caller. */
export const ownOfCaller = ({ user, session }: { user: User; session: Session }): Own => ({
  userId: sql`${user.id}`,
  ofSession: (column) => sql`${sql.param(session[column], sessions[column])}`,
  cached: { userId: knownUserId, values: { ownUserId: user.id } },
})

const knownUserId = sql`${sql.placeholder('ownUserId')}`

/** A value that matches no owner. */
export const ownOfNobody: Own = {
  userId: sql`null`,
  ofSession: () => sql`null`,
  cached: { userId: sql`null`, values: {} },
}

/** The user's active sessions, newest first. */
export const listSessions = (
  db: Database,
  userId: string | SQL,
  now: Date,
  beganAtEarliest: Date,
  { limit, offset }: Page = firstPage,
) =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isLive(now, beganAtEarliest)))
    .orderBy(desc(sessions.createdAt))
    .limit(limit)
    .offset(offset)

/** The conditions on the user when the session is written. */
export interface SessionGuard {
  securityVersion: number
  /** The password hash that was verified; undefined for another proof. */
  passwordHash?: string | undefined
  /** The token of a session that must still exist, because this one replaces it. */
  replaced?: string | undefined
}

/** Holds for the row of a user without a ban, or with one that is over. */
export const isNotBanned = (now: Date): SQL => or(eq(users.banned, false), lte(users.banExpires, now))!

/** Holds for the row of a user who exists, is not banned, and has not changed since the proof was checked. */
export const mayHaveSession = ({ id, securityVersion }: Pick<User, 'id' | 'securityVersion'>, now: Date): SQL =>
  and(eq(users.id, id), eq(users.securityVersion, securityVersion), isNotBanned(now))!

/**
 * Inserts a session if its user exists, is not banned, and is unchanged since the proof was checked. The statement
 * decides, so a concurrent ban or new password wins.
 * @param computed values in SQL, in place of those of the session
 */
export const insertSessionStatement = (
  db: Database,
  session: Session,
  guard: SessionGuard,
  computed: Partial<Record<keyof Session, SQL>> = {},
) => {
  const { securityVersion, passwordHash, replaced } = guard
  // A rotation keeps createdAt, but not updatedAt, which is the time of the INSERT.
  const mayEnter = mayHaveSession({ id: session.userId, securityVersion }, session.updatedAt)
  return insertWhere(
    db,
    sessions,
    { ...session, ...computed, number: numberOfNext(session.userId, replaced !== undefined) },
    and(
      sql`exists (select 1 from ${users} where ${mayEnter})`,
      passwordHash === undefined ? undefined : passwordStands(session.userId, passwordHash),
      replaced === undefined
        ? undefined
        : sql`exists (select 1 from ${sessions} where ${eq(sessions.token, replaced)})`,
    )!,
  ).returning({
    id: sessions.id,
    number: sessions.number,
    ...Object.fromEntries(Object.keys(computed).map((column) => [column, sessions[column as keyof Session]])),
  })
}

const newestOf = (userId: string): SQL =>
  sql`from ${sessions} where ${eq(sessions.userId, userId)} order by ${sessions}.rowid desc limit 1`

/** The number of a session before its insertion: rows are inserted in the order of their rowids. */
const numberOfNext = (userId: string, isReplacement: boolean): SQL =>
  sql`coalesce((select ${sessions.number} + ${isReplacement ? 0 : 1} ${newestOf(userId)}),
    iif(exists (select 1 ${newestOf(userId)}), null, 1))`

const counted = alias(sessions, 'counted')

/** Gives a session the number of its user's sessions. @param known undefined: it is counted */
export const numberSession = (db: Database, { id, userId }: Pick<Session, 'id' | 'userId'>, known?: number) =>
  db
    .update(sessions)
    .set({ number: known ?? sql`(select count(*) from ${sessions} as counted where ${counted.userId} = ${userId})` })
    .where(eq(sessions.id, id))

/** Holds while the user's password has this hash. */
export const passwordStands = (userId: string, passwordHash: string): SQL =>
  sql`exists (select 1 from ${accounts} where ${and(
    eq(accounts.userId, userId),
    eq(accounts.providerId, credentialProvider),
    eq(accounts.password, passwordHash),
  )})`

export const sessionExists = (id: string): SQL => sql`exists (select 1 from ${sessions} where ${eq(sessions.id, id)})`

/** Sets the expiry, unless another request has changed it since `seen`. */
export const extendSession = (db: Database, session: Session, now: Date, expiresAt: Date) =>
  db
    .update(sessions)
    .set({ expiresAt, updatedAt: now })
    .where(and(eq(sessions.token, session.token), eq(sessions.updatedAt, session.updatedAt)))

export const deleteSession = (db: Database, token: string) => db.delete(sessions).where(eq(sessions.token, token)).run()

/** A condition on the sessions' table. */
export const withToken = (token: string): SQL => eq(sessions.token, token)

/** The sessions in which a user impersonates others. */
export const impersonationsBy = (userId: string): SQL => eq(sessions.impersonatedBy, userId)

/**
 * All sessions of a user, including those in which they impersonate others. @param except the token of a session that
 * remains
 */
/** Holds while no session meets the condition. */
export const someSession = (which: SQL): Condition => rowExists(sessions, which)
export const noSession = (which: SQL): Condition => not(someSession(which))

export const sessionsOf = (userId: string, except?: string): SQL =>
  and(
    or(eq(sessions.userId, userId), eq(sessions.impersonatedBy, userId)),
    except === undefined ? undefined : ne(sessions.token, except),
  )!

/** The oldest sessions of a user, beyond the `limit` newest. */
export const surplusOf = (db: Database, userId: string, limit: number) =>
  db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.createdAt), desc(sessions.id))
    .limit(maxSurplus)
    .offset(limit)

/** The maximum that ends at once, after `session.maxPerUser` was lowered. */
export const maxSurplus = 100

export const deleteExpiredSessions = (db: Database, now: Date) =>
  db.delete(sessions).where(lte(sessions.expiresAt, now))

/** Merges fields into those of an active session. @returns all of them after the update; null for an unknown session */
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

/** Holds for a session with a registered key that was not used yet. */
export const isKeyRegistered = (id: string, keyId: string): SQL =>
  and(eq(sessions.id, id), eq(deviceKeyField('id'), keyId), isNull(deviceKeyField('since')))!

const deviceKeyField = (name: keyof DeviceKey): SQL => sql`${sessions.deviceKey} ->> ${sql.raw(`'$.${name}'`)}`

/** Holds for a session that the request may use (sessions/device-key.ts). @param shown the ids of the keys that it shows */
export const isAdmitted = (shown: readonly string[]): SQL =>
  or(
    isNull(sessions.deviceKey),
    isNull(deviceKeyField('since')),
    shown.length > 0 ? inArray(deviceKeyField('id'), [...shown]) : undefined,
  )!

/** Holds for a session whose token needs no proofs, or that the request has proved. A cookie of a browser needs no key to sign out. */
export const maySignOut = (proved: readonly string[]): SQL =>
  or(isNull(deviceKeyField('kind')), proved.length > 0 ? inArray(deviceKeyField('id'), [...proved]) : undefined)!

/** For the feed. */
export const rowOfRegistered = (where: SQL) => ({
  from: sql`${sessions}`,
  where,
  key: sql`${sessions.userId}`,
  id: sessions.id,
})

export const setDeviceKey = (db: Database, where: SQL, deviceKey: DeviceKey) =>
  db.update(sessions).set({ deviceKey }).where(where)

/** Registers a key for a session that is not bound to one. @returns whether it is */
export async function registerDeviceKey(db: Database, id: string, deviceKey: DeviceKey): Promise<boolean> {
  const isUnbound = and(eq(sessions.id, id), isNull(deviceKeyField('since')))!
  return (await setDeviceKey(db, isUnbound, deviceKey).returning({ id: sessions.id })).length > 0
}

/** @returns the remaining facts about an ended session: its owner */
export async function ownerOfSession(db: Database, token: string): Promise<string | null> {
  const [row] = await db.select({ userId: sessions.userId }).from(sessions).where(eq(sessions.token, token))
  return row?.userId ?? null
}
