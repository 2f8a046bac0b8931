import { and, eq, gt, isNotNull, isNull, lt, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Credential } from '../../../../identity/lifecycle.ts'
import { type User, users } from '../../../../identity/model/users.table.ts'
import { isAllowed, isForbidden } from '../../../../identity/registry.ts'
import type { Scope } from '../../../../identity/scope.ts'
import type { Work } from '../../../../identity/work.ts'
import { after, minutes } from '../../../../kit/time.ts'
import { cachedQuery, type Database, type Runnable } from '../../../../platform/database.ts'
import {
  type Condition,
  fewerThan,
  insertWhere,
  read,
  rowExists,
  type Statement,
} from '../../../../platform/statements.ts'
import { members } from '../../../organization/model/members.table.ts'
import { clientById, selectClient } from '../clients/clients.store.ts'
import { type OAuthApplication, oauthApplications } from '../clients/clients.table.ts'
import { oauthResources as resources } from '../protocol/resources.table.ts'
import type { ChainLink } from './chain.ts'
import { selectConsent } from './consents.store.ts'
import {
  type OAuthAccessToken,
  type OAuthConsent,
  type OAuthServiceToken,
  oauthConsents,
  oauthServiceTokens as services,
  oauthAccessTokens as tokens,
} from './grants.table.ts'

/** A time, or the placeholder of a cached query for its milliseconds. */
type Now = Date | Placeholder

const milliseconds = (now: Now) => (now instanceof Date ? now.getTime() : now)

/** Holds for a user who is not banned. */
export const isActive = (now: Now) => or(eq(users.banned, false), sql`${users.banExpires} <= ${milliseconds(now)}`)

/** Holds for a user who is not banned and has no new password since the grant. */
const isUnchanged = (securityVersion: SQL | number, now: Now) =>
  and(eq(users.securityVersion, securityVersion), isActive(now))

/** Holds unless the resource belongs to an organization of which the user is not a member. @param resource in its normal form, or null */
export const maySeeResource = (resource: SQL, userId: SQL): Condition =>
  sql`not ${rowExists(
    resources,
    and(
      eq(resources.identifier, resource),
      isNotNull(resources.organizationId),
      sql`not ${rowExists(members, and(eq(members.organizationId, resources.organizationId), eq(members.userId, userId)))}`,
    ),
  )}`

/** Holds for tokens of a condition that a rule of an organization forbids. Null: no feature has such rules. */
const forbiddenTokens = (scope: Scope, which: SQL | undefined) => {
  const forbidden = isForbidden(scope, tokens)
  return forbidden && scope.db.select({ id: tokens.id }).from(tokens).where(and(which, forbidden))
}

const hasUnchangedUser = (scope: Scope, row: OAuthAccessToken, now: Date): Condition =>
  and(
    isAllowed(scope, { userId: sql`${row.userId}`, method: sql`${row.method}`, amr: sql`${JSON.stringify(row.amr)}` }),
    rowExists(users, and(eq(users.id, row.userId), isUnchanged(row.securityVersion, now))),
    maySeeResource(sql`${row.resource}`, sql`${row.userId}`),
  )!

/** Holds while a user grants a token: an unchanged account, and a stored consent unless the client is `trusted`. */
export const isGranted = (
  scope: Scope,
  row: OAuthAccessToken,
  now: Date,
  { trusted }: { trusted: boolean },
): Condition => {
  if (trusted) return hasUnchangedUser(scope, row, now)
  const consent = and(eq(oauthConsents.userId, row.userId), eq(oauthConsents.clientId, row.clientId))
  return and(hasUnchangedUser(scope, row, now), rowExists(oauthConsents, consent))!
}

export const insertTokens = (db: Database, row: OAuthAccessToken) => db.insert(tokens).values(row)

export const selectUser = (db: Database, userId: string) => db.select().from(users).where(eq(users.id, userId))

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
  const { application, token, next } = await read(db, {
    application: selectClient(db, clientId),
    token: byHash(hash),
    next: byHash(nextHash),
  })
  return { application: application[0] ?? null, token: token[0] ?? null, next: next[0] ?? null }
}

/**
 * Exchanges a refresh token for the next pair: of parallel requests one marks the token and writes the pair. Nothing is
 * written if the token or the user's access was revoked in the meantime.
 * @returns a row in `marked` for the request that was first, a row in `written` if the pair exists, and the user
 */
export function addRotation(scope: Scope, work: Work, from: OAuthAccessToken, to: OAuthAccessToken, now: Date) {
  const { db } = scope
  const unerased = and(eq(tokens.id, from.id), isNotNull(tokens.refreshToken))
  const live = and(rowExists(tokens, unerased), hasUnchangedUser(scope, to, now))!
  work.run(insertWhere(db, tokens, to, live).onConflictDoNothing())
  return {
    marked: work.run(
      db
        .update(tokens)
        .set({ refreshedAt: now, updatedAt: now })
        .where(and(eq(tokens.id, from.id), isNull(tokens.refreshedAt)))
        .returning({ id: tokens.id }),
    ),
    written: work.run(db.select({ id: tokens.id }).from(tokens).where(eq(tokens.accessToken, to.accessToken))),
    user: work.run(selectUser(db, from.userId)),
  }
}

/** The maximum number of refreshes of one authorization in `refreshWindow` seconds: each stores a row. */
export const maxRefreshes = 60
export const refreshWindow = minutes(10)

/** The maximum number of refreshes of all authorizations of a user for a client in a day. */
export const maxDailyRefreshes = 10_000

/** Holds while an authorization has fewer refreshes than the maximum. */
export const mayRefreshAgain = ({ grantId, clientId }: OAuthAccessToken, now: Date): Condition =>
  fewerThan(
    tokens,
    and(eq(tokens.grantId, grantId), eq(tokens.clientId, clientId), gt(tokens.createdAt, after(now, -refreshWindow)))!,
    maxRefreshes,
  )

/** The tokens of one authorization, with those that agents derived from them. */
export const ofGrant = (grantId: string): Condition => eq(tokens.grantId, grantId)

/** The tokens of a user for one client. */
export const ofConnection = (userId: string, clientId: string): Condition =>
  and(eq(tokens.userId, userId), eq(tokens.clientId, clientId))!

export const ofUser = (userId: string): Condition => eq(tokens.userId, userId)

export const ofUserWhen = (userId: string, when: Condition): Condition => and(ofUser(userId), when)!

/** Tokens of a condition on credentials. */
export const ofCredentials = (which: (credential: Credential) => Condition): Condition => which(tokens)

export const withId = (id: string): Condition => eq(tokens.id, id)

export const deleteTokens = (db: Database, which: Condition): Statement => db.delete(tokens).where(which)

const agents = alias(oauthApplications, 'agent')
const exchanged = alias(tokens, 'exchanged')
/** The client that got the exchanged token. */
const issuedTo = alias(oauthApplications, 'issued_to')

/**
 * Holds while every agent of a chain is active, no client of an exchanged token is disabled, and the token that each one exchanged is valid (the last one may have none). It holds for a token without
 * agents. @param chain JSON
 */
const chainHolds = (chain: SQL, now: Now): Condition => {
  const hasEnded = or(
    sql`${agents.state} is not 'active'`,
    eq(agents.disabled, true),
    eq(issuedTo.disabled, true),
    sql`${agents.expiresAt} <= ${milliseconds(now)}`,
    and(isNull(exchanged.id), sql`json_extract(link.value, '$.token') is not null`),
    sql`${exchanged.accessTokenExpiresAt} <= ${milliseconds(now)}`,
  )
  return sql`(${chain} is null or not exists (
    select 1 from json_each(${chain}) link
    left join ${oauthApplications} "agent" on ${eq(agents.clientId, sql`json_extract(link.value, '$.agent')`)}
    left join ${tokens} "exchanged" on ${eq(exchanged.id, sql`json_extract(link.value, '$.token')`)}
    left join ${oauthApplications} "issued_to" on ${eq(issuedTo.clientId, exchanged.clientId)}
    where ${hasEnded}))`
}

/** For the batch that adds a link. */
export const isUnbroken = (chain: readonly ChainLink[], now: Date): Condition =>
  chainHolds(sql`${JSON.stringify(chain)}`, now)

/**
 * Tokens with their user and client, without those of a banned or changed user, or of a broken chain. APIs ask with each of
 * their requests, so that the SQL is written once. @param condition about the placeholder `hash`
 */
const liveTokens = (condition: SQL | undefined) => {
  const now = sql.placeholder('now')
  const query = cachedQuery({ token: tokens, user: users, application: oauthApplications }, (db, columns) =>
    db
      .select(columns)
      .from(tokens)
      .innerJoin(users, and(eq(users.id, tokens.userId), isUnchanged(sql`${tokens.securityVersion}`, now)))
      .leftJoin(oauthApplications, eq(oauthApplications.clientId, tokens.clientId))
      .where(
        and(
          condition,
          chainHolds(sql`${tokens.chain}`, now),
          maySeeResource(sql`${tokens.resource}`, sql`${tokens.userId}`),
        ),
      ),
  )
  return (db: Database, hash: string, at: Date): Runnable<LiveToken> => query(db, { hash, now: at.getTime() })
}

const isAccessToken = eq(tokens.accessToken, sql.placeholder('hash'))
const liveByAccessToken = liveTokens(isAccessToken)
const liveByEither = liveTokens(or(isAccessToken, eq(tokens.refreshToken, sql.placeholder('hash'))))

export interface LiveToken {
  token: OAuthAccessToken
  user: User
  /** Null for a client of the configuration or with a document, and for a deleted one. */
  application: OAuthApplication | null
}

const hasAccessToken = (hash: string) => eq(tokens.accessToken, hash)

/** The reads of a token, with a row of `forbidden` if a rule of an organization does not allow it. */
const tokenReads = <F extends Runnable<LiveToken>>(scope: Scope, found: F, which: SQL | undefined) => {
  const forbidden = forbiddenTokens(scope, which)
  return { found, ...(forbidden ? { forbidden } : {}) } as { found: F; forbidden: NonNullable<typeof forbidden> }
}

const liveOf = ({ found, forbidden = [] }: { found: LiveToken[]; forbidden?: unknown[] }): LiveToken | null =>
  forbidden.length > 0 ? null : (found[0] ?? null)

/** An access token with its user and its client. */
export const findTokenAndClient = async (scope: Scope, hash: string): Promise<LiveToken | null> =>
  liveOf(await read(scope.db, tokenReads(scope, liveByAccessToken(scope.db, hash, scope.now()), hasAccessToken(hash))))

/** A token of a service that has not expired. */
export interface LiveServiceToken {
  token: OAuthServiceToken
  /** Null for a service of the configuration. */
  application: OAuthApplication | null
}

const serviceTokens = cachedQuery({ token: services, application: oauthApplications }, (db, columns) =>
  db
    .select(columns)
    .from(services)
    .leftJoin(oauthApplications, eq(oauthApplications.clientId, services.clientId))
    .where(
      and(eq(services.accessToken, sql.placeholder('hash')), sql`${services.expiresAt} > ${sql.placeholder('now')}`),
    ),
)

const liveService = (db: Database, hash: string, now: Date): Runnable<LiveServiceToken> =>
  serviceTokens(db, { hash, now: now.getTime() })

/** A client, and the access or refresh token with this hash. */
export async function findClientAndToken(
  scope: Scope,
  clientId: string,
  hash: string,
): Promise<{ application: OAuthApplication | null; found: LiveToken | null; service: LiveServiceToken | null }> {
  const { db } = scope
  const now = scope.now()
  const { client, service, ...rows } = await read(db, {
    client: clientById(db, clientId),
    ...tokenReads(scope, liveByEither(db, hash, now), or(hasAccessToken(hash), eq(tokens.refreshToken, hash))),
    service: liveService(db, hash, now),
  })
  return { application: client[0]?.application ?? null, found: liveOf(rows), service: service[0] ?? null }
}

/** The access token with this hash, of a user or of a service, with the registered client. One round trip. */
export async function findAnyToken(
  scope: Scope,
  hash: string,
): Promise<{ found: LiveToken | null; service: LiveServiceToken | null }> {
  const { db } = scope
  const now = scope.now()
  const { service, ...rows } = await read(db, {
    ...tokenReads(scope, liveByAccessToken(db, hash, now), hasAccessToken(hash)),
    service: liveService(db, hash, now),
  })
  return { found: liveOf(rows), service: service[0] ?? null }
}

/** For a token exchange: the subject token, and what its user allows the agent. */
export async function findDelegation(
  scope: Scope,
  hash: string,
  clientId: string,
): Promise<{ subject: LiveToken | null; consent: OAuthConsent | null }> {
  const { db } = scope
  const userId = db.select({ userId: tokens.userId }).from(tokens).where(eq(tokens.accessToken, hash))
  const { consent, ...rows } = await read(db, {
    ...tokenReads(scope, liveByAccessToken(db, hash, scope.now()), hasAccessToken(hash)),
    consent: selectConsent(db, clientId, sql`(${userId})`),
  })
  return { subject: liveOf(rows), consent: consent[0] ?? null }
}

/** Ends one access token; its refresh token stays valid. */
export const expireAccessToken = (db: Database, id: string, now: Date): Statement =>
  db.update(tokens).set({ accessTokenExpiresAt: now, updatedAt: now }).where(eq(tokens.id, id))

/** Invalidates all tokens of a user. */
export const eraseTokensOf = (db: Database, userId: string) => eraseTokens(db, eq(tokens.userId, userId))

/** Invalidates tokens. The rows stay until they expire, for the logout tokens of their sessions. */
export const eraseTokens = (db: Database, which: Condition) =>
  db
    .update(tokens)
    .set({ accessToken: sql`'erased:' || ${tokens.id}`, refreshToken: null })
    .where(and(which, sql`${tokens.accessToken} not like 'erased:%'`))

/** For the cron trigger: deletes pairs whose tokens have both expired. */
export const deleteExpiredTokens = (db: Database, now: Date) => {
  const { refreshTokenExpiresAt, accessTokenExpiresAt } = tokens
  // Each half is a range of the index; a factored-out condition would not be.
  const alone = and(isNull(refreshTokenExpiresAt), lt(accessTokenExpiresAt, now))
  const both = and(lt(refreshTokenExpiresAt, now), lt(accessTokenExpiresAt, now))
  return db.delete(tokens).where(or(alone, both))
}
