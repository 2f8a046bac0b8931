import type * as z from 'zod'
import { isPlain, type Rules, schemaOf } from './option-schema.ts'

/**
 * A feature's options: a name in worker/config.ts, and the specification's values as defaults. The feature reads them
 * with `of(scope)`; nothing else hands options around.
 */
export interface Options<N extends string, T extends object> {
  readonly name: N
  readonly defaults: T
  /** What `profile: 'strict'` lays over the defaults. */
  readonly strict: Partially<T> | undefined
  /** @internal What a configuration may say of them: any part, and nothing else. */
  schema(): z.ZodType
  /** The options in force. */
  of(scope: { options: Readonly<Record<string, unknown>> }): T
}

/**
 * @param strict what `profile: 'strict'` lays over the defaults
 * @param rules what the defaults cannot tell of the values: see Rules
 */
export function defineOptions<const N extends string, T extends object>(
  name: N,
  defaults: T,
  strict?: NoInfer<Partially<T>>,
  rules?: NoInfer<Rules<T>>,
): Options<N, T> {
  return {
    name,
    defaults,
    strict,
    schema: () => schemaOf(defaults, rules),
    of: (scope) => (scope.options[name] ?? defaults) as T,
  }
}

/** What a configuration file may say: any part of the options, at any depth. Lists and functions are whole. */
export type Partially<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends readonly unknown[]
    ? T
    : T extends object
      ? { [K in keyof T]?: Partially<T[K]> }
      : T

/** `changes` laid over `base`, object by object; lists and everything else replace. Neither is altered. */
export function mergeOptions<T>(base: T, changes: unknown): T {
  if (changes === undefined) return base
  if (!isPlain(base) || !isPlain(changes)) return changes as T
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(changes)) {
    if (key === '__proto__') continue
    merged[key] = mergeOptions((base as Record<string, unknown>)[key], value)
  }
  return merged as T
}
