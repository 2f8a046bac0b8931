import { and, eq, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { sessions } from '../../../identity/sessions/sessions.table.ts'
import { type User, users } from '../../../identity/users/users.table.ts'
import type { Database } from '../../../platform/database.ts'
import { insertWhere, named, runBatch, type Statement } from '../../../platform/statements.ts'
import { selectClient } from '../clients/clients.store.ts'
import {
  type OAuthAccessToken,
  type OAuthApplication,
  oauthApplications,
  oauthConsents,
  oauthAccessTokens as tokens,
} from '../identity-provider.table.ts'

/** Queries about tokens. Every function is one round trip. */

/** Whether the person whom a token is for is still who agreed: not banned, and no new password since. */
const standing = (securityVersion: SQL | number, now: Date) =>
  and(
    eq(users.securityVersion, securityVersion),
    or(eq(users.banned, false), sql`${users.banExpires} <= ${now.getTime()}`),
  )

const standingUser = (row: OAuthAccessToken, now: Date) =>
  sql`exists (select 1 from ${users} where ${eq(users.id, row.userId)} and ${standing(row.securityVersion, now)})`

/** Whether the person still lets the client in. */
const allowed = ({ userId, clientId }: OAuthAccessToken) =>
  sql`exists (select 1 from ${oauthConsents}
    where ${eq(oauthConsents.userId, userId)} and ${eq(oauthConsents.clientId, clientId)})`

/**
 * Uses a code and writes the first pair of its grant, if its person is still who agreed, and has not withdrawn it.
 * @param before the use, and what else is written first
 * @param agreed whether a consent has to be on record: nobody was asked for a trusted client's
 * @returns the person; null when it was not written
 */
export async function insertTokens(
  db: Database,
  before: readonly Statement[],
  row: OAuthAccessToken,
  now: Date,
  agreed: boolean,
): Promise<User | null> {
  const live = agreed ? and(standingUser(row, now), allowed(row))! : standingUser(row, now)
  const results = await runBatch(db, [
    ...before,
    insertWhere(db, tokens, row, live).returning({ id: tokens.id }),
    db.select().from(users).where(eq(users.id, row.userId)),
  ])
  const [written, [user]] = results.slice(-2) as [unknown[], User[]]
  return written.length > 0 && user ? user : null
}

/** For that batch: a client wants to hear when the session ends. */
export const awaitEnd = (db: Database, sessionId: string) =>
  db.update(sessions).set({ endIsAwaited: true }).where(eq(sessions.id, sessionId))

export interface FoundRefreshToken {
  application: OAuthApplication | null
  token: OAuthAccessToken | null
  /** The pair that it was exchanged for. */
  next: OAuthAccessToken | null
}

/** @param hash of the refresh token @param nextHash of the one that follows it */
export async function findRefreshToken(
  db: Database,
  clientId: string,
  hash: string,
  nextHash: string,
): Promise<FoundRefreshToken> {
  const byHash = (refreshToken: string) => db.select().from(tokens).where(eq(tokens.refreshToken, refreshToken))
  const [applications, found, next] = await db.batch([selectClient(db, clientId), byHash(hash), byHash(nextHash)])
  return { application: applications[0] ?? null, token: found[0] ?? null, next: next[0] ?? null }
}

/**
 * Exchanges a refresh token for the pair that follows it: of parallel requests one marks the token and writes the
 * pair, the others find both done. Nothing is written when the token was revoked meanwhile, or its person was.
 * @returns whether this call was the one, whether the pair is there, and the person
 */
export async function rotate(db: Database, from: OAuthAccessToken, to: OAuthAccessToken, now: Date) {
  const live = and(sql`exists (select 1 from ${tokens} where ${eq(tokens.id, from.id)})`, standingUser(to, now))!
  const [, marked, there, [user]] = await db.batch([
    insertWhere(db, tokens, to, live).onConflictDoNothing(),
    db
      .update(tokens)
      .set({ refreshedAt: now, updatedAt: now })
      .where(and(eq(tokens.id, from.id), isNull(tokens.refreshedAt)))
      .returning({ id: tokens.id }),
    db.select({ id: tokens.id }).from(tokens).where(eq(tokens.accessToken, to.accessToken)),
    db.select().from(users).where(eq(users.id, from.userId)),
  ])
  return { first: marked.length > 0, written: there.length > 0, user: user ?? null }
}

/** Ends everything that came from one authorization. */
export const deleteGrant = (db: Database, grantId: string) => db.delete(tokens).where(eq(tokens.grantId, grantId))

const selectStanding = (db: Database, condition: SQL | undefined, now: Date) =>
  db
    .select({ token: named(tokens, 'token'), user: named(users, 'user') })
    .from(tokens)
    .innerJoin(users, and(eq(users.id, tokens.userId), standing(sql`${tokens.securityVersion}`, now)))
    .where(condition)

/** An access token with its person and its client; the grant of a person who was banned or changed counts as gone. */
export async function findTokenAndClient(
  db: Database,
  hash: string,
  now: Date,
): Promise<{ token: OAuthAccessToken; user: User; application: OAuthApplication | null } | null> {
  const [found, applications] = await db.batch([
    selectStanding(db, eq(tokens.accessToken, hash), now),
    db
      .select()
      .from(oauthApplications)
      .where(
        eq(
          oauthApplications.clientId,
          db.select({ clientId: tokens.clientId }).from(tokens).where(eq(tokens.accessToken, hash)),
        ),
      ),
  ])
  return found[0] ? { ...found[0], application: applications[0] ?? null } : null
}

/** A client that asks about a token, and the token, by whichever of its hashes it is, with its person and client. */
export async function findClientAndToken(
  db: Database,
  clientId: string,
  hash: string,
  now: Date,
): Promise<{
  application: OAuthApplication | null
  found: { token: OAuthAccessToken; user: User; application: OAuthApplication | null } | null
}> {
  const isToken = or(eq(tokens.accessToken, hash), eq(tokens.refreshToken, hash))
  const itsClient = db.select({ clientId: tokens.clientId }).from(tokens).where(isToken)
  const [applications, found, owners] = await db.batch([
    selectClient(db, clientId),
    selectStanding(db, isToken, now),
    db.select().from(oauthApplications).where(eq(oauthApplications.clientId, itsClient)),
  ])
  return {
    application: applications[0] ?? null,
    found: found[0] ? { ...found[0], application: owners[0] ?? null } : null,
  }
}

/** Ends one access token; the refresh token beside it lives on. */
export const expireAccessToken = (db: Database, id: string, now: Date) =>
  db.update(tokens).set({ accessTokenExpiresAt: now, updatedAt: now }).where(eq(tokens.id, id))

/** By the cron trigger: pairs of which nothing can be used, and no second use needs to be noticed, any more. */
export const deleteExpiredTokens = (db: Database, now: Date) => {
  const { refreshTokenExpiresAt, accessTokenExpiresAt } = tokens
  // Each half is a range of the index, which their common part outside of them would not be.
  const alone = and(isNull(refreshTokenExpiresAt), lt(accessTokenExpiresAt, now))
  const both = and(lt(refreshTokenExpiresAt, now), lt(accessTokenExpiresAt, now))
  return db.delete(tokens).where(or(alone, both))
}
