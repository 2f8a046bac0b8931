import type { Filter } from 'scim2-parse-filter'
import { parseFilter } from './filter.ts'
import type { Attribute, ResourceType } from './schemas.ts'
import { scimError } from './scim.errors.ts'

/** An attribute that a path names (RFC 7644, section 3.10). */
export interface PathTarget {
  /** The URN of the extension that has it; null: core or common. */
  extension: string | null
  /** Null: the whole extension. */
  attribute: Attribute | null
  sub: Attribute | null
}

/** A path of a PATCH operation: a target, with a filter of its values. */
export interface ValuePath extends PathTarget {
  filter: Filter | null
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

export const findAttribute = (attributes: readonly Attribute[], name: string): Attribute | null =>
  attributes.find((one) => same(one.name, name)) ?? null

/**
 * The attribute of a path such as `name.givenName`, with or without its URN; null for an unknown one. Entra ID names
 * attributes of the extension without it, such as `manager`.
 */
export function findTarget(type: ResourceType, path: string): PathTarget | null {
  const { schema, extension } = type
  let rest = path
  let attributes = type.attributes
  let urn: string | null = null
  if (/^urn:/i.test(path)) {
    const owner = [schema, extension].find((one) => one && (same(path, one.id) || isBelow(path, one.id)))
    if (!owner) return null
    urn = owner === extension ? owner.id : null
    if (same(path, owner.id)) return urn === null ? null : { extension: urn, attribute: null, sub: null }
    rest = path.slice(owner.id.length + 1)
    if (urn !== null) attributes = owner.attributes
  }
  const [name = '', subName, ...more] = rest.split('.')
  let attribute = findAttribute(attributes, name)
  if (!attribute && rest === path && extension) {
    attribute = findAttribute(extension.attributes, name)
    urn = extension.id
  }
  if (!attribute || more.length > 0) return null
  if (subName === undefined) return { extension: urn, attribute, sub: null }
  const sub = findAttribute(attribute.subAttributes ?? [], subName)
  return sub && { extension: urn, attribute, sub }
}

const isBelow = (path: string, urn: string) => path[urn.length] === ':' && same(path.slice(0, urn.length), urn)

const valuePath = /^([^[\]]+)(?:\[(.*)\](?:\.([^[\].]+))?)?$/s

/** @throws invalidPath, invalidFilter */
export async function readPath(type: ResourceType, path: string): Promise<ValuePath> {
  const [, name, filter, subName] = valuePath.exec(path.trim().replace(/^\//, '')) ?? []
  const target = name === undefined ? null : findTarget(type, name)
  if (!target) throw scimError('SCIM_INVALID_PATH', `The path ${quoted(path)} names no known attribute`)
  if (filter === undefined) return { ...target, filter: null }
  const { attribute } = target
  if (!attribute?.multiValued || target.sub) {
    throw scimError('SCIM_INVALID_PATH', `The path ${quoted(path)} filters an attribute that has no list of values`)
  }
  const sub = subName === undefined ? null : findAttribute(attribute.subAttributes ?? [], subName)
  if (subName !== undefined && !sub) {
    throw scimError('SCIM_INVALID_PATH', `The path ${quoted(path)} names no known attribute`)
  }
  return { ...target, sub, filter: await parseFilter(filter) }
}

/** A text of the request in an error. */
export const quoted = (text: string): string => `"${text.replace(/[^\x20-\x7e]/g, '?').slice(0, 100)}"`
