import type * as z from 'zod'
import { keyLimitOf } from '../kit/bounded-record.ts'

/** What the schema of an input says about sizes and patterns, by path: `.data.email`, `.list[]`, `.record.*`. */

type Def = Record<string, unknown> & { type: string }
type CheckDef = { check: string; maximum?: number; length?: number; pattern?: RegExp; fn?: unknown; value?: number }
interface Internals {
  _zod: { def: Def; traits: Set<string>; bag: { pattern?: RegExp } }
}

export interface SchemaNode {
  path: string
  type: string
  /** It gets what another schema has validated. */
  isDerived: boolean
  /** The maximum length of a text or a list, or the maximum number of entries of a record; undefined without one. */
  max: number | undefined
  patterns: RegExp[]
  /** The bounds that a number states. */
  range: { min: number | undefined; max: number | undefined }
  place: Place
}

/** A value of the whole schema that contains this value here. */
type Place = (value: unknown) => unknown

const internals = (schema: unknown) => (schema as Internals)._zod

/** The checks of a schema, with its own: a format such as `z.email()` is one. */
function checksOf(schema: unknown): CheckDef[] {
  const { def, traits } = internals(schema)
  const own = traits.has('$ZodCheck') ? [def as unknown as CheckDef] : []
  return [...own, ...((def.checks ?? []) as Internals[]).map((check) => check._zod.def as unknown as CheckDef)]
}

const maximumOf = ({ check, maximum, length, fn }: CheckDef): number | undefined =>
  check === 'max_length' ? maximum : check === 'length_equals' ? length : keyLimitOf(fn)

/** The literals of an object, by which a union recognizes it. */
const literalsOf = (shape: object): object =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([name, field]) => {
      const { type, values } = internals(field).def
      return type === 'literal' ? [[name, (values as unknown[])[0]]] : []
    }),
  )

/** All parts of a schema. */
export const nodesOf = (schema: unknown): SchemaNode[] => partsOf(schema, '', (value) => value, [])

function partsOf(schema: unknown, path: string, place: Place, parents: readonly unknown[]): SchemaNode[] {
  if (schema === undefined || schema === null || parents.includes(schema)) return []
  const { def } = internals(schema)
  const below = (inner: unknown, name = '', inside: Place = (value) => value) =>
    partsOf(inner, `${path}${name}`, (value) => place(inside(value)), [...parents, schema])
  const checks = checksOf(schema)
  const maxima = checks.map(maximumOf).filter((max) => max !== undefined)
  const own: SchemaNode = {
    path,
    type: def.type,
    isDerived: false,
    max: maxima.length > 0 ? Math.min(...maxima) : undefined,
    range: {
      min: checks.find(({ check }) => check === 'greater_than')?.value,
      max: checks.find(({ check }) => check === 'less_than')?.value,
    },
    patterns: checks.flatMap(({ pattern }) => (pattern instanceof RegExp ? [pattern] : [])),
    place,
  }
  const children = (): SchemaNode[] => {
    switch (def.type) {
      case 'object':
        return Object.entries(def.shape as object).flatMap(([name, field]) =>
          below(field, `.${name}`, (value) => ({ ...literalsOf(def.shape as object), [name]: value })),
        )
      case 'array':
        return below(def.element, '[]', (value) => [value])
      case 'record':
        return [
          ...below(def.keyType, '.<key>', (key) => ({ [String(key)]: 'x' })),
          ...below(def.valueType, '.*', (value) => ({ key: value })),
        ]
      case 'union':
        return (def.options as unknown[]).flatMap((option) => below(option))
      case 'lazy':
        return below((def.getter as () => unknown)())
      case 'pipe':
        return [...below(def.in), ...below(def.out).map((node) => ({ ...node, isDerived: true }))]
      default:
        return def.innerType ? below(def.innerType) : []
    }
  }
  return [own, ...children()]
}

export const patternsIn = (schema: z.ZodType): RegExp[] => nodesOf(schema).flatMap(({ patterns }) => patterns)
