import { and, asc, eq, gt, isNotNull, isNull, lte, not, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Own } from '../../identity/caller.ts'
import { type User, users } from '../../identity/users/users.table.ts'
import type { Permissions } from '../../kit/permissions.ts'
import { days, ms } from '../../kit/time.ts'
import { compiled, compiledStatement, packed, runCompiled } from '../../platform/compiled.ts'
import type { Database } from '../../platform/database.ts'
import { type Condition, insertWhere, named } from '../../platform/statements.ts'
import { members } from '../organization/membership/members.table.ts'
import { organizations } from '../organization/membership/organizations.table.ts'
import { type ApiKey, apiKeys } from './api-key.table.ts'

/** Queries about keys. Every function is one statement. */

/** A value, or an expression that is one within a statement. */
type Value = string | SQL

const member = alias(members, 'manager')

/** Holds while somebody is a member of an organization with one of these roles; never without a role. */
export const isManager = (userId: Value, organizationId: Value | typeof apiKeys.organizationId, roles: string[]) => {
  const hasRole = roles.map((role) => sql`instr(',' || ${member.role} || ',', ${`,${role},`}) > 0`)
  return sql`exists (select 1 from ${members} as ${sql.identifier('manager')} where ${and(
    eq(member.organizationId, organizationId),
    eq(member.userId, userId),
    or(sql`0`, ...hasRole),
  )})`
}

/** Holds for the keys that somebody manages: their own, and those of organizations in which their roles let them. */
const managedBy = (userId: Value, roles: string[]): Condition =>
  or(eq(apiKeys.userId, userId), isManager(userId, apiKeys.organizationId, roles))!

export const userExists = (userId: string): Condition =>
  sql`exists (select 1 from ${users} where ${eq(users.id, userId)})`

export const organizationExists = (id: string): Condition =>
  sql`exists (select 1 from ${organizations} where ${eq(organizations.id, id)})`

/** Writes a key if a condition holds. @returns whether it did */
export async function insertKey(db: Database, key: ApiKey, condition: Condition): Promise<boolean> {
  const rows = await insertWhere(db, apiKeys, key, condition).returning({ id: apiKeys.id })
  return rows.length > 0
}

/** @param roles those that may read keys of an organization */
export const findKey = (db: Database, id: string, userId: Value, roles: string[]) =>
  db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), managedBy(userId, roles)))

export const listKeysOfUser = (db: Database, userId: Value) =>
  db.select().from(apiKeys).where(eq(apiKeys.userId, userId)).orderBy(asc(apiKeys.createdAt), asc(apiKeys.id))

/** What administrators see of somebody's keys. */
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

export const listKeysOfOrganization = (db: Database, organizationId: string, may: Condition) =>
  db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.organizationId, organizationId), may))
    .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id))

/** Whether a condition holds, as a statement of a batch. */
export const holds = (db: Database, condition: Condition) =>
  db.select({ holds: sql<number>`${condition}` }).from(sql`(select 1)`)

/** Which key, and by whose right: a person's, or a server's, which needs none. */
export type KeyChoice = { id: string } & ({ userId: string; roles: string[] } | { server: true; userId?: string })

const isChosen = (choice: KeyChoice): Condition =>
  and(
    eq(apiKeys.id, choice.id),
    'roles' in choice
      ? managedBy(choice.userId, choice.roles)
      : choice.userId === undefined
        ? undefined
        : eq(apiKeys.userId, choice.userId),
  )!

export async function updateKey(db: Database, choice: KeyChoice, changes: Partial<ApiKey>): Promise<ApiKey | null> {
  const [key] = await db.update(apiKeys).set(changes).where(isChosen(choice)).returning()
  return key ?? null
}

export async function deleteKey(db: Database, choice: KeyChoice): Promise<boolean> {
  const rows = await db.delete(apiKeys).where(isChosen(choice)).returning({ id: apiKeys.id })
  return rows.length > 0
}

/** For a batch: the keys of somebody who loses them. */
export const deleteKeysOf = (db: Database, userId: string, when: Condition) =>
  db.delete(apiKeys).where(and(eq(apiKeys.userId, userId), when))

export const deleteExpiredKeys = (db: Database, now: Date) => db.delete(apiKeys).where(lte(apiKeys.expiresAt, now))

/** Deletes a key that can never be used again: expired, or used up without a refill. */
export const deleteDeadKey = (db: Database, id: string, now: Date) =>
  db
    .delete(apiKeys)
    .where(
      and(
        eq(apiKeys.id, id),
        or(lte(apiKeys.expiresAt, now), and(lte(apiKeys.remaining, 0), isNull(apiKeys.refillAmount))),
      ),
    )

/** Moves the time of the last use forward, unless another request did in the last minute. */
export const touchKey = (db: Database, id: string, now: Date, notSince: Date) =>
  db
    .update(apiKeys)
    .set({ lastRequest: now })
    .where(and(eq(apiKeys.id, id), or(isNull(apiKeys.lastRequest), lte(apiKeys.lastRequest, notSince))))

/** A key with the person it belongs to; null for that of an organization. */
export interface OwnedKey {
  key: ApiKey
  owner: User | null
}

/** A value, or the place that is kept for it in a statement that is written once. */
type Filled<T> = T | Placeholder

/** For a batch. */
export const keyByHash = (db: Database, hash: string) =>
  db
    .select({ key: named(apiKeys, 'key'), owner: named(users, 'owner') })
    .from(apiKeys)
    .leftJoin(users, eq(users.id, apiKeys.userId))
    .where(eq(apiKeys.keyHash, hash))

const keyRead = compiled({ key: apiKeys, owner: users }, (db) =>
  db
    .select({ key: apiKeys, owner: users })
    .from(apiKeys)
    .leftJoin(users, eq(users.id, apiKeys.userId))
    .where(eq(apiKeys.keyHash, sql.placeholder('hash'))),
)

/** The same, by itself. */
export const readKey = (db: Database, hash: string): Promise<OwnedKey[]> => keyRead(db, { hash })

/** What is the key's owner's, as parts of other statements. Whether the key is taken is not decided by it. */
export const ownOfKey = (hash: string): Own => ({
  userId: sql`(select ${apiKeys.userId} from ${apiKeys} where ${eq(apiKeys.keyHash, hash)})`,
  ofSession: () => sql`null`,
})

/** What a use must fulfil besides the key's own quota and limit. */
export interface KeyDemand {
  /** Permissions that the key must have; undefined: none. */
  permissions?: Permissions | undefined
  /** Whether the key must be a person's, because it is to open their session. */
  ofPerson: boolean
  /** Whether rate limits are in force at all. */
  limited: boolean
}

/**
 * THE use of a key, in one statement: it writes, and returns a row, only if the key may be used once more at this
 * moment, whatever other requests do at the same time. Quota, refill and window are what verdict.ts says.
 */
export const spendUse = (db: Database, hash: string, now: Date, demand: KeyDemand) =>
  writeUse(db, { hash, at: now.getTime(), wanted: JSON.stringify(demand.permissions) }, demand)

interface UseValues {
  hash: Filled<string>
  /** Now, in milliseconds. */
  at: Filled<number>
  /** The permissions as JSON. */
  wanted: Filled<string>
}

function writeUse(db: Database, { hash, at, wanted }: UseValues, demand: KeyDemand) {
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
  return db
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
        demand.permissions && hasPermissions(wanted),
        or(isNull(remaining), gt(remaining, 0), refillIsDue),
        or(not(isLimited), windowIsOver, sql`${requestCount} < ${rateLimitMax}`),
      ),
    )
    .returning({ id: apiKeys.id })
}

/** Holds for a key that has every wanted action of every wanted resource; the twin of kit/permissions.ts. */
const hasPermissions = (wanted: Filled<string>): Condition =>
  sql`not exists (select 1 from json_each(${wanted}) as wanted where not exists (
    select 1 from json_each(${apiKeys.permissions}) as held where held.key = wanted.key and not exists (
      select 1 from json_each(wanted.value) as action
      where action.value not in (select value from json_each(held.value)))))`

const places = { hash: sql.placeholder('hash'), at: sql.placeholder('at'), wanted: sql.placeholder('wanted') }
const [packedKey, packedOwner] = [packed(apiKeys), packed(users)]
const readAfterUse = compiledStatement((db) =>
  db
    .select({ key: packedKey.column.as('key'), owner: packedOwner.column.as('owner') })
    .from(apiKeys)
    .leftJoin(users, eq(users.id, apiKeys.userId))
    .where(eq(apiKeys.keyHash, places.hash)),
)
const uses = new Map<string, ReturnType<typeof compiledStatement>>()

/** `spendUse` and what `keyByHash` reads in one round trip, their SQL written once an isolate for each kind of demand. */
export async function takeUse(db: Database, hash: string, now: Date, demand: KeyDemand) {
  const kind = `${demand.ofPerson} ${demand.limited} ${demand.permissions !== undefined}`
  let use = uses.get(kind)
  if (!use) uses.set(kind, (use = compiledStatement((draft) => writeUse(draft, places, demand))))
  const values = { hash, at: now.getTime(), wanted: JSON.stringify(demand.permissions) }
  const [used, rows] = await runCompiled(db, [use(db, values), readAfterUse(db, values)])
  const keys = rows!.map(({ key, owner }): OwnedKey => ({ key: packedKey.read(key), owner: packedOwner.read(owner) }))
  return [used!, keys] as const
}
