import type { Scope } from '../../../identity/scope.ts'
import type { Connection } from '../../enterprise/model/connections.table.ts'
import { readGroup, readGroupPatch } from '../groups/group-changes.ts'
import { membersOfGroups } from '../groups/groups.store.ts'
import { changeGroup, createGroup, deleteGroup, requireGroup } from '../groups/groups.ts'
import type { DirectoryGroup } from '../model/groups.table.ts'
import type { DirectoryUser } from '../model/users.table.ts'
import { applyPatch, readOperations } from '../protocol/patch.ts'
import { asksFor, includesAttribute, type Projection, project } from '../protocol/project.ts'
import { groupType, type ResourceType, userType } from '../protocol/schemas.ts'
import { type Data, readResource } from '../protocol/values.ts'
import { etagOf } from '../protocol/versions.ts'
import { findGroups, findUsers, type Search } from '../search.store.ts'
import { directoryUrl } from '../tokens/tokens.ts'
import { groupsOf } from '../users/users.store.ts'
import { changeEntry, createEntry, deleteEntry, requireEntry } from '../users/users.ts'

/** A resource for the answer. */
export interface Shown {
  id: string
  version: number
  body: Data
}

/** What the protocol does with the resources of one type. */
export interface Resources<Row = unknown> {
  type: ResourceType
  find(scope: Scope, search: Search): ReturnType<typeof findUsers> | ReturnType<typeof findGroups>
  get(scope: Scope, connection: Connection, id: string): Promise<Row>
  create(scope: Scope, connection: Connection, body: Data): Promise<Row>
  replace(scope: Scope, connection: Connection, id: string, ifMatch: string | null, body: Data): Promise<Row>
  patch(scope: Scope, connection: Connection, id: string, ifMatch: string | null, body: Data): Promise<Row>
  remove(scope: Scope, connection: Connection, id: string, ifMatch: string | null): Promise<void>
  show(scope: Scope, connection: Connection, rows: readonly Row[], projection: Projection): Promise<Shown[]>
}

const metaOf = (base: string, { name, endpoint }: ResourceType, row: DirectoryUser | DirectoryGroup): Data => ({
  resourceType: name,
  created: row.createdAt.toISOString(),
  lastModified: row.updatedAt.toISOString(),
  location: `${base}/${endpoint}/${row.id}`,
  version: etagOf(row.version),
})

const shown = (type: ResourceType, row: DirectoryUser | DirectoryGroup, body: Data, projection: Projection): Shown => ({
  id: row.id,
  version: row.version,
  body: project(type, body, projection),
})

const users: Resources<DirectoryUser> = {
  type: userType,
  find: ({ db }, search) => findUsers(db, search),
  get: requireEntry,
  create: (scope, connection, body) => createEntry(scope, connection, readResource(userType, body)),
  replace: (scope, connection, id, ifMatch, body) =>
    // A missing `active` changes no access.
    changeEntry(scope, connection, id, ifMatch, ({ active }) => ({ active, ...readResource(userType, body) })),
  patch: (scope, connection, id, ifMatch, body) => {
    const operations = readOperations(body)
    return changeEntry(scope, connection, id, ifMatch, (data) => applyPatch(userType, data, operations))
  },
  remove: deleteEntry,
  async show(scope, connection, rows, projection) {
    const base = directoryUrl(scope, connection.id)
    const ids = rows.map(({ id }) => id)
    const found =
      ids.length > 0 && includesAttribute(userType, 'groups', projection) ? await groupsOf(scope.db, ids) : []
    const byEntry = Map.groupBy(found, ({ entryId }) => entryId)
    const { schema, extension } = userType
    return rows.map((row) => {
      const groups = (byEntry.get(row.id) ?? []).map(({ id, displayName }) => ({
        value: id,
        $ref: `${base}/Groups/${id}`,
        display: displayName,
        type: 'direct',
      }))
      const body = {
        schemas: [schema.id, ...(extension && row.data[extension.id] ? [extension.id] : [])],
        id: row.id,
        ...row.data,
        ...(groups.length > 0 ? { groups } : {}),
        meta: metaOf(base, userType, row),
      }
      return shown(userType, row, body, projection)
    })
  },
}

const groups: Resources<DirectoryGroup> = {
  type: groupType,
  find: ({ db }, search) => findGroups(db, search),
  get: requireGroup,
  create: (scope, connection, body) => createGroup(scope, connection, readGroup(body)),
  replace: (scope, connection, id, ifMatch, body) => changeGroup(scope, connection, id, ifMatch, () => readGroup(body)),
  patch: (scope, connection, id, ifMatch, body) => {
    const operations = readOperations(body)
    return changeGroup(scope, connection, id, ifMatch, (group) => readGroupPatch(group, operations))
  },
  remove: deleteGroup,
  async show(scope, connection, rows, projection) {
    const base = directoryUrl(scope, connection.id)
    const ids = rows.map(({ id }) => id)
    const found =
      ids.length > 0 && includesAttribute(groupType, 'members', projection) ? await membersOfGroups(scope.db, ids) : []
    const byGroup = Map.groupBy(found, ({ groupId }) => groupId)
    const named = asksFor(groupType, 'members', 'display', projection)
    return rows.map((row) => {
      const members = (byGroup.get(row.id) ?? []).map(({ id, display }) => ({
        value: id,
        $ref: `${base}/Users/${id}`,
        type: 'User',
        ...(named ? { display } : {}),
      }))
      const body = {
        schemas: [groupType.schema.id],
        id: row.id,
        displayName: row.displayName,
        ...(row.externalId === null ? {} : { externalId: row.externalId }),
        ...(members.length > 0 ? { members } : {}),
        meta: metaOf(base, groupType, row),
      }
      return shown(groupType, row, body, projection)
    })
  },
}

export const allResources = [users, groups] as readonly Resources[]

/** The resources of an endpoint; null for an unknown one. */
export const resourcesAt = (endpoint: string): Resources | null =>
  allResources.find(({ type }) => type.endpoint === endpoint) ?? null
