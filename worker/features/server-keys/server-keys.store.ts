import { and, desc, eq, isNull, lte, or, sql } from 'drizzle-orm'
import { users } from '../../identity/model/users.table.ts'
import type { FeedRows } from '../../identity/sessions/ended-sessions.ts'
import { cachedQuery, type Database } from '../../platform/database.ts'
import { type Condition, deleteSome, fewerThan, insertWhere, read, rowExists } from '../../platform/statements.ts'
import { type ServerKey, type ServerRequest, serverKeys, serverRequests } from './server-keys.table.ts'

const keyQuery = cachedQuery({ key: serverKeys }, (db, columns) =>
  db
    .select(columns)
    .from(serverKeys)
    .where(eq(serverKeys.keyHash, sql.placeholder('hash'))),
)

export async function findKeyByHash(db: Database, hash: string): Promise<ServerKey | null> {
  const [found] = await keyQuery(db, { hash })
  return found?.key ?? null
}

/** For a batch: all keys with their creators, newest first. */
export const selectServerKeys = (db: Database, limit: number) =>
  db
    .select({ key: serverKeys, creatorName: sql<string | null>`${users.name}`.as('creator_name') })
    .from(serverKeys)
    .leftJoin(users, eq(users.id, serverKeys.createdBy))
    .orderBy(desc(serverKeys.createdAt), desc(serverKeys.id))
    .limit(limit)

export const hasFewerServerKeys = (limit: number): Condition => fewerThan(serverKeys, sql`true`, limit)

export const insertServerKey = (db: Database, key: ServerKey) => db.insert(serverKeys).values(key)

/** For the command line: writes the key if there are fewer. */
export const insertKeyBelow = (db: Database, key: ServerKey, limit: number) =>
  insertWhere(db, serverKeys, key, hasFewerServerKeys(limit))

/** For the command line: the keys with an id or a name. */
export const keysNamed = (db: Database, idOrName: string) =>
  db
    .select()
    .from(serverKeys)
    .where(or(eq(serverKeys.id, idOrName), eq(serverKeys.name, idOrName)))

/** For the feed of ended sessions. */
export const rowsOfKey = (id: string): FeedRows => ({
  from: sql`${serverKeys}`,
  where: eq(serverKeys.id, id),
  key: sql`${serverKeys.id}`,
  id: serverKeys.id,
})

export const deleteServerKey = (db: Database, id: string) =>
  db.delete(serverKeys).where(eq(serverKeys.id, id)).returning()

/** Writes the time of the last use, unless another request did so after `notSince`. */
export const touchServerKey = (db: Database, id: string, now: Date, notSince: Date) =>
  db
    .update(serverKeys)
    .set({ lastUsedAt: now })
    .where(and(eq(serverKeys.id, id), or(isNull(serverKeys.lastUsedAt), lte(serverKeys.lastUsedAt, notSince))))

/**
 * Begins a request, or takes over one that ended without an effect and an answer. One round trip.
 * @returns whether this request runs the operation, and the stored request
 */
export async function claimRequest(
  db: Database,
  request: ServerRequest,
  now: Date,
): Promise<{ isClaimed: boolean; stored: ServerRequest | null }> {
  const { lockedUntil, inputHash } = request
  const { claimed, stored } = await read(db, {
    claimed: db
      .insert(serverRequests)
      .values(request)
      .onConflictDoUpdate({
        target: serverRequests.id,
        set: { lockedUntil, inputHash, hasEffect: false, status: null, answer: null, expiresAt: request.expiresAt },
        // Without an effect, an answer and a lock, or older than its lifetime.
        setWhere: or(
          lte(serverRequests.expiresAt, now),
          and(
            eq(serverRequests.hasEffect, false),
            isNull(serverRequests.status),
            lte(serverRequests.lockedUntil, now),
            eq(serverRequests.inputHash, inputHash),
          ),
        )!,
      })
      .returning({ id: serverRequests.id }),
    stored: db.select().from(serverRequests).where(eq(serverRequests.id, request.id)),
  })
  return { isClaimed: claimed.length > 0, stored: stored[0] ?? null }
}

/** A later run that took the request over has another lock. */
const isHeld = ({ id, lockedUntil }: ServerRequest) =>
  and(eq(serverRequests.id, id), eq(serverRequests.lockedUntil, lockedUntil), isNull(serverRequests.status))!

/** For the batch of an effect: the request is still held by this run. */
export const isRunning = (request: ServerRequest): Condition => rowExists(serverRequests, isHeld(request))

export const markEffect = (db: Database, request: ServerRequest) =>
  db.update(serverRequests).set({ hasEffect: true }).where(isHeld(request))

export const storeAnswer = (db: Database, request: ServerRequest, status: number, answer: string) =>
  db.update(serverRequests).set({ status, answer }).where(isHeld(request))

/** Ends the lock of a run without an answer. */
export const releaseRequest = (db: Database, request: ServerRequest) =>
  db
    .update(serverRequests)
    .set({ lockedUntil: new Date(0) })
    .where(isHeld(request))

/** Maximum number of deletions per run. */
const batchSize = 5000

/** For the cron trigger. */
export const deleteOldServerRequests = (db: Database, now: Date) =>
  deleteSome(db, serverRequests, serverRequests.id, lte(serverRequests.expiresAt, now), batchSize)

/** For the cron trigger: expired keys remain in the list for a time. */
export const deleteExpiredServerKeys = (db: Database, before: Date) =>
  deleteSome(db, serverKeys, serverKeys.id, lte(serverKeys.expiresAt, before), batchSize)
