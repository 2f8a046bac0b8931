import { isObject } from '../model/fetch-json.ts'

/** The value at a path in a provider's JSON; undefined where the path does not exist. */
export function valueAt(value: unknown, ...path: (string | number)[]): unknown {
  let found = value
  for (const step of path) {
    if (Array.isArray(found) && typeof step === 'number') found = found[step]
    else if (isObject(found) && typeof step === 'string' && Object.hasOwn(found, step)) found = found[step]
    else return undefined
  }
  return found
}

/** The parts of a name that are not empty, joined by spaces; undefined without any. */
export const fullName = (...parts: unknown[]): string | undefined =>
  parts.filter((part) => typeof part === 'string' && part !== '').join(' ') || undefined
