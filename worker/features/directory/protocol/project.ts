import { findTarget } from './paths.ts'
import type { ResourceType } from './schemas.ts'
import { type Data, isRecord } from './values.ts'

/** The attributes that a request wants (RFC 7644, section 3.9). */
export interface Projection {
  attributes: readonly string[]
  excludedAttributes: readonly string[]
}

const listed = (given: unknown): string[] =>
  (Array.isArray(given) ? given : typeof given === 'string' ? given.split(',') : [])
    .map((name) => String(name).trim())
    .filter((name) => name !== '')
    .slice(0, 100)

export const readProjection = (given: Data): Projection => ({
  attributes: listed(given.attributes),
  excludedAttributes: listed(given.excludedAttributes),
})

/** Whether the answer contains an attribute, such as `members`, which costs a read. */
export function includesAttribute(
  type: ResourceType,
  name: string,
  { attributes, excludedAttributes }: Projection,
): boolean {
  const names = (list: readonly string[], whole: boolean) =>
    list.some((path) => {
      const target = findTarget(type, path)
      return target?.attribute?.name === name && (!whole || target.sub === null)
    })
  return attributes.length > 0 ? names(attributes, false) : !names(excludedAttributes, true)
}

/** Whether a request names an attribute that is returned on request only. */
export const asksFor = (type: ResourceType, name: string, part: string, { attributes }: Projection): boolean =>
  attributes.some((path) => {
    const target = findTarget(type, path)
    return target?.attribute?.name === name && target.sub?.name === part
  })

/** The part of a resource that a request wants. `id` and `schemas` are always part of it. */
export function project(type: ResourceType, resource: Data, { attributes, excludedAttributes }: Projection): Data {
  if (attributes.length > 0) {
    const shown: Data = { schemas: resource.schemas, id: resource.id }
    for (const path of attributes) copy(type, path, resource, shown)
    return shown
  }
  if (excludedAttributes.length === 0) return resource
  const shown = structuredClone(resource)
  for (const path of excludedAttributes) omit(type, path, shown)
  return shown
}

/** Visits the objects that hold a sub-attribute. */
const parts = (value: unknown): Data[] => (Array.isArray(value) ? value : [value]).filter(isRecord)

function copy(type: ResourceType, path: string, from: Data, to: Data): void {
  const target = findTarget(type, path)
  if (!target) return
  const { extension, attribute, sub } = target
  const source = extension === null ? from : from[extension]
  if (!isRecord(source)) return
  if (attribute === null) {
    to[extension!] = source
    return
  }
  const value = source[attribute.name]
  if (value === undefined) return
  if (extension !== null) to[extension] ??= {}
  const owner = extension === null ? to : (to[extension] as Data)
  if (!sub) {
    owner[attribute.name] = value
    return
  }
  const picked = parts(value).map((one) => (one[sub.name] === undefined ? {} : { [sub.name]: one[sub.name] }))
  if (!Array.isArray(value)) owner[attribute.name] = { ...(owner[attribute.name] as Data | undefined), ...picked[0] }
  else {
    const before = (owner[attribute.name] ?? []) as Data[]
    owner[attribute.name] = picked.map((one, at) => ({ ...before[at], ...one }))
  }
}

function omit(type: ResourceType, path: string, shown: Data): void {
  const target = findTarget(type, path)
  if (!target || target.attribute?.returned === 'always') return
  const { extension, attribute, sub } = target
  if (attribute === null) {
    delete shown[extension!]
    return
  }
  const owner = extension === null ? shown : shown[extension]
  if (!isRecord(owner)) return
  if (!sub) delete owner[attribute.name]
  else for (const one of parts(owner[attribute.name])) delete one[sub.name]
}
