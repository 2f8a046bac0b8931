import type { Filter } from 'scim2-parse-filter'
import { type PatchOperation, withPaths } from '../protocol/patch.ts'
import { groupType } from '../protocol/schemas.ts'
import { scimError } from '../protocol/scim.errors.ts'
import { type Data, isEmpty, isRecord, readValue } from '../protocol/values.ts'

/** A change of a group. Members are many: a change names the difference. */
export interface GroupChange {
  displayName: string
  externalId: string | null
  /** Whether all members leave that `add` does not name. */
  replaces: boolean
  add: Set<string>
  remove: Set<string>
}

const maxMembers = 20_000

/** The ids of members in a value. Groups in groups are not supported. @throws invalidValue */
function idsOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value]
  if (list.length > maxMembers) throw scimError('SCIM_TOO_LARGE', `At most ${maxMembers} members in one request`)
  return list.map((one) => {
    const id = typeof one === 'string' ? one : isRecord(one) ? (one.value ?? one.Value) : null
    if (typeof id !== 'string' || id === '') throw scimError('SCIM_INVALID_VALUE', 'A member needs a value')
    if (isRecord(one) && typeof one.type === 'string' && one.type.toLowerCase() === 'group') {
      throw scimError('SCIM_INVALID_VALUE', 'A group cannot be a member of a group')
    }
    return id
  })
}

/** @throws invalidValue */
function nameIn(value: unknown): string {
  const name = typeof value === 'string' ? value.trim() : ''
  if (name === '') throw scimError('SCIM_INVALID_VALUE', 'displayName is required')
  if (name.length > 256) throw scimError('SCIM_INVALID_VALUE', 'displayName has more than 256 characters')
  return name
}

const externalIdIn = (value: unknown): string | null =>
  isEmpty(value) ? null : String(readValue(textAttribute, value))
const textAttribute = groupType.attributes.find(({ name }) => name === 'externalId')!

const keyOf = (body: Data, name: string) => Object.keys(body).find((key) => key.toLowerCase() === name.toLowerCase())

/** The whole state of a group in a body, for POST and PUT. */
export function readGroup(body: Data): GroupChange {
  const given = (name: string) => {
    const key = keyOf(body, name)
    return key === undefined ? undefined : body[key]
  }
  const members = given('members')
  return {
    displayName: nameIn(given('displayName')),
    externalId: externalIdIn(given('externalId')),
    replaces: true,
    add: new Set(isEmpty(members) ? [] : idsOf(members)),
    remove: new Set(),
  }
}

/** Reads PATCH operations as one change of a group. @throws the errors of RFC 7644 */
export async function readGroupPatch(
  group: { displayName: string; externalId: string | null },
  operations: readonly PatchOperation[],
): Promise<GroupChange> {
  const { displayName, externalId } = group
  const change: GroupChange = { displayName, externalId, replaces: false, add: new Set(), remove: new Set() }
  for (const { op, path, value } of await withPaths(groupType, operations)) {
    const name = path.attribute?.name
    if (name === 'displayName') {
      if (op === 'remove') throw scimError('SCIM_INVALID_VALUE', 'displayName is required')
      change.displayName = nameIn(value)
    } else if (name === 'externalId') change.externalId = op === 'remove' ? null : externalIdIn(value)
    else if (name === 'members') changeMembers(change, op, path.filter, value, path.sub !== null)
  }
  return change
}

function changeMembers(
  change: GroupChange,
  op: PatchOperation['op'],
  filter: Filter | null,
  value: unknown,
  isPart: boolean,
): void {
  if (isPart || (filter && op !== 'remove')) {
    throw scimError('SCIM_MUTABILITY', 'The parts of a member cannot be changed')
  }
  if (op === 'remove') {
    // Entra ID names the removed members in `value`.
    const removed = filter ? idsOfFilter(filter) : isEmpty(value) ? null : idsOf(value)
    if (removed === null) clear(change)
    for (const id of removed ?? []) {
      change.add.delete(id)
      if (!change.replaces) change.remove.add(id)
    }
    return
  }
  if (op === 'replace') clear(change)
  for (const id of isEmpty(value) ? [] : idsOf(value)) {
    change.remove.delete(id)
    change.add.add(id)
  }
}

function clear(change: GroupChange): void {
  change.replaces = true
  change.add.clear()
  change.remove.clear()
}

/** `members[value eq "…"]`, also several joined by `or`. @throws invalidFilter */
function idsOfFilter(filter: Filter): string[] {
  if (filter.op === 'or') return filter.filters.flatMap(idsOfFilter)
  const isValue = filter.op === 'eq' && filter.attrPath.toLowerCase() === 'value'
  if (isValue && typeof filter.compValue === 'string') return [filter.compValue]
  throw scimError('SCIM_INVALID_FILTER', 'Members are removed by their value')
}
