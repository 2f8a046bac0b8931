import type { Scope } from '../../../identity/scope.ts'
import { Overtaken, unitOfWork } from '../../../identity/unit-of-work.ts'
import type { Work } from '../../../identity/work.ts'
import { newId } from '../../../kit/random.ts'
import type { Connection } from '../../enterprise/model/connections.table.ts'
import { settleAccess } from '../access/access.store.ts'
import { type Decision, decideAccess, endAccess, grantAccess } from '../access/access.ts'
import { removeUnentered } from '../access/unentered.ts'
import { directoryOptions } from '../directory.config.ts'
import type { DirectoryUser } from '../model/users.table.ts'
import { scimError } from '../protocol/scim.errors.ts'
import type { Data } from '../protocol/values.ts'
import { requireVersion, untilSettled } from '../protocol/versions.ts'
import { seedUsage } from './usage.store.ts'
import { addUsage, bytesOf, requireDomain, sizeOf } from './usage.ts'
import * as store from './users.store.ts'

/** An entry in bytes of JSON. */
const maxEntry = 4 * 1024

/** The columns that follow from the attributes. @param seen the attributes until now, which may be larger @throws invalidValue */
function columnsOf(data: Data, seen: Data | null = null) {
  if (typeof data.userName !== 'string' || data.userName.trim() === '') {
    throw scimError('SCIM_INVALID_VALUE', 'userName is required')
  }
  if (data.userName.length > 256) throw scimError('SCIM_INVALID_VALUE', 'userName has more than 256 characters')
  if (bytesOf(data) > Math.max(maxEntry, seen ? bytesOf(seen) : 0)) {
    throw scimError('SCIM_TOO_LARGE', `The attributes of a user have more than ${maxEntry} bytes`)
  }
  return {
    userName: data.userName.toLowerCase(),
    externalId: typeof data.externalId === 'string' ? data.externalId : null,
    active: data.active !== false,
    data,
  }
}

const nameTaken = () => scimError('SCIM_UNIQUENESS', 'Another user has this userName')

/** What the audit log says about an entry; the attributes themselves are personal data. */
const auditOf = ({ active, access }: DirectoryUser) => ({ active, access })

/** The account, or the entry without one. */
const subjectOf = ({ id, userId }: DirectoryUser) =>
  userId === null ? { subjectType: 'directory-user', subjectId: id } : { subjectType: 'user', subjectId: userId }

function newWork(scope: Scope): Work {
  const work = unitOfWork(scope)
  work.unique('directory_users.connection_id', nameTaken)
  work.unique('*', () => new Overtaken())
  return work
}

/** @throws uniqueness, and the errors of limits */
export function createEntry(scope: Scope, connection: Connection, given: Data): Promise<DirectoryUser> {
  scope.io.requireRoom('entry')
  const columns = columnsOf({ ...given, active: given.active ?? true })
  return untilSettled(scope, async () => {
    const now = scope.now()
    const entry: DirectoryUser = {
      id: newId(),
      connectionId: connection.id,
      ...columns,
      access: 'inactive',
      userId: null,
      version: 1,
      createdAt: now,
      updatedAt: now,
    }
    const decision = await decideAccess(scope, connection, entry)
    const work = newWork(scope)
    const created = await withAccess(scope, work, connection, entry, decision)
    work.run(seedUsage(scope.db, connection.id))
    work
      .run(store.insertEntry(scope.db, created, connection.organizationId, directoryOptions.of(scope).maxUsers))
      .orFail(() => scimError('SCIM_LIMIT_REACHED', 'The directory has reached its maximum number of users'))
    requireDomain(work, connection)
    addUsage(scope, work, connection, sizeOf(created.data))
    settleUser(scope, work, connection, created, decision)
    work.audit({ action: 'directory.create-user', ...subjectOf(created), after: auditOf(created) })
    await work.commit()
    return created
  })
}

async function withAccess(
  scope: Scope,
  work: Work,
  connection: Connection,
  entry: DirectoryUser,
  decision: Decision,
): Promise<DirectoryUser> {
  const { state } = decision
  if (state !== 'granted') return { ...entry, access: state }
  return { ...entry, access: state, userId: await grantAccess(scope, work, connection, decision, entry) }
}

function settleUser(
  scope: Scope,
  work: Work,
  connection: Connection,
  entry: DirectoryUser,
  { account }: Decision,
): void {
  if (entry.access !== 'granted') return
  settleAccess(scope, work, connection, account.organization!, [entry.id])
}

/** @throws notFound */
export async function requireEntry(scope: Scope, connection: Connection, id: string): Promise<DirectoryUser> {
  const found = await store.findEntry(scope.db, connection.id, id)
  if (!found) throw scimError('SCIM_NOT_FOUND')
  return found
}

/**
 * Changes an entry: reads it, computes the new attributes, and writes them unless another request was faster. Then it reads
 * again. @param change returns the new attributes
 */
export function changeEntry(
  scope: Scope,
  connection: Connection,
  id: string,
  ifMatch: string | null,
  change: (data: Data) => Promise<Data> | Data,
): Promise<DirectoryUser> {
  return untilSettled(scope, async () => {
    const seen = await requireEntry(scope, connection, id)
    requireVersion(ifMatch, seen.version)
    const columns = columnsOf(await change(seen.data), seen.data)
    const entry: DirectoryUser = { ...seen, ...columns, version: seen.version + 1, updatedAt: scope.now() }
    const decision = await decideAccess(scope, connection, entry)
    if (decision.state === seen.access && JSON.stringify(seen.data) === JSON.stringify(columns.data)) return seen
    const work = newWork(scope)
    if (seen.active && !entry.active && seen.userId !== null) endAccess(scope, work, connection, decision.account)
    const changed = await withAccess(scope, work, connection, entry, decision)
    work.run(seedUsage(scope.db, connection.id))
    work.run(store.updateEntry(scope.db, seen, changed)).orFail()
    addUsage(scope, work, connection, sizeOf(changed.data) - sizeOf(seen.data))
    settleUser(scope, work, connection, changed, decision)
    const names = Object.keys({ ...seen.data, ...changed.data }).filter(
      (name) => JSON.stringify(seen.data[name]) !== JSON.stringify(changed.data[name]),
    )
    work.audit({
      action: 'directory.update-user',
      ...subjectOf(changed),
      before: auditOf(seen),
      after: { ...auditOf(changed), attributes: names },
    })
    await work.commit()
    return changed
  })
}

/**
 * Deletes an entry and ends the access that it gave. An account that the directory has created, without a sign-in and without
 * anything else that a user has, is deleted with it.
 */
export function deleteEntry(scope: Scope, connection: Connection, id: string, ifMatch: string | null): Promise<void> {
  return untilSettled(scope, async () => {
    const seen = await requireEntry(scope, connection, id)
    requireVersion(ifMatch, seen.version)
    const decision = seen.userId === null ? null : await decideAccess(scope, connection, { ...seen, active: false })
    const added = () => {
      const work = unitOfWork(scope)
      if (seen.active && decision) endAccess(scope, work, connection, decision.account)
      work.run(seedUsage(scope.db, connection.id))
      work.run(store.deleteEntry(scope.db, seen)).orFail()
      addUsage(scope, work, connection, -sizeOf(seen.data))
      work.audit({ action: 'directory.delete-user', ...subjectOf(seen), before: auditOf(seen) })
      return work
    }
    const user = decision?.account.isUnentered ? decision.account.user : null
    if (!user || !(await removeUnentered(scope, user, added()))) await added().commit()
  })
}
