import type { Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import type { Work } from '../../../identity/work.ts'
import { newId } from '../../../kit/random.ts'
import type { Connection } from '../../enterprise/model/connections.table.ts'
import { findAccount, settleAccess } from '../access/access.store.ts'
import { directoryOptions } from '../directory.config.ts'
import type { DirectoryGroup } from '../model/groups.table.ts'
import { scimError } from '../protocol/scim.errors.ts'
import { requireVersion, untilSettled } from '../protocol/versions.ts'
import { requireDomain } from '../users/usage.ts'
import type { GroupChange } from './group-changes.ts'
import * as store from './groups.store.ts'

/** @throws notFound */
export async function requireGroup(scope: Scope, connection: Connection, id: string): Promise<DirectoryGroup> {
  const found = await store.findGroup(scope.db, connection.id, id)
  if (!found) throw scimError('SCIM_NOT_FOUND')
  return found
}

/** The changed members in the audit log: so many ids, and the number of all. */
const auditedMembers = 100

function membersOf({ replaces, add, remove }: GroupChange) {
  const listed = (ids: Set<string>) => ({ count: ids.size, ids: [...ids].slice(0, auditedMembers) })
  if (replaces) return { members: listed(add) }
  return { ...(add.size > 0 && { added: listed(add) }), ...(remove.size > 0 && { removed: listed(remove) }) }
}

/** The organization, for the events of its members. */
const organizationOf = async (scope: Scope, connection: Connection) =>
  (await findAccount(scope.db, connection, { entryId: '', userId: null, email: null })).organization!

type Names = Pick<DirectoryGroup, 'id' | 'displayName' | 'externalId'>

/** Whether a mapping of the connection names the group. Other groups change no role and no team. */
const isMapped = ({ mapping }: Connection, { id, displayName, externalId }: Names): boolean =>
  [...mapping.roles, ...mapping.teams].some(({ group }) => [id, displayName, externalId].includes(group))

async function settle(
  scope: Scope,
  work: Work,
  connection: Connection,
  groups: readonly Names[],
  affected: readonly string[] | null,
): Promise<void> {
  if (!groups.some((group) => isMapped(connection, group))) return
  settleAccess(scope, work, connection, await organizationOf(scope, connection), affected)
}

function changeMembers(
  scope: Scope,
  work: Work,
  { organizationId }: Connection,
  group: DirectoryGroup,
  { replaces, add, remove }: GroupChange,
): void {
  const added = [...add]
  if (added.length > 0) {
    work.require(store.areEntries(scope.db, group.connectionId, added), () =>
      scimError('SCIM_INVALID_VALUE', 'A member is not a user of this directory'),
    )
  }
  if (replaces) work.run(store.keepMembers(scope.db, group, added))
  else if (remove.size > 0) work.run(store.removeMembers(scope.db, group, [...remove]))
  if (added.length === 0) return
  work.run(store.addMembers(scope.db, group, added))
  work.require(store.hasRoom(organizationId, directoryOptions.of(scope).maxMemberships), () =>
    scimError('SCIM_LIMIT_REACHED', 'The directory has reached its maximum number of memberships'),
  )
}

export async function createGroup(scope: Scope, connection: Connection, change: GroupChange): Promise<DirectoryGroup> {
  scope.io.requireRoom('entry')
  const now = scope.now()
  const { displayName, externalId } = change
  const group: DirectoryGroup = {
    id: newId(),
    connectionId: connection.id,
    displayName,
    externalId,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  const work = unitOfWork(scope)
  work
    .run(store.insertGroup(scope.db, group, connection.organizationId, directoryOptions.of(scope).maxGroups))
    .orFail(() => scimError('SCIM_LIMIT_REACHED', 'The directory has reached its maximum number of groups'))
  requireDomain(work, connection)
  changeMembers(scope, work, connection, group, { ...change, replaces: false })
  await settle(scope, work, connection, [group], [...change.add])
  const after = { name: displayName, ...membersOf({ ...change, replaces: true }) }
  work.audit({ action: 'directory.create-group', subjectType: 'directory-group', subjectId: group.id, after })
  await work.commit()
  return group
}

/** @param read computes the change from the current group */
export function changeGroup(
  scope: Scope,
  connection: Connection,
  id: string,
  ifMatch: string | null,
  read: (group: DirectoryGroup) => Promise<GroupChange> | GroupChange,
): Promise<DirectoryGroup> {
  return untilSettled(scope, async () => {
    const seen = await requireGroup(scope, connection, id)
    requireVersion(ifMatch, seen.version)
    const change = await read(seen)
    const { displayName, externalId, replaces, add, remove } = change
    const next: DirectoryGroup = { ...seen, displayName, externalId, version: seen.version + 1, updatedAt: scope.now() }
    const work = unitOfWork(scope)
    const isRenamed = displayName !== seen.displayName || externalId !== seen.externalId
    const commutes = !isRenamed && !replaces && ifMatch === null
    const written = work
      .run(commutes ? store.touchGroup(scope.db, next) : store.updateGroup(scope.db, seen, next).returning(), {
        unlessAlready: store.groupIsUnchanged(seen, change),
      })
      .orFail()
    changeMembers(scope, work, connection, next, change)
    work.audit({
      action: 'directory.update-group',
      ...{ subjectType: 'directory-group', subjectId: id },
      before: { name: seen.displayName },
      after: { name: displayName, ...membersOf(change) },
    })
    await settle(scope, work, connection, [seen, next], replaces || isRenamed ? null : [...add, ...remove])
    await work.commit()
    return written.row ?? seen
  })
}

export function deleteGroup(scope: Scope, connection: Connection, id: string, ifMatch: string | null): Promise<void> {
  return untilSettled(scope, async () => {
    const seen = await requireGroup(scope, connection, id)
    requireVersion(ifMatch, seen.version)
    const work = unitOfWork(scope)
    work.run(store.deleteGroup(scope.db, seen)).orFail()
    const before = { name: seen.displayName }
    work.audit({ action: 'directory.delete-group', subjectType: 'directory-group', subjectId: id, before })
    await settle(scope, work, connection, [seen], null)
    await work.commit()
  })
}
