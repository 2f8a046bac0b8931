import { and, asc, count, eq, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database.ts'
import { type Condition, fewerThan, insertWhere } from '../../../platform/statements.ts'
import { type DirectoryGroup, directoryGroups, directoryGroupMembers as memberships } from '../model/groups.table.ts'
import { directoryUsers } from '../model/users.table.ts'
import { isOf } from '../users/usage.store.ts'
import type { GroupChange } from './group-changes.ts'

export const findGroup = async (db: Database, connectionId: string, id: string): Promise<DirectoryGroup | null> => {
  const [found] = await db
    .select()
    .from(directoryGroups)
    .where(and(eq(directoryGroups.connectionId, connectionId), eq(directoryGroups.id, id)))
  return found ?? null
}

export const insertGroup = (db: Database, group: DirectoryGroup, organizationId: string, max: number) =>
  insertWhere(
    db,
    directoryGroups,
    group,
    fewerThan(directoryGroups, isOf(directoryGroups.connectionId, organizationId), max),
  )

const isSeen = ({ id, version }: DirectoryGroup) =>
  and(eq(directoryGroups.id, id), eq(directoryGroups.version, version))

/** Replaces a group, unless another request has changed it since the read. */
export const updateGroup = (db: Database, seen: DirectoryGroup, next: DirectoryGroup) =>
  db.update(directoryGroups).set(next).where(isSeen(seen))

/** Counts a change of members alone. Such changes commute, so that parallel ones need no attempt after another. */
export const touchGroup = (db: Database, { id, updatedAt }: DirectoryGroup) =>
  db
    .update(directoryGroups)
    .set({ version: sql`${directoryGroups.version} + 1`, updatedAt })
    .where(eq(directoryGroups.id, id))
    .returning()

/** Deletes a group, unless another request has changed it since the read. */
export const deleteGroup = (db: Database, seen: DirectoryGroup) => db.delete(directoryGroups).where(isSeen(seen))

/** Ids in JSON, as one parameter. */
const listed = (ids: readonly string[]) => sql`(select value from json_each(${JSON.stringify(ids)}))`

/** The members of groups. */
export const membersOfGroups = (db: Database, ids: readonly string[]) =>
  db
    .select({
      groupId: memberships.groupId,
      id: directoryUsers.id,
      display: sql<string>`coalesce(json_extract(${directoryUsers.data}, '$.displayName'),
        json_extract(${directoryUsers.data}, '$.userName'))`.as('display'),
    })
    .from(memberships)
    .innerJoin(directoryUsers, eq(directoryUsers.id, memberships.entryId))
    .where(sql`${memberships.groupId} in ${listed(ids)}`)
    .orderBy(asc(directoryUsers.createdAt), asc(directoryUsers.id))

/** Holds while all ids are users of the connection. The ids must be distinct. */
export const areEntries = (db: Database, connectionId: string, ids: readonly string[]): Condition =>
  sql`(${db
    .select({ found: count() })
    .from(directoryUsers)
    .where(
      and(eq(directoryUsers.connectionId, connectionId), sql`${directoryUsers.id} in ${listed(ids)}`),
    )}) = ${ids.length}`

export const addMembers = (db: Database, { id, connectionId }: DirectoryGroup, ids: readonly string[]) =>
  db
    .insert(memberships)
    .select(
      db
        .select({
          groupId: sql<string>`${id}`.as('group_id'),
          entryId: directoryUsers.id,
          connectionId: directoryUsers.connectionId,
        })
        .from(directoryUsers)
        .where(and(eq(directoryUsers.connectionId, connectionId), sql`${directoryUsers.id} in ${listed(ids)}`)),
    )
    .onConflictDoNothing()

export const removeMembers = (db: Database, { id }: DirectoryGroup, ids: readonly string[]) =>
  db.delete(memberships).where(and(eq(memberships.groupId, id), sql`${memberships.entryId} in ${listed(ids)}`))

/** Holds while a change has nothing to do: the names are the same, and so are the members. */
export const groupIsUnchanged = (
  { id, displayName, externalId }: DirectoryGroup,
  { replaces, add, remove, ...names }: GroupChange,
): Condition => {
  const isMember = eq(memberships.groupId, id)
  const countOf = (ids: ReadonlySet<string>) =>
    sql`(select count(*) from ${memberships} where ${isMember} and ${memberships.entryId} in ${listed([...ids])})`
  const members = replaces
    ? sql`(select count(*) from ${memberships} where ${isMember}) = ${add.size}`
    : sql`${countOf(remove)} = 0`
  const sameNames = names.displayName === displayName && names.externalId === externalId
  return sql`(${sameNames ? 1 : 0} and ${countOf(add)} = ${add.size} and ${members})`
}

/** Removes all members that the list does not name. */
export const keepMembers = (db: Database, { id }: DirectoryGroup, ids: readonly string[]) =>
  db.delete(memberships).where(and(eq(memberships.groupId, id), sql`${memberships.entryId} not in ${listed(ids)}`))

/** Holds while the organization has at most this number of memberships. */
export const hasRoom = (organizationId: string, max: number): Condition =>
  fewerThan(memberships, isOf(memberships.connectionId, organizationId), max + 1)
