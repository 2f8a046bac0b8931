import { isObject } from '../fetch-json.ts'

/** What stands at a path in a provider's JSON; undefined as soon as a step leads nowhere. */
export function dig(value: unknown, ...path: (string | number)[]): unknown {
  let found = value
  for (const step of path) {
    if (Array.isArray(found) && typeof step === 'number') found = found[step]
    else if (isObject(found) && typeof step === 'string' && Object.hasOwn(found, step)) found = found[step]
    else return undefined
  }
  return found
}

/** The parts of a name that are there, with a space between; undefined when none is. */
export const fullName = (...parts: unknown[]): string | undefined =>
  parts.filter((part) => typeof part === 'string' && part !== '').join(' ') || undefined
