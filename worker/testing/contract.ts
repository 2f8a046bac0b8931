import type * as z from 'zod'
import type { Endpoint } from '../http/endpoint.ts'
import { contractOf, type Feature } from '../http/feature.ts'
import { sessionFieldsWhenSet, shownSessionFields, shownUserFields } from '../identity/registry.ts'
import type { Lifecycle } from '../identity/scope.ts'
import { basePath } from '../identity/settings.ts'

/**
 * Compares responses with their contracts strictly: an undeclared field is an error, as is a missing field. Responses
 * are JSON, so dates are ISO strings here.
 */

type Def = Record<string, unknown> & { type: string }

const defOf = (schema: unknown): Def => (schema as { _zod: { def: Def } })._zod.def

/** The maximum number of entries of a list in its schema; Infinity without one. */
function maxOf(def: Def): number {
  const checks = (def.checks ?? []) as { _zod: { def: { check: string; maximum?: number } } }[]
  const maxima = checks.map(({ _zod }) =>
    _zod.def.check === 'max_length' ? _zod.def.maximum! : Number.POSITIVE_INFINITY,
  )
  return Math.min(Number.POSITIVE_INFINITY, ...maxima)
}

/** The paths of lists in responses whose schema has no maximum. */
export function boundlessLists(schema: z.ZodType, path = ''): string[] {
  const def = defOf(schema)
  const inner = (key: string) => def[key] as z.ZodType
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape as Record<string, z.ZodType>).flatMap(([name, field]) =>
        boundlessLists(field, `${path}.${name}`),
      )
    case 'array':
      return [
        ...(maxOf(def) === Number.POSITIVE_INFINITY ? [path || '.'] : []),
        ...boundlessLists(inner('element'), `${path}[]`),
      ]
    case 'record':
      return boundlessLists(inner('valueType'), `${path}.*`)
    case 'union':
      return (def.options as z.ZodType[]).flatMap((option) => boundlessLists(option, path))
    case 'lazy':
      return boundlessLists((def.getter as () => z.ZodType)(), path)
    case 'pipe':
      return boundlessLists(inner('out'), path)
    default:
      return def.innerType ? boundlessLists(inner('innerType'), path) : []
  }
}

const isDate = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)

/**
 * Returns the errors of a value as `path: problem`. A valid value has an empty list.
 * @param open additional fields that a loose object may have: those of features and of the configuration
 */
export function deviations(schema: z.ZodType, value: unknown, open: ReadonlySet<string>, path = ''): string[] {
  const def = defOf(schema)
  const inner = (key = 'innerType') => def[key] as z.ZodType
  switch (def.type) {
    case 'object':
      return objectDeviations(def, value, open, path)
    case 'array':
      if (!Array.isArray(value)) return [`${path}: no list`]
      if (value.length > maxOf(def)) return [`${path}: ${value.length} entries, at most ${maxOf(def)}`]
      return value.flatMap((item, at) => deviations(inner('element'), item, open, `${path}[${at}]`))
    case 'record':
      if (typeof value !== 'object' || value === null) return [`${path}: no object`]
      return Object.entries(value).flatMap(([key, item]) =>
        deviations(inner('valueType'), item, open, `${path}.${key}`),
      )
    case 'union': {
      const each = (def.options as z.ZodType[]).map((option) => deviations(option, value, open, path))
      return each.reduce((best, found) => (found.length < best.length ? found : best))
    }
    case 'optional':
    case 'nonoptional':
      return value === undefined ? [] : deviations(inner(), value, open, path)
    case 'nullable':
      return value === null ? [] : deviations(inner(), value, open, path)
    case 'readonly':
    case 'default':
      return deviations(inner(), value, open, path)
    case 'lazy':
      return deviations((def.getter as () => z.ZodType)(), value, open, path)
    case 'pipe':
      return deviations(inner('out'), value, open, path)
    case 'date':
      return isDate(value) ? [] : [`${path}: no date`]
    default: {
      const parsed = schema.safeParse(value)
      return parsed.success ? [] : [`${path}: ${parsed.error.issues[0]?.message}`]
    }
  }
}

function objectDeviations(def: Def, value: unknown, open: ReadonlySet<string>, path: string): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path}: no object`]
  const shape = def.shape as Record<string, z.ZodType>
  const given = value as Record<string, unknown>
  const loose = def.catchall !== undefined && defOf(def.catchall).type === 'unknown'
  const undeclared = Object.keys(given).filter((key) => !(key in shape) && !(loose && open.has(key)))
  const own = Object.entries(shape).flatMap(([key, schema]) => {
    if (given[key] === undefined && defOf(schema).type !== 'optional') return [`${path}.${key}: missing`]
    return given[key] === undefined ? [] : deviations(schema, given[key], open, `${path}.${key}`)
  })
  if (def.catchall !== undefined && !loose && defOf(def.catchall).type !== 'never') return own
  return [...own, ...undeclared.map((key) => `${path}.${key}: not in the contract`)]
}

/** The fields of users and sessions in responses that depend on the deployment. */
export const openFields = (lifecycle: Lifecycle, ...additional: object[]): ReadonlySet<string> =>
  new Set([
    ...shownUserFields({ lifecycle }),
    ...shownSessionFields({ lifecycle }),
    ...sessionFieldsWhenSet({ lifecycle }),
    ...additional.flatMap(Object.keys),
    'missingFields',
  ])

/** Returns the endpoint of a request, or null. */
export function endpointOf(features: readonly Feature[], method: string, pathname: string): Endpoint | null {
  for (const feature of features) {
    for (const endpoint of Object.values(contractOf(feature))) {
      if (endpoint.method !== method) continue
      const pattern = `^${endpoint.at?.root ? '' : basePath}${endpoint.path.replace(/:\w+/g, '[^/]+')}/?$`
      if (new RegExp(pattern).test(pathname)) return endpoint
    }
  }
  return null
}
