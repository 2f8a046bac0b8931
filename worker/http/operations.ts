import type * as z from 'zod'
import type { Scope } from '../identity/scope.ts'
import type { ServerPermission } from '../kit/server-permissions.ts'
import type { Audited, Endpoint } from './endpoint.ts'
import { httpErrors } from './http.errors.ts'
import type { Routes } from './routes.ts'

/**
 * Operations for servers: what a back end does without a user. Each states its permission, input and answer once. From
 * that come a method of the service binding (rpc/rpc.ts), an endpoint below `/api/server` for server keys, its entry in
 * the OpenAPI document, and a method of the client `gatehouse-auth/server`.
 */
export interface OperationSpec
  extends Pick<Endpoint, 'summary' | 'errors' | 'budget' | 'changes' | 'audit' | 'reads' | 'limits'> {
  /** What a server key needs. A service binding needs none: it is a trust of its own. */
  permission: ServerPermission
  /** Unknown fields are ignored. */
  input: z.ZodType
  answer: z.ZodType
  /** For a method of the service binding that differs from `method(input): { ok: true, result }`. */
  method?: OperationMethod
}

export interface OperationMethod {
  /** It takes these fields of the input as arguments. */
  positional?: readonly string[]
  /** It returns the answer itself. */
  bare?: true
  /** The result of a `bare` method with invalid input. */
  whenInvalid?(): unknown
  /** worker/rpc/methods.ts has its signature. */
  ownSignature?: true
}

export interface Operation extends OperationSpec {
  run(scope: Scope, input: never): unknown
}

/** The operations of a feature by name. */
export type Operations = Readonly<Record<string, Operation>>

/** Declares an operation and keeps its literal types. */
export const operation = <const S extends Omit<OperationSpec, 'changes' | 'audit'> & Audited>(
  spec: S,
  run: (
    scope: Scope,
    input: z.output<S['input']>,
  ) => Promise<z.input<S['answer']> | Response> | z.input<S['answer']> | Response,
) => ({ ...spec, run })

/** Below it, an operation has the path of its name: `/api/server/ban-user`. */
export const serverPath = '/api/server'

export const pathOfOperation = (name: string): `/${string}` =>
  `${serverPath}/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** The I/O for the key of a request: its row, its limit, and for a write its Idempotency-Key. */
const ofKey = { d1: 1, durable: 1 }
const ofWrite = { d1: 4, durable: 2 }

/** The endpoint of an operation. */
export const endpointOfOperation = (
  name: string,
  { permission, input, budget, changes, audit, ...spec }: Operation,
): Endpoint => {
  const more = changes.length > 0 ? ofWrite : ofKey
  return {
    method: 'POST',
    path: pathOfOperation(name),
    at: { root: true },
    summary: spec.summary,
    access: { server: permission },
    input: { body: input },
    answer: spec.answer,
    errors: spec.errors,
    budget: { ...budget, d1: (budget.d1 ?? 0) + more.d1, durable: (budget.durable ?? 0) + more.durable },
    changes,
    ...(audit && { audit }),
    ...(spec.reads && { reads: spec.reads }),
    ...(spec.limits && { limits: spec.limits }),
  }
}

/** The name in the OpenAPI document, which contains another operation `listUsers` for administrators. */
export const idOfOperation = (name: string): string => `server${name.charAt(0).toUpperCase()}${name.slice(1)}`

/** The reverse. */
export const nameOfOperation = (id: string): string => id.charAt(6).toLowerCase() + id.slice(7)

/** The endpoints of operations with their handlers. */
export const routesOfOperations = (operations: Operations): Routes => ({
  contract: Object.fromEntries(
    Object.entries(operations).map(([name, one]) => [idOfOperation(name), endpointOfOperation(name, one)]),
  ),
  handlers: Object.fromEntries(
    Object.entries(operations).map(([name, { run }]) => [
      idOfOperation(name),
      { answer: ({ scope, body }) => run(scope, body as never) as never },
    ]),
  ),
  checks: {},
})

/** @throws EITHER_USERID_OR_SESSION_IS_REQUIRED */
export function requireUserId({ userId }: { userId?: unknown }): string {
  if (typeof userId !== 'string' || !userId) throw httpErrors.EITHER_USERID_OR_SESSION_IS_REQUIRED()
  return userId
}
