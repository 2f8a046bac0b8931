import { WorkerEntrypoint } from 'cloudflare:workers'
import type { Scope } from '../identity/scope.ts'
import { AppError } from '../kit/errors.ts'
import type { Env } from '../platform/env.ts'
import type { Endpoint } from './endpoint.ts'
import { httpErrors } from './http.errors.ts'
import { openScope, type Runtime } from './open-scope.ts'

/** The result of a method, or the error that rejected it. Workers do not pass errors to each other unchanged. */
export type RpcAnswer<T> = { ok: true; result: Portable<T> } | { ok: false; code: string; message: string }

type Scalar = string | number | boolean | null
type Within<T> = T | T[] | { [name: string]: T }
/** JSON, two levels deep. The compiler of a binding's types cannot resolve a recursive type. */
type JsonValue = Within<Within<Scalar>>

/** A result as JSON. A part of unknown type would make it `never` for the caller (testing/neighbour/rpc-types.ts). */
export type Portable<T> = unknown extends T
  ? JsonValue
  : T extends Date | string
    ? T
    : T extends object
      ? { [K in keyof T]: Portable<T[K]> }
      : T

/** Symbols, so that other Workers cannot call these methods: a service binding calls a method by its string name. */
export const run: unique symbol = Symbol('run')
export const within: unique symbol = Symbol('within')

/**
 * What a feature does for other Workers (`operations` of the feature): methods in `<feature>.rpc.ts`, each of which is
 * `this[run](...)`. They become methods of the one entrypoint, `ServerApi` in worker/rpc/rpc.ts.
 */
export abstract class Operations extends WorkerEntrypoint<Env> {
  /** The deployment's, see `serverApi` in worker/rpc/rpc.ts. @internal */
  declare protected readonly runtime: Runtime

  /** Runs the work in a scope of its own, and returns a refusal instead of throwing it. @internal */
  async [run]<T>(work: (scope: Scope) => Promise<T>): Promise<RpcAnswer<T>> {
    try {
      return { ok: true, result: (await this[within](work)) as Portable<T> }
    } catch (thrown) {
      if (thrown instanceof AppError) return { ok: false, code: thrown.code, message: thrown.message }
      throw thrown
    }
  }

  /**
   * Runs `work` in a scope of its own. @param near a replica may answer @param endpoint for work of an identified
   * caller
   * @internal
   */
  async [within]<T>(
    work: (scope: Scope) => Promise<T>,
    { headers = {}, near, endpoint }: { headers?: HeadersInit; near?: boolean; endpoint?: Endpoint } = {},
  ): Promise<T> {
    const { runtime, env, ctx: context } = this
    const request = new Request(runtime.settings.baseUrl, { headers })
    const scope = openScope({ request, path: '', env, context, runtime, near, endpoint })
    try {
      return await work(scope)
    } finally {
      scope.answered()
    }
  }
}

/** A class of operations. */
export type OperationsClass<T extends Operations = Operations> = new (context: ExecutionContext, env: Env) => T

type OperationsOf<F> = F extends { operations: OperationsClass<infer T> } ? T : never
type Both<T> = (T extends unknown ? (one: T) => void : never) extends (all: infer All) => void ? All : never

/** One class with the operations of all features. */
export function compose<F extends { name: string; operations?: OperationsClass }>(
  features: readonly F[],
): OperationsClass<Both<OperationsOf<F>> & Operations> {
  class Composed extends Operations {}
  for (const { operations } of features) {
    if (!operations) continue
    const { constructor: _, ...methods } = Object.getOwnPropertyDescriptors(operations.prototype)
    Object.defineProperties(Composed.prototype, methods)
  }
  return Composed as never
}

/** Callers can be untyped. @throws EITHER_USERID_OR_SESSION_IS_REQUIRED */
export function requireUserId({ userId }: { userId?: unknown }): string {
  if (typeof userId !== 'string' || !userId) throw httpErrors.EITHER_USERID_OR_SESSION_IS_REQUIRED()
  return userId
}
