import { and, asc, eq, getTableColumns, gt, isNotNull, isNull, lte, not, or, type SQL, sql } from 'drizzle-orm'
import type { Own } from '../../identity/caller.ts'
import type { EventRows } from '../../identity/model/events.ts'
import { type User, users } from '../../identity/model/users.table.ts'
import type { FeedRows } from '../../identity/sessions/ended-sessions.ts'
import { type Page, pageSize } from '../../kit/page.ts'
import type { Permissions } from '../../kit/permissions.ts'
import { days, ms } from '../../kit/time.ts'
import { cachedQuery, type Database } from '../../platform/database.ts'
import { type Condition, fewerThan, idsThatMatch, listContains, rowExists } from '../../platform/statements.ts'
import { members } from '../organization/model/members.table.ts'
import { organizations } from '../organization/model/organizations.table.ts'
import { ownerName } from '../organization/model/owner-name.store.ts'
import { type ApiKey, apiKeys } from './api-key.table.ts'

/** A value or an expression. */
type Value = string | SQL

/** Holds while a user is a member of an organization with one of the roles; never without roles. */
export const isManager = (userId: Value, organizationId: Value | typeof apiKeys.organizationId, roles: string[]) =>
  rowExists(
    members,
    and(
      eq(members.organizationId, organizationId),
      eq(members.userId, userId),
      or(sql`0`, ...roles.map((role) => listContains(members.role, role))),
    ),
  )

/** Holds for the keys that a user manages: their own, and those of organizations in which they have one of the roles. */
const managedBy = (userId: Value, roles: string[]): Condition =>
  or(eq(apiKeys.userId, userId), isManager(userId, apiKeys.organizationId, roles))!

/** Holds while the owner of a key has fewer keys than the limit. @param limit null: any number */
export const hasFewerKeys = ({ organizationId, userId }: ApiKey, limit: number | null): Condition =>
  fewerThan(
    apiKeys,
    organizationId === null ? eq(apiKeys.userId, userId!) : eq(apiKeys.organizationId, organizationId),
    limit,
  )

export const insertKey = (db: Database, key: ApiKey) => db.insert(apiKeys).values(key)

/** @param roles permit to read the keys of an organization */
export const findKey = (db: Database, id: string, userId: Value, roles: string[]) =>
  db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), managedBy(userId, roles)))

/** A key as a credential. That of an organization has no user, for whom a rule could hold. */
export const credentialOfKey = { userId: apiKeys.userId, method: apiKeys.method, amr: apiKeys.amr }

/** The columns of a list, without the metadata, which may be long. */
const { metadata: _metadata, ...listedColumns } = getTableColumns(apiKeys)

export const listKeysOfUser = (db: Database, userId: Value, { limit, offset }: Page) =>
  db
    .select(listedColumns)
    .from(apiKeys)
    .where(eq(apiKeys.userId, userId))
    .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id))
    .limit(limit)
    .offset(offset)

/** The keys of a user, for administrators. */
export const describeKeysOf = (db: Database, userId: string) =>
  db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      start: apiKeys.start,
      enabled: apiKeys.enabled,
      remaining: apiKeys.remaining,
      lastRequest: apiKeys.lastRequest,
      expiresAt: apiKeys.expiresAt,
      createdAt: apiKeys.createdAt,
    })
    .from(apiKeys)
    .where(eq(apiKeys.userId, userId))
    .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id))
    .limit(pageSize)

export const listKeysOfOrganization = (db: Database, organizationId: string, may: Condition, { limit, offset }: Page) =>
  db
    .select(listedColumns)
    .from(apiKeys)
    .where(and(eq(apiKeys.organizationId, organizationId), may))
    .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id))
    .limit(limit)
    .offset(offset)

/**
 * For a batch: the keys of all owners whose id, name or shown characters begin with a text. The key with exactly this id is
 * first, the others by name.
 */
export function keysThatMatch(db: Database, text: string, limit: number) {
  const { id, name, start } = apiKeys
  const matches = [
    { by: id, begins: text },
    { by: sql`${name} collate nocase`, begins: text },
    { by: start, begins: text },
  ]
  return db
    .select({
      id,
      name: sql<string | null>`${name}`.as('key_name'),
      start,
      userId: apiKeys.userId,
      organizationId: apiKeys.organizationId,
      ownerName: ownerName<string>(),
      enabled: apiKeys.enabled,
      remaining: apiKeys.remaining,
      lastRequest: apiKeys.lastRequest,
      expiresAt: apiKeys.expiresAt,
      createdAt: sql`${apiKeys.createdAt}`.mapWith(apiKeys.createdAt).as('key_created_at'),
    })
    .from(apiKeys)
    .leftJoin(users, eq(users.id, apiKeys.userId))
    .leftJoin(organizations, eq(organizations.id, apiKeys.organizationId))
    .where(sql`${id} in (${idsThatMatch(apiKeys, id, matches, limit)})`)
    .orderBy(sql`${id} <> ${text}`, sql`+${name} collate nocase`, id)
    .limit(limit)
}

/** Holds while a user has a key that was created or used after a time. */
export const hasKeyInUse = (userId: SQL, since: Date): Condition =>
  rowExists(apiKeys, and(eq(apiKeys.userId, userId), or(gt(apiKeys.lastRequest, since), gt(apiKeys.createdAt, since))))

/** A key that a user or a server changes. A server may change any key, or, with a `userId`, that user's. */
export type KeyChoice = { id: string } & ({ userId: string; roles: string[] } | { server: true; userId?: string })

export const isChosen = (choice: KeyChoice): Condition =>
  and(
    eq(apiKeys.id, choice.id),
    'roles' in choice
      ? managedBy(choice.userId, choice.roles)
      : choice.userId === undefined
        ? undefined
        : eq(apiKeys.userId, choice.userId),
  )!

/** What the audit records about a key state. The organization is read before a deletion. */
export const auditOfKey = (id: string) => ({
  subjectType: 'api-key',
  subjectId: id,
  organizationId: sql`(select organization_id from api_keys where id = ${id})`,
})

export const updateKey = (db: Database, choice: KeyChoice, changes: Partial<ApiKey>) =>
  db.update(apiKeys).set(changes).where(isChosen(choice)).returning()

/** A key with its owner, for a server. */
export const findKeyOfAny = (db: Database, choice: KeyChoice) =>
  db
    .select({ id: apiKeys.id, owner: users })
    .from(apiKeys)
    .leftJoin(users, eq(users.id, apiKeys.userId))
    .where(isChosen(choice))

export const always: Condition = sql`1`

export const deleteKey = (db: Database, choice: KeyChoice) => db.delete(apiKeys).where(isChosen(choice))

export const keysOf = (userId: string, when?: Condition): Condition => and(eq(apiKeys.userId, userId), when)!

export const deleteKeysOf = (db: Database, userId: string, when?: Condition) =>
  db.delete(apiKeys).where(keysOf(userId, when))

/** The rows of keys, for the feed. */
export const rowsOfKeys = (which: Condition): FeedRows => ({
  from: sql`${apiKeys}`,
  where: which,
  key: sql`${apiKeys.id}`,
  id: apiKeys.id,
})

/** The users or organizations of an event that have a key, for the feed. */
export const ownersWithKeys = ({ subject, from, where }: EventRows): FeedRows => {
  const hasKeys = or(
    rowExists(apiKeys, eq(apiKeys.userId, subject)),
    rowExists(apiKeys, eq(apiKeys.organizationId, subject)),
  )
  return { from, where: and(where, hasKeys)!, key: subject, id: subject }
}

export const deleteExpiredKeys = (db: Database, now: Date) => db.delete(apiKeys).where(lte(apiKeys.expiresAt, now))

/** Deletes a key that is expired, or used up without a refill. */
export const deleteDeadKey = (db: Database, id: string, now: Date) =>
  db
    .delete(apiKeys)
    .where(
      and(
        eq(apiKeys.id, id),
        or(lte(apiKeys.expiresAt, now), and(lte(apiKeys.remaining, 0), isNull(apiKeys.refillAmount))),
      ),
    )

/** Writes the time of the last use, unless another request did so in the last minute. */
export const touchKey = (db: Database, id: string, now: Date, notSince: Date) =>
  db
    .update(apiKeys)
    .set({ lastRequest: now })
    .where(and(eq(apiKeys.id, id), or(isNull(apiKeys.lastRequest), lte(apiKeys.lastRequest, notSince))))

const places = { hash: sql.placeholder('hash'), at: sql.placeholder('at'), wanted: sql.placeholder('wanted') }

/** A key with its owner; null for the key of an organization. */
export interface OwnedKey {
  key: ApiKey
  owner: User | null
}

const keyQuery = cachedQuery({ key: apiKeys, owner: users }, (db, columns) =>
  db
    .select(columns)
    .from(apiKeys)
    .leftJoin(users, eq(users.id, apiKeys.userId))
    .where(eq(apiKeys.keyHash, places.hash)),
)

/** A key with its owner. */
export const keyByHash = (db: Database, hash: string) => keyQuery(db, { hash })

/** A row if a rule of an organization forbids the key of a user. */
export const forbiddenKey = (db: Database, hash: string, forbidden: SQL) =>
  db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.keyHash, hash), forbidden))

/** The owner of a key as an expression. It does not check whether the key may be used. */
export const ownOfKey = (hash: string): Own => ({
  userId: sql`(select ${apiKeys.userId} from ${apiKeys} where ${eq(apiKeys.keyHash, hash)})`,
  ofSession: () => sql`null`,
  cached: { userId: userIdByKey, values: { ownKeyHash: hash } },
})

const userIdByKey = sql`(select ${apiKeys.userId} from ${apiKeys} where ${eq(apiKeys.keyHash, sql.placeholder('ownKeyHash'))})`

/** Conditions of a use in addition to the quota and limit of the key. */
export interface KeyDemand {
  /** Permissions that the key must have. */
  permissions?: Permissions | undefined
  /** The key must be a user's, because it opens their session. */
  ofPerson: boolean
  /** Whether rate limits are on. */
  limited: boolean
}

function usageQuery(demand: KeyDemand) {
  const { hash, at } = places
  const { remaining, refillAmount, refillInterval, lastRefillAt, createdAt } = apiKeys
  const { rateLimitEnabled, rateLimitMax, rateLimitTimeWindow, requestCount, windowStartedAt } = apiKeys
  const refillIsDue = and(
    isNotNull(remaining),
    isNotNull(refillAmount),
    isNotNull(refillInterval),
    sql`${at} - coalesce(${lastRefillAt}, ${createdAt}) > ${refillInterval} * ${ms(days(1))}`,
  )!
  const isLimited = demand.limited
    ? and(eq(rateLimitEnabled, true), isNotNull(rateLimitMax), isNotNull(rateLimitTimeWindow))!
    : sql`0`
  const windowIsOver = or(isNull(windowStartedAt), sql`${at} - ${windowStartedAt} >= ${rateLimitTimeWindow}`)!
  const ownerIsWelcome = sql`exists (select 1 from ${users} where ${and(
    eq(users.id, apiKeys.userId),
    or(eq(users.banned, false), sql`${users.banExpires} <= ${at}`),
  )})`
  return cachedQuery({ id: apiKeys.id }, (db, columns) =>
    db
      .update(apiKeys)
      .set({
        lastRequest: sql`${at}`,
        // A quota that is null stays null.
        remaining: sql`case when ${refillIsDue} then ${refillAmount} else ${remaining} end - 1`,
        lastRefillAt: sql`case when ${refillIsDue} then ${at} else ${lastRefillAt} end`,
        requestCount: sql`case when not (${isLimited}) then ${requestCount} when ${windowIsOver} then 1 else ${requestCount} + 1 end`,
        windowStartedAt: sql`case when (${isLimited}) and ${windowIsOver} then ${at} else ${windowStartedAt} end`,
      })
      .where(
        and(
          eq(apiKeys.keyHash, hash),
          eq(apiKeys.enabled, true),
          or(isNull(apiKeys.expiresAt), sql`${apiKeys.expiresAt} > ${at}`),
          demand.ofPerson ? ownerIsWelcome : or(isNull(apiKeys.userId), ownerIsWelcome),
          demand.permissions && hasPermissions,
          or(isNull(remaining), gt(remaining, 0), refillIsDue),
          or(not(isLimited), windowIsOver, sql`${requestCount} < ${rateLimitMax}`),
        ),
      )
      .returning(columns),
  )
}

const usageQueries = new Map<string, ReturnType<typeof usageQuery>>()

/** Uses a key in one statement: it returns a row only if the key may be used now, by the rules of key-state.ts. */
export function spendUse(db: Database, hash: string, now: Date, demand: KeyDemand) {
  const kind = `${demand.ofPerson} ${demand.limited} ${demand.permissions !== undefined}`
  let query = usageQueries.get(kind)
  if (!query) usageQueries.set(kind, (query = usageQuery(demand)))
  return query(db, { hash, at: now.getTime(), wanted: JSON.stringify(demand.permissions) })
}

/** Holds for a key that has every wanted action of every wanted resource, by the rule of kit/permissions.ts. */
const hasPermissions: Condition = sql`not exists (select 1 from json_each(${places.wanted}) as wanted where not exists (
    select 1 from json_each(${apiKeys.permissions}) as held where held.key = wanted.key and not exists (
      select 1 from json_each(wanted.value) as action
      where action.value not in (select value from json_each(held.value)))))`
