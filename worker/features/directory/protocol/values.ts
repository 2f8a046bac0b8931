import { readAddress } from '../../../kit/email-address.ts'
import { findAttribute } from './paths.ts'
import type { Attribute, ResourceType, ScimSchema } from './schemas.ts'
import { scimError } from './scim.errors.ts'

/** Attributes of a resource in the names and types of the schema. */
export type Data = Record<string, unknown>

export const isRecord = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Values of one attribute, and characters of one. */
const max = { values: 100, text: 8192 }

/** An unassigned value (RFC 7643, section 2.5). */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)

/**
 * The attributes of a body: known ones, by the names of the schema, without those that the server sets. Unknown attributes
 * are ignored (RFC 7644, section 3.3). @throws invalidValue
 */
export function readResource(type: ResourceType, body: Data): Data {
  const data = readAttributes(type.attributes, body)
  const { extension } = type
  const key = extension && Object.keys(body).find((name) => name.toLowerCase() === extension.id.toLowerCase())
  if (extension && key) setExtension(data, extension, body[key])
  return data
}

export function setExtension(data: Data, extension: ScimSchema, value: unknown): void {
  if (isEmpty(value)) return void delete data[extension.id]
  if (!isRecord(value)) throw scimError('SCIM_INVALID_VALUE', `${extension.id} must be an object`)
  const read = readAttributes(extension.attributes, value)
  if (Object.keys(read).length > 0) data[extension.id] = read
  else delete data[extension.id]
}

function readAttributes(attributes: readonly Attribute[], given: Data): Data {
  const data: Data = {}
  for (const [name, value] of Object.entries(given)) {
    const attribute = findAttribute(attributes, name)
    if (!attribute || attribute.mutability === 'readOnly' || isEmpty(value)) continue
    const read = readValue(attribute, value)
    if (!isEmpty(read)) data[attribute.name] = read
  }
  return data
}

/** A value of an attribute, or its list of values. @throws invalidValue */
export function readValue(attribute: Attribute, value: unknown): unknown {
  if (!attribute.multiValued) return readOne(attribute, Array.isArray(value) && value.length === 1 ? value[0] : value)
  // Entra ID sends one value without a list.
  const list = (Array.isArray(value) ? value : [value]).filter((one) => !isEmpty(one))
  if (list.length > max.values && attribute.name !== 'members') {
    throw scimError('SCIM_INVALID_VALUE', `${attribute.name} has more than ${max.values} values`)
  }
  return onePrimary(list.map((one) => readOne(attribute, one)))
}

/** A list has one primary value (RFC 7643, section 2.4): the last one that is given. */
export function onePrimary(list: unknown[]): unknown[] {
  const last = list.findLastIndex((one) => isRecord(one) && one.primary === true)
  return list.map((one, at) =>
    at !== last && isRecord(one) && one.primary === true ? { ...one, primary: false } : one,
  )
}

function readOne(attribute: Attribute, value: unknown): unknown {
  const { name, type, subAttributes } = attribute
  const invalid = (wanted: string) => scimError('SCIM_INVALID_VALUE', `${name} must be ${wanted}`)
  if (type === 'complex') {
    // A text is the `value`: Entra ID sends the manager in this form.
    const given = isRecord(value) ? value : typeof value === 'string' && subAttributes ? { value } : null
    if (!given) throw invalid('an object')
    const read = readAttributes(subAttributes ?? [], given)
    return Object.keys(read).length > 0 ? read : null
  }
  if (type === 'boolean') return readBoolean(isRecord(value) ? value.value : value) ?? refuse(invalid('a boolean'))
  // Numbers occur for employee numbers and postal codes.
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  if (typeof text !== 'string') throw invalid('a text')
  if (text.length > max.text) throw invalid(`at most ${max.text} characters`)
  return text
}

function refuse(error: Error): never {
  throw error
}

/** Entra ID sends booleans as texts. */
export function readBoolean(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  return text === 'true' ? true : text === 'false' ? false : null
}

/** The address of a user: the primary one, the first one, or a `userName` that is an address. */
export function entryAddressOf({ emails, userName }: Data): string | null {
  const list = (Array.isArray(emails) ? emails : []).filter(isRecord)
  const value = (list.find(({ primary }) => primary === true) ?? list[0])?.value ?? userName
  return typeof value === 'string' ? readAddress(value) : null
}

/** The name of a user, for an account. */
export function entryNameOf({ displayName, name, userName }: Data): string {
  const { formatted, givenName, familyName } = isRecord(name) ? name : ({} as Data)
  const parts = [givenName, familyName].filter((part) => typeof part === 'string' && part !== '').join(' ')
  return String(displayName || formatted || parts || userName).slice(0, 256)
}
