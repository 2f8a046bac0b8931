import { distance } from 'fastest-levenshtein'
import type * as z from 'zod'

/** An error of a configuration. */
export interface Problem {
  path: string[]
  reason: string
  /** Whether the name of a setting is unknown. */
  unknown: boolean
}

/** All errors of a configuration, in its order. */
export const optionProblems = (schema: z.ZodType, value: unknown): Problem[] => parseOptions(schema, value).problems

/** A configuration with its defaults, or all of its errors, in its order. */
export function parseOptions<S extends z.ZodType>(
  schema: S,
  value: unknown,
): { parsed?: z.output<S>; problems: Problem[] } {
  const { data, error } = schema.safeParse(value, { error: reasonOf })
  if (!error) return { parsed: data, problems: [] }
  const names = Object.keys(Object(value))
  const problems = error.issues.flatMap((issue) => describe(issue, []))
  return { problems: problems.sort((a, b) => names.indexOf(a.path[0]!) - names.indexOf(b.path[0]!)) }
}

/** The error map of an object: suggests a similar name for each unknown setting, one per line. */
export const unknownNames = (shape: object) => (issue: z.core.$ZodRawIssue) =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((name) => similar(name, Object.keys(shape))).join('\n')
    : undefined

/** The most similar of the known names, or an empty text. @param tolerance how many characters may differ */
export function similar(
  name: string,
  known: readonly string[],
  tolerance = Math.max(1, Math.floor(name.length / 3)),
): string {
  const lower = name.toLowerCase()
  const [closest = ''] = known
    .filter((one) => distance(lower, one.toLowerCase()) <= tolerance)
    .sort((a, b) => distance(lower, a.toLowerCase()) - distance(lower, b.toLowerCase()))
  return closest
}

type Issue = z.core.$ZodIssue

function describe(issue: Issue, within: readonly string[]): Problem[] {
  const path = [...within, ...issue.path.map(String)]
  if (issue.code === 'unrecognized_keys') {
    const suggestions = issue.message.split('\n')
    return issue.keys.map((name, i) => {
      const advice = suggestions[i] ? `; did you mean ${[...path, suggestions[i]].join('.')}?` : ''
      return { path: [...path, name], reason: `unknown setting${advice}`, unknown: true }
    })
  }
  // The path ends with the key.
  if (issue.code === 'invalid_key')
    return issue.issues.map(({ message }) => ({ path, reason: message, unknown: false }))
  if (issue.code === 'invalid_union') {
    // Shows the errors of the alternative that has the type of the value.
    const meant = issue.errors.find((issues) => !issues.some((one) => one.path.length === 0 && isWrongType(one)))
    if (meant) return meant.flatMap((one) => describe(one, path))
    const reasons = issue.errors.flatMap((issues) => issues.map(({ message }) => message.replace(/^must be /, '')))
    return [{ path, reason: `must be ${[...new Set(reasons)].join(' or ')}`, unknown: false }]
  }
  return [{ path, reason: issue.message, unknown: false }]
}

const isWrongType = ({ code }: Issue) => code === 'invalid_type' || code === 'invalid_value' || code === 'custom'

const types: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  null: 'null',
}

function reasonOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') return `must be ${types[issue.expected] ?? 'an object'}`
  if (issue.code === 'invalid_value') return `must be ${issue.values.map((value) => `'${String(value)}'`).join(' or ')}`
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}`
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`
  return undefined
}
