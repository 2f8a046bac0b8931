import * as z from 'zod'
import { unknownNames } from './option-problems.ts'

/** An integer above 0: seconds or a number of items. */
export const positive = z.int().min(1)
/** An integer for which 0 has a separate meaning. */
export const zeroOrMore = z.int().min(0)
export const flag = (value: boolean) => z.boolean().default(value)
/** A function. Validation does not call it. */
export const callable = <F extends (...args: never[]) => unknown>() =>
  z.custom<F>((value) => typeof value === 'function', 'must be a function')
/** An object with these fields and no others. */
export const objectOf = <S extends z.ZodRawShape>(shape: S) => z.strictObject(shape, { error: unknownNames(shape) })
/** The same, where each field can be omitted. */
export const parts = <S extends z.ZodRawShape>(shape: S) => objectOf(shape).partial()
/** The same. Each field and the object have defaults. */
export const section = <S extends z.ZodRawShape>(shape: S) => objectOf(shape).prefault({} as never)
/** At most `max` in `window` seconds. */
export const limitOf = (max: number, window: number) =>
  section({ max: positive.default(max), window: positive.default(window) })
/** A record with defaults that the given entries extend. */
export const extending = <T extends object>(defaults: T, entry: z.ZodType) =>
  z
    .record(z.string(), entry)
    .prefault({})
    .transform((given) => mergeOptions(defaults, given))

/**
 * A rule about settings that are valid separately and contradict each other: the test, the path of one setting and the
 * reason.
 */
export type Contradiction = readonly [applies: boolean, setting: string, reason: string]

/** The options of a feature, read with `of(scope)`. @template T with defaults @template Input as configured */
export interface Options<N extends string = string, T = unknown, Input = unknown> {
  readonly name: N
  /** Types, defaults and rules. @internal */
  readonly schema: z.ZodType<T, Input>
  readonly defaults: T
  /** Overrides the defaults in `profile: 'strict'`. */
  readonly strict?: Input | undefined
  contradictions?(own: T, deployment: unknown): readonly Contradiction[]
  /** Completes options that depend on the deployment. */
  complete?(own: T, deployment: unknown): T
  /** The options in force. */
  of(scope: { options: Readonly<Record<string, unknown>> }): T
}

/**
 * The input of options with other types of some properties, in `Typed...Options<T extends ProductTypes>` of a feature:
 * functions that get the product's bindings, or users with its fields. Comments remain.
 */
export type Retyped<O extends Options, Changes> = {
  [Name in keyof NonNullable<O['strict']>]: Name extends keyof Changes ? Changes[Name] : NonNullable<O['strict']>[Name]
}

/**
 * The `deployment` of the rules is the `DeploymentFacts` of identity/settings.ts.
 * @param make the schema, which takes time: a start makes those of the options that the product configures
 */
export function defineOptions<const N extends string, S extends z.ZodType>(
  name: N,
  make: () => S,
  rules: NoInfer<Pick<Options<N, z.output<S>, z.input<S>>, 'strict' | 'contradictions' | 'complete'>> = {},
): Options<N, z.output<S>, z.input<S>> {
  let schema: S | undefined
  let defaults: z.output<S> | undefined
  return {
    ...rules,
    name,
    get schema() {
      return (schema ??= make()) as z.ZodType<z.output<S>, z.input<S>>
    },
    get defaults() {
      return (defaults ??= this.schema.parse(undefined))
    },
    of({ options }) {
      return (options[name] ?? this.defaults) as z.output<S>
    },
  }
}

export const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Merges `changes` into `base`, object by object. Lists and all other values replace. Neither argument changes. */
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
