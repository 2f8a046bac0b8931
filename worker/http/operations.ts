import { WorkerEntrypoint } from 'cloudflare:workers'
import type { Scope } from '../identity/scope.ts'
import { AppError } from '../kit/errors.ts'
import type { Env } from '../platform/env.ts'
import { httpErrors } from './http.errors.ts'
import { openScope, type Runtime } from './open-scope.ts'

/** What a method answers: its result, or why it was refused. Errors do not travel between Workers as they are. */
export type RpcAnswer<T> = { ok: true; result: Portable<T> } | { ok: false; code: string; message: string }

type Scalar = string | number | boolean | null
type Within<T> = T | T[] | { [name: string]: T }
/** JSON, two levels deep: a type without an end would be one for the compiler of a binding's types, too. */
type JsonValue = Within<Within<Scalar>>

/**
 * A result as it travels: what a configuration decides the type of is JSON. A part of unknown type would make the whole
 * result `never` for the caller (testing/neighbour/rpc-types.ts).
 */
export type Portable<T> = unknown extends T
  ? JsonValue
  : T extends Date
    ? T
    : T extends object
      ? { [K in keyof T]: Portable<T[K]> }
      : T

/** Named by symbols, so that no other Worker can call them: over a service binding a method goes by its text. */
export const run: unique symbol = Symbol('run')
export const within: unique symbol = Symbol('within')

/**
 * What a feature does for other Workers: a class of methods in `<feature>.rpc.ts`, each of which is `this[run](...)`.
 * They become those of the one entrypoint, `ServerApi` in worker/rpc.ts.
 */
export abstract class Operations extends WorkerEntrypoint<Env> {
  /**
   * The deployment's, see `serverApi` in worker/rpc.ts.
   * @internal
   */
  declare protected readonly runtime: Runtime

  /**
   * Does something in a scope of its own, and tells a refusal instead of throwing it.
   * @internal
   */
  async [run]<T>(work: (scope: Scope) => Promise<T>): Promise<RpcAnswer<T>> {
    try {
      return { ok: true, result: (await this[within](work)) as Portable<T> }
    } catch (thrown) {
      if (thrown instanceof AppError) return { ok: false, code: thrown.code, message: thrown.message }
      throw thrown
    }
  }

  /**
   * Does something in a scope of its own.
   * @param near whether a replica of the database may answer
   * @internal
   */
  async [within]<T>(
    work: (scope: Scope) => Promise<T>,
    { headers = {}, near = false }: { headers?: HeadersInit; near?: boolean } = {},
  ): Promise<T> {
    const { runtime, env, ctx: context } = this
    const request = new Request(runtime.settings.baseUrl, { headers })
    const scope = openScope({ request, path: '', env, context, runtime, near })
    try {
      return await work(scope)
    } finally {
      scope.answered()
    }
  }
}

type Made<T> = new (context: ExecutionContext, env: Env) => T
type Both<T> = (T extends unknown ? (one: T) => void : never) extends (all: infer All) => void ? All : never

/** One class with the methods of several. */
export function compose<P extends Made<Operations>[]>(...parts: P): Made<Both<InstanceType<P[number]>>> {
  class Composed extends Operations {}
  for (const { prototype } of parts) {
    const { constructor: _, ...methods } = Object.getOwnPropertyDescriptors(prototype)
    Object.defineProperties(Composed.prototype, methods)
  }
  return Composed as never
}

/** Callers need not be typed. @throws EITHER_USERID_OR_SESSION_IS_REQUIRED */
export function requireUserId({ userId }: { userId?: unknown }): string {
  if (typeof userId !== 'string' || !userId) throw httpErrors.EITHER_USERID_OR_SESSION_IS_REQUIRED()
  return userId
}
