import * as z from 'zod'
import { keyLimitOf } from '../kit/bounded-record.ts'

/**
 * zod runs each check of a value, patterns included, whatever an earlier one found. The lengths of an input are therefore
 * compared with those of its schema before the schema sees it: no pattern runs on a text that is too long, and no entry of
 * a list that has too many is validated.
 */

export interface TooLong {
  path: PropertyKey[]
  message: string
}

/** Adds what is too long in a value. */
type Compare = (value: unknown, path: PropertyKey[], found: TooLong[]) => void

type Def = Record<string, unknown> & { type: string }
type Check = z.core.$ZodCheck<unknown>
type CheckDef = { check: string; maximum?: number; length?: number; tx?(text: string): string; fn?: unknown }

const defOf = (schema: unknown): Def => (schema as { _zod: { def: Def } })._zod.def
const checkDef = (check: Check) => check._zod.def as unknown as CheckDef
const checksOf = (def: Def) => (def.checks ?? []) as Check[]

/** The maximum that a check states, or undefined. */
const maximumOf = (check: Check): number | undefined => {
  const { check: kind, maximum, length } = checkDef(check)
  return kind === 'max_length' ? maximum : kind === 'length_equals' ? length : undefined
}

/** The schema's own message for a value that the check refuses; undefined for another. zod counts code points. */
const messageOf = (check: Check, value: unknown): string | undefined =>
  z.any().check(check).safeParse(value).error?.issues[0]?.message

const compiled = new WeakMap<object, Compare | null>()

/** The comparison of a schema, or null for one without lengths. */
function compareOf(schema: unknown): Compare | null {
  const known = compiled.get(schema as object)
  if (known !== undefined) return known
  // A schema that contains itself refers to the comparison that is being made.
  compiled.set(schema as object, (...given) => made?.(...given))
  const made = make(defOf(schema))
  compiled.set(schema as object, made)
  return made
}

function make(def: Def): Compare | null {
  switch (def.type) {
    case 'string':
      return compareText(checksOf(def))
    case 'array':
      return compareList(checksOf(def), compareOf(def.element))
    case 'object':
      return compareFields(def.shape as Record<string, unknown>)
    case 'record':
      return compareEntries(checksOf(def), compareOf(def.keyType), compareOf(def.valueType))
    case 'union':
      return compareOptions(def.options as unknown[])
    case 'lazy':
      return compareOf((def.getter as () => unknown)())
    case 'pipe':
      return compareOf(def.in)
    default:
      return def.innerType ? compareOf(def.innerType) : null
  }
}

/** A text is measured as the schema does: after the changes that come before the check, such as `trim`. */
function compareText(checks: Check[]): Compare | null {
  const steps = checks.filter((check) => checkDef(check).tx || maximumOf(check) !== undefined)
  const smallest = Math.min(...steps.map((check) => maximumOf(check) ?? Number.POSITIVE_INFINITY))
  if (smallest === Number.POSITIVE_INFINITY) return null
  return (value, path, found) => {
    if (typeof value !== 'string' || value.length <= smallest) return
    let text = value
    for (const check of steps) {
      const maximum = maximumOf(check)
      if (maximum === undefined) text = checkDef(check).tx!(text)
      const message = maximum !== undefined && text.length > maximum ? messageOf(check, text) : undefined
      if (message !== undefined) return void found.push({ path, message })
    }
  }
}

function compareList(checks: Check[], element: Compare | null): Compare | null {
  const bound = checks.find((check) => maximumOf(check) !== undefined)
  if (!bound && !element) return null
  return (value, path, found) => {
    if (!Array.isArray(value)) return
    if (bound && value.length > maximumOf(bound)!)
      return void found.push({ path, message: messageOf(bound, value) ?? '' })
    if (element) for (const [at, item] of value.entries()) element(item, [...path, at], found)
  }
}

function compareFields(shape: Record<string, unknown>): Compare | null {
  const fields = Object.entries(shape).flatMap(([name, field]) => {
    const compare = compareOf(field)
    return compare ? [[name, compare] as const] : []
  })
  if (fields.length === 0) return null
  return (value, path, found) => {
    if (!isObject(value)) return
    for (const [name, compare] of fields) {
      if (Object.hasOwn(value, name)) compare(value[name], [...path, name], found)
    }
  }
}

function compareEntries(checks: Check[], ofKey: Compare | null, ofValue: Compare | null): Compare | null {
  const bound = checks.find((check) => keyLimitOf(checkDef(check).fn) !== undefined)
  return (value, path, found) => {
    if (!isObject(value)) return
    const entries = Object.entries(value)
    if (bound && entries.length > keyLimitOf(checkDef(bound).fn)!) {
      return void found.push({ path, message: messageOf(bound, value) ?? '' })
    }
    for (const [key, item] of entries) {
      ofKey?.(key, path, found)
      ofValue?.(item, [...path, key], found)
    }
  }
}

/** A value is too long if it is for every option that it can be. */
function compareOptions(options: unknown[]): Compare | null {
  const comparisons = options.map((option) => ({ fits: fitOf(option), compare: compareOf(option) }))
  if (comparisons.every(({ compare }) => compare === null)) return null
  return (value, path, found) => {
    const each = comparisons
      .filter(({ fits }) => fits(value))
      .map(({ compare }) => {
        const own: TooLong[] = []
        compare?.(value, path, own)
        return own
      })
    if (each.length > 0 && each.every((own) => own.length > 0)) found.push(...each[0]!)
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const kindOfValue = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value)

/** Whether a value has the type of a schema and, for an object, its literals. */
function fitOf(schema: unknown): (value: unknown) => boolean {
  const { type, innerType, shape } = defOf(schema)
  if (type === 'object') {
    const literals = Object.entries(shape as object).flatMap(([name, field]) => {
      const { type: ofField, values } = defOf(field)
      return ofField === 'literal' ? [[name, values as unknown[]] as const] : []
    })
    return (value) => isObject(value) && literals.every(([name, values]) => values.includes(value[name]))
  }
  if (type === 'record') return isObject
  if (['string', 'array', 'number', 'boolean'].includes(type)) return (value) => kindOfValue(value) === type
  return innerType ? fitOf(innerType) : () => true
}

/** What is too long in a value for its schema. */
export function tooLongIn(schema: z.ZodType, value: unknown): TooLong[] {
  const found: TooLong[] = []
  compareOf(schema)?.(value, [], found)
  return found
}
