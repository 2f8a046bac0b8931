import { WorkerEntrypoint } from 'cloudflare:workers'
import { validate } from '../http/body.ts'
import { httpErrors } from '../http/http.errors.ts'
import { openScope, type Runtime } from '../http/open-scope.ts'
import { endpointOfOperation, type Operation } from '../http/operations.ts'
import { AppError, faultIn } from '../kit/errors.ts'
import { DatabaseFull } from '../platform/database-size.ts'
import type { Env } from '../platform/env.ts'
import { detailsOf, type RpcAnswer } from './rpc-answer.ts'

/** Symbols, so that other Workers cannot call the method: a service binding calls a method by its string name. */
export const perform: unique symbol = Symbol('perform')

/** The base of the entrypoint `ServerApi`. */
export abstract class Entrypoint extends WorkerEntrypoint<Env> {
  /** The deployment's, see `serverApi` in rpc.ts. @internal */
  declare protected readonly runtime: Runtime
  /** The runtime at the public origin. @internal */
  declare protected readonly located: () => Promise<Runtime>

  /** Validates the input and runs an operation in a scope of its own. @internal */
  async [perform](name: string, operation: Operation, input: unknown): Promise<unknown> {
    const { env, ctx: context } = this
    const runtime = await this.located()
    await runtime.loader.load('all')
    const endpoint = endpointOfOperation(name, operation)
    const request = new Request(runtime.settings.baseUrl)
    const scope = openScope({ request, path: '', env, context, runtime, endpoint })
    try {
      const given = validate(operation.input, input, 'body')
      scope.io.requireRoom()
      return await operation.run(scope, given as never)
    } finally {
      scope.answered()
    }
  }
}

/** A class with a method for each operation, which the first call loads. A method returns a refusal instead of throwing it. */
export function entrypointOf<Methods>(
  names: readonly string[],
  find: (name: string) => Promise<Operation>,
): new (
  context: ExecutionContext,
  env: Env,
) => Entrypoint & Methods {
  class Composed extends Entrypoint {}
  for (const name of names) {
    const value = async function (this: Entrypoint, ...given: unknown[]): Promise<unknown> {
      const operation = await find(name)
      const { positional, bare, whenInvalid } = operation.method ?? {}
      const input = positional
        ? Object.fromEntries(positional.map((field, at) => [field, given[at]]))
        : given[0] === undefined
          ? {}
          : given[0]
      try {
        const result = await this[perform](name, operation, input)
        return bare ? result : ({ ok: true, result } as RpcAnswer<unknown>)
      } catch (thrown) {
        const refusal = faultIn(thrown) instanceof DatabaseFull ? httpErrors.DATABASE_ALMOST_FULL() : thrown
        if (!(refusal instanceof AppError)) throw thrown
        const { code, message, options } = refusal
        if (!bare) {
          const pause = options.headers?.['x-retry-after'] ?? options.headers?.['retry-after']
          return { ok: false, code, message, ...detailsOf(options.extra ?? {}, pause) }
        }
        if (whenInvalid && code === 'VALIDATION_ERROR') return whenInvalid()
        throw thrown
      }
    }
    Object.defineProperty(Composed.prototype, name, { value, configurable: true, writable: true })
  }
  return Composed as never
}
