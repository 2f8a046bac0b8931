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
