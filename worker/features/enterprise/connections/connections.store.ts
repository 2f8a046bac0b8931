import { and, asc, eq, lte } from 'drizzle-orm'
import type { Database } from '../../../platform/database.ts'
import { type Connection, connections } from '../model/connections.table.ts'

/** Connections whose metadata is due, the longest ago first. */
export const connectionsToRefresh = (db: Database, now: Date, limit: number) =>
  db.select().from(connections).where(lte(connections.refreshAt, now)).orderBy(asc(connections.refreshAt)).limit(limit)

/** Stores the outcome of a refresh, unless an owner has changed the connection since the read. */
export const recordRefresh = (db: Database, { id, updatedAt }: Connection, changes: Partial<Connection>) =>
  db
    .update(connections)
    .set(changes)
    .where(and(eq(connections.id, id), eq(connections.updatedAt, updatedAt)))

/** Connections with a due notice about a certificate, the longest ago first. */
export const connectionsToNotice = (db: Database, now: Date, limit: number) =>
  db.select().from(connections).where(lte(connections.noticeAt, now)).orderBy(asc(connections.noticeAt)).limit(limit)

/** Sets the time of the next notice, unless the connection has changed since the read. */
export const recordNotice = (db: Database, { id, updatedAt, noticeAt }: Connection, next: Date | null) =>
  db
    .update(connections)
    .set({ noticeAt: next })
    .where(and(eq(connections.id, id), eq(connections.updatedAt, updatedAt), eq(connections.noticeAt, noticeAt!)))
