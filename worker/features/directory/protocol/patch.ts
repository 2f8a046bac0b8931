import type { Filter } from 'scim2-parse-filter'
import { matches } from './match.ts'
import { quoted, readPath, type ValuePath } from './paths.ts'
import type { Attribute, ResourceType } from './schemas.ts'
import { scimError } from './scim.errors.ts'
import { type Data, isEmpty, isRecord, onePrimary, readValue, setExtension } from './values.ts'

export interface PatchOperation {
  op: 'add' | 'replace' | 'remove'
  path: string | null
  value: unknown
}

const maxOperations = 1000

/** The operations of a PATCH body (RFC 7644, section 3.5.2). Entra ID capitalizes `op`. @throws invalidSyntax, noTarget */
export function readOperations(body: Data): PatchOperation[] {
  const key = Object.keys(body).find((name) => name.toLowerCase() === 'operations')
  const list = key === undefined ? null : body[key]
  if (!Array.isArray(list) || list.length === 0) throw scimError('SCIM_INVALID_SYNTAX', 'Operations must be a list')
  if (list.length > maxOperations) throw scimError('SCIM_TOO_LARGE', `At most ${maxOperations} operations`)
  return list.map((one): PatchOperation => {
    const op = isRecord(one) && typeof one.op === 'string' ? one.op.toLowerCase() : ''
    if (op !== 'add' && op !== 'replace' && op !== 'remove') {
      throw scimError('SCIM_INVALID_SYNTAX', 'op must be add, replace or remove')
    }
    const { path, value } = one as Data
    if (!isEmpty(path) && typeof path !== 'string') throw scimError('SCIM_INVALID_PATH')
    const where = typeof path === 'string' && path.trim() !== '' ? path : null
    if (op === 'remove' && where === null) throw scimError('SCIM_NO_TARGET', 'remove needs a path')
    if (op !== 'remove' && value === undefined) throw scimError('SCIM_INVALID_VALUE', `${op} needs a value`)
    if (where === null && !isRecord(value))
      throw scimError('SCIM_INVALID_VALUE', 'Without a path, value must be an object')
    return { op, path: where, value }
  })
}

/** Operations with a path each: without one, each attribute of the value is an operation. */
export async function withPaths(type: ResourceType, operations: readonly PatchOperation[]) {
  const known: { op: PatchOperation['op']; path: ValuePath; value: unknown }[] = []
  for (const { op, path, value } of operations) {
    if (path !== null) {
      const read = await readPath(type, path)
      const changed = read.sub ?? read.attribute
      if (changed?.mutability === 'readOnly' || read.attribute?.mutability === 'readOnly') {
        throw scimError('SCIM_MUTABILITY', `${quoted(path)} is set by the server`)
      }
      known.push({ op, path: read, value })
      continue
    }
    for (const [name, one] of Object.entries(value as Data)) {
      // Clients send whole resources: attributes that are unknown or set by the server are ignored.
      const read = await readPath(type, name).catch(() => null)
      if (!read || (read.sub ?? read.attribute)?.mutability === 'readOnly') continue
      known.push({ op, path: read, value: one })
    }
  }
  return known
}

/** Applies operations to the attributes of a resource. @returns the new attributes @throws the errors of RFC 7644 */
export async function applyPatch(type: ResourceType, data: Data, operations: readonly PatchOperation[]): Promise<Data> {
  const changed = structuredClone(data)
  for (const { op, path, value } of await withPaths(type, operations)) {
    const { extension, attribute } = path
    if (attribute === null) {
      const old = isRecord(changed[extension!]) ? (changed[extension!] as Data) : {}
      const next = op === 'remove' ? null : op === 'add' && isRecord(value) ? { ...old, ...value } : value
      setExtension(changed, type.extension!, next)
      continue
    }
    const owner = extension === null ? changed : isRecord(changed[extension]) ? (changed[extension] as Data) : {}
    change(owner, op, { ...path, attribute }, value)
    if (extension === null) continue
    if (Object.keys(owner).length > 0) changed[extension] = owner
    else delete changed[extension]
  }
  return changed
}

type Changing = ValuePath & { attribute: Attribute }

function change(owner: Data, op: PatchOperation['op'], path: Changing, value: unknown): void {
  const { attribute, sub, filter } = path
  const next =
    op !== 'remove' && isEmpty(value)
      ? changeOf(owner[attribute.name], 'remove', path, undefined)
      : changeOf(owner[attribute.name], op, path, value)
  if (!isEmpty(next)) owner[attribute.name] = next
  else if (attribute.required && !sub && !filter) {
    throw scimError('SCIM_INVALID_VALUE', `${attribute.name} is required`)
  } else delete owner[attribute.name]
}

function changeOf(old: unknown, op: PatchOperation['op'], path: Changing, value: unknown): unknown {
  const { attribute, sub, filter } = path
  if (!attribute.multiValued) {
    if (!sub) return op === 'remove' ? null : merged(attribute, old, op, readValue(attribute, value))
    return withSub(isRecord(old) ? old : {}, sub, op, value)
  }
  const list = Array.isArray(old) ? old : []
  if (filter) return changeMatching(list, op, path, filter, value)
  if (sub) return onePrimary(list.map((one) => withSub(one as Data, sub, op, value)))
  if (op === 'remove') {
    // Entra ID names the removed values in `value`.
    if (isEmpty(value)) return null
    const removed = (readValue(attribute, value) as unknown[]).map(keyOf)
    return list.filter((one) => !removed.includes(keyOf(one)))
  }
  const given = readValue(attribute, value) as unknown[]
  if (op === 'replace') return given
  const known = new Set(list.map((one) => JSON.stringify(one)))
  return limited(
    attribute,
    withPrimary(
      list,
      given.filter((one) => !known.has(JSON.stringify(one))),
    ),
  )
}

/** A value is identified by `value`, or by all of it. */
const keyOf = (one: unknown): string => JSON.stringify(isRecord(one) && one.value !== undefined ? one.value : one)

/** A complex attribute keeps the parts that the value does not name. */
const merged = (attribute: Attribute, old: unknown, op: string, value: unknown): unknown =>
  attribute.type === 'complex' && isRecord(old) && isRecord(value) && op !== 'remove' ? { ...old, ...value } : value

/** New primary values replace the old one. */
const withPrimary = (list: unknown[], added: unknown[]): unknown[] => onePrimary([...list, ...added])

function limited(attribute: Attribute, list: unknown[]): unknown[] {
  return readValue(attribute, list) as unknown[]
}

function withSub(old: Data, sub: Attribute, op: PatchOperation['op'], value: unknown): Data | null {
  const { [sub.name]: _, ...rest } = old
  const read = op === 'remove' ? null : readValue(sub, value)
  const next = isEmpty(read) ? rest : { ...rest, [sub.name]: read }
  return Object.keys(next).length > 0 ? next : null
}

function changeMatching(
  list: unknown[],
  op: PatchOperation['op'],
  path: Changing,
  filter: Filter,
  value: unknown,
): unknown {
  const { attribute, sub } = path
  const fits = list.map((one) => matches(attribute, one, filter))
  if (!fits.includes(true)) {
    if (op === 'remove') return list
    // Entra ID sets the parts of a value that does not exist yet: it begins with the values of the filter.
    const begun = valuesOf(attribute, filter)
    if (!begun) throw scimError('SCIM_NO_TARGET')
    const made = sub ? withSub(begun, sub, op, value) : { ...begun, ...(readValue(attribute, value) as Data[])[0] }
    return limited(attribute, withPrimary(list, [made]))
  }
  if (op === 'remove' && !sub) return list.filter((_, at) => !fits[at])
  const changed = list.map((one, at) => {
    if (!fits[at] || !isRecord(one)) return one
    if (sub) return withSub(one, sub, op, value)
    const given = (readValue(attribute, value) as Data[])[0]
    return op === 'add' ? { ...one, ...given } : given
  })
  const isPrimary = changed.findIndex((one, at) => fits[at] && isRecord(one) && one.primary === true)
  const kept = changed.filter((one) => !isEmpty(one))
  if (isPrimary === -1) return kept
  return changed
    .map((one, at) => (at !== isPrimary && isRecord(one) && one.primary === true ? { ...one, primary: false } : one))
    .filter((one) => !isEmpty(one))
}

/** The values of a filter of equalities; null for another filter. */
function valuesOf(attribute: Attribute, filter: Filter): Data | null {
  if (filter.op === 'and') {
    const parts = filter.filters.map((one) => valuesOf(attribute, one))
    return parts.includes(null) ? null : Object.assign({}, ...parts)
  }
  if (filter.op !== 'eq') return null
  const found = attribute.subAttributes?.find(({ name }) => name.toLowerCase() === filter.attrPath.toLowerCase())
  return found ? { [found.name]: readValue(found, filter.compValue) } : null
}
