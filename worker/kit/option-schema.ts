import * as z from 'zod'

/**
 * What defaults cannot tell of an option's values, at the option's own place: unions, ranges, functions, records, lists
 * of objects, and whatever has `null` for a default. Where nothing is said, a value must be of its default's type; a
 * number must be whole and above 0, a list must hold texts.
 */
export type Rules<T> =
  | z.ZodType
  | (T extends readonly unknown[] ? never : T extends object ? { readonly [K in keyof T]?: Rules<T[K]> } : never)

export const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Whole, and above 0: a duration in seconds, a number of things. */
export const positive = z.int().min(1)
/** Whole, and 0 has a meaning of its own. */
export const zeroOrMore = z.int().min(0)
/** A function, handed on as it is. */
export const callable = <F>() => z.custom<F>((value) => typeof value === 'function', 'must be a function')
/** An object whose parts may all be left out. */
export const parts = <S extends z.ZodRawShape>(shape: S) => z.strictObject(shape).partial()

/** The schema of any part of some options. */
export function schemaOf(defaults: unknown, rules?: unknown): z.ZodType {
  if (rules instanceof z.ZodType) return rules
  if (isPlain(defaults)) {
    const inner = (rules ?? {}) as Record<string, unknown>
    const names = new Set([...Object.keys(defaults), ...Object.keys(inner)])
    return parts(Object.fromEntries([...names].map((name) => [name, schemaOf(defaults[name], inner[name])])))
  }
  if (Array.isArray(defaults)) return z.array(z.string())
  if (typeof defaults === 'boolean') return z.boolean()
  if (typeof defaults === 'number') return positive
  if (typeof defaults === 'string') return z.string()
  return z.unknown()
}

/** Something that is wrong with a setting. */
export interface Problem {
  path: string[]
  reason: string
  /** There is no setting of this name. */
  unknown: boolean
}

/** Everything that is wrong with `value`, a configuration's part at `path`. */
export function problemsOf(schema: z.ZodType, value: unknown, path: readonly string[]): Problem[] {
  const { error } = schema.safeParse(value)
  return error ? error.issues.flatMap((issue) => describe(issue, schema, [], path)) : []
}

type Issue = z.core.$ZodIssue

/** @param within where the issue's own path begins, below `schema` */
function describe(issue: Issue, schema: z.ZodType, within: PropertyKey[], path: readonly string[]): Problem[] {
  const place = [...within, ...issue.path]
  const here = [...path, ...place.map(String)]
  if (issue.code === 'unrecognized_keys') {
    const known = namesAt(schema, place)
    return issue.keys.map((name) => unknownName([...here, name], known))
  }
  if (issue.code === 'invalid_union') {
    // The alternative that the value was meant to be: the one that is of its type.
    const meant = issue.errors.find((issues) => !issues.some((one) => one.path.length === 0 && isWrongType(one)))
    if (meant) return meant.flatMap((one) => describe(one, schema, place, path))
    const reasons = issue.errors.flatMap((issues) => issues.map((one) => reasonOf(one).replace(/^must be /, '')))
    return [{ path: here, reason: `must be ${[...new Set(reasons)].join(' or ')}`, unknown: false }]
  }
  return [{ path: here, reason: reasonOf(issue), unknown: false }]
}

const isWrongType = ({ code }: Issue) => code === 'invalid_type' || code === 'invalid_value' || code === 'custom'

const types: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  null: 'null',
}

function reasonOf(issue: Issue): string {
  if (issue.code === 'invalid_type') return `must be ${types[issue.expected] ?? 'an object'}`
  if (issue.code === 'invalid_value') return `must be ${issue.values.map((value) => `'${String(value)}'`).join(' or ')}`
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}`
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`
  return issue.message
}

/** The names that an object at `place` may have; none where the schema leaves them open. */
function namesAt(schema: z.ZodType, place: readonly PropertyKey[]): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return namesAt(schema.unwrap() as z.ZodType, place)
  }
  if (schema instanceof z.ZodLazy) return namesAt(schema.unwrap() as z.ZodType, place)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => namesAt(option as z.ZodType, place))
  const [first, ...rest] = place
  if (schema instanceof z.ZodObject) {
    if (first === undefined) return Object.keys(schema.shape)
    return Object.hasOwn(schema.shape, first) ? namesAt(schema.shape[String(first)] as z.ZodType, rest) : []
  }
  if (first === undefined) return []
  if (schema instanceof z.ZodRecord) return namesAt(schema.valueType as z.ZodType, rest)
  if (schema instanceof z.ZodArray) return namesAt(schema.element as z.ZodType, rest)
  return []
}

/** There is no such setting; and which one may have been meant. */
export function unknownName(path: string[], known: readonly string[]): Problem {
  const name = path.at(-1)!
  const [closest] = known
    .map((candidate) => ({ candidate, distance: distanceOf(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance)
  const advice = closest ? `; did you mean ${[...path.slice(0, -1), closest.candidate].join('.')}?` : ''
  return { path, reason: `there is no such setting${advice}`, unknown: true }
}

/** How many letters must be put in, taken out or exchanged to make `a` into `b` (Levenshtein). */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    row = next
  }
  return row[b.length]!
}
