import { and, asc, count, eq, gt, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import { users } from '../../../identity/model/users.table.ts'
import type { Database } from '../../../platform/database.ts'
import {
  type Condition,
  deleteSome,
  fewerThan,
  insertWhere,
  named,
  read,
  rowExists,
} from '../../../platform/statements.ts'
import { connections } from '../../enterprise/model/connections.table.ts'
import { organizationDomains } from '../../enterprise/model/domains.table.ts'
import { directoryGroups } from '../model/groups.table.ts'
import { type DirectoryToken, directoryTokens as tokens } from '../model/tokens.table.ts'
import { directoryUsers } from '../model/users.table.ts'

/** The tokens of a connection, and how many entries its directory has. */
export const findDirectory = (db: Database, connectionId: string) =>
  read(db, {
    tokens: db
      .select({ token: named(tokens, 'token'), creatorName: sql<string | null>`${users.name}`.as('creator_name') })
      .from(tokens)
      .leftJoin(users, eq(users.id, tokens.createdBy))
      .where(eq(tokens.connectionId, connectionId))
      .orderBy(asc(tokens.createdAt), asc(tokens.id))
      .limit(40),
    access: db
      .select({ access: directoryUsers.access, entries: count().as('entries') })
      .from(directoryUsers)
      .where(eq(directoryUsers.connectionId, connectionId))
      .groupBy(directoryUsers.access),
    groups: db
      .select({ entries: count().as('entries') })
      .from(directoryGroups)
      .where(eq(directoryGroups.connectionId, connectionId)),
  })

/** Expired tokens do not count. */
export const insertToken = (db: Database, token: DirectoryToken, max: number) =>
  insertWhere(
    db,
    tokens,
    token,
    fewerThan(
      tokens,
      and(
        eq(tokens.connectionId, token.connectionId),
        or(isNull(tokens.expiresAt), gt(tokens.expiresAt, token.createdAt)),
      )!,
      max,
    ),
  )

const isOf = (connectionId: string, id: string) => and(eq(tokens.connectionId, connectionId), eq(tokens.id, id))

/** Ends a valid token at a time, unless it expires before. */
export const limitToken = (db: Database, connectionId: string, id: string, now: Date, end: Date) =>
  db
    .update(tokens)
    .set({ expiresAt: sql`min(coalesce(${tokens.expiresAt}, ${end.getTime()}), ${end.getTime()})` })
    .where(and(isOf(connectionId, id), or(isNull(tokens.expiresAt), gt(tokens.expiresAt, now))))

export const deleteToken = (db: Database, connectionId: string, id: string) =>
  db.delete(tokens).where(isOf(connectionId, id))

/** A token by its hash, with its connection. */
export async function findToken(db: Database, hash: string) {
  const [found] = await db
    .select({ token: named(tokens, 'token'), connection: named(connections, 'connection') })
    .from(tokens)
    .innerJoin(connections, eq(connections.id, tokens.connectionId))
    .where(eq(tokens.tokenHash, hash))
  return found ?? null
}

/** Writes the time of the last use, unless another request did so after `notSince`. */
export const touchToken = (db: Database, id: string, now: Date, notSince: Date) =>
  db
    .update(tokens)
    .set({ lastUsedAt: now })
    .where(and(eq(tokens.id, id), or(isNull(tokens.lastUsedAt), lte(tokens.lastUsedAt, notSince))))

/** Maximum number of deletions per run. */
const batchSize = 5000

/** For the cron trigger: expired tokens remain in the list for a time. */
export const deleteExpiredDirectoryTokens = (db: Database, before: Date) =>
  deleteSome(db, tokens, tokens.id, lte(tokens.expiresAt, before), batchSize)

/** Holds while a directory can create members of an organization: a connection has a token, and a domain is verified. */
export const hasDirectory = (organizationId: string): Condition =>
  and(
    sql`exists (select 1 from ${tokens} inner join ${connections} on ${connections.id} = ${tokens.connectionId}
      where ${connections.organizationId} = ${organizationId})`,
    rowExists(
      organizationDomains,
      and(eq(organizationDomains.organizationId, organizationId), isNotNull(organizationDomains.verifiedAt)),
    ),
  )!
