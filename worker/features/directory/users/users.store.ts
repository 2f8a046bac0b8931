import { and, asc, eq, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database.ts'
import { fewerThan, insertWhere } from '../../../platform/statements.ts'
import { directoryGroups, directoryGroupMembers as memberships } from '../model/groups.table.ts'
import { type DirectoryUser, directoryUsers } from '../model/users.table.ts'
import { isOf } from './usage.store.ts'

export const findEntry = async (db: Database, connectionId: string, id: string): Promise<DirectoryUser | null> => {
  const [found] = await db
    .select()
    .from(directoryUsers)
    .where(and(eq(directoryUsers.connectionId, connectionId), eq(directoryUsers.id, id)))
  return found ?? null
}

export const insertEntry = (db: Database, entry: DirectoryUser, organizationId: string, max: number) =>
  insertWhere(
    db,
    directoryUsers,
    entry,
    fewerThan(directoryUsers, isOf(directoryUsers.connectionId, organizationId), max),
  )

const isSeen = ({ id, version }: DirectoryUser) => and(eq(directoryUsers.id, id), eq(directoryUsers.version, version))

/** Replaces an entry, unless another request has changed it since the read. */
export const updateEntry = (db: Database, seen: DirectoryUser, next: DirectoryUser) =>
  db.update(directoryUsers).set(next).where(isSeen(seen))

/** Deletes an entry, unless another request has changed it since the read. */
export const deleteEntry = (db: Database, seen: DirectoryUser) => db.delete(directoryUsers).where(isSeen(seen))

/** The groups of entries. */
export const groupsOf = (db: Database, ids: readonly string[]) =>
  db
    .select({ entryId: memberships.entryId, id: directoryGroups.id, displayName: directoryGroups.displayName })
    .from(memberships)
    .innerJoin(directoryGroups, eq(directoryGroups.id, memberships.groupId))
    .where(sql`${memberships.entryId} in (select value from json_each(${JSON.stringify(ids)}))`)
    .orderBy(asc(directoryGroups.createdAt), asc(directoryGroups.id))
