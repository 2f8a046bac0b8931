import type { Own } from '../identity/caller.ts'
import type { Caller, Scope } from '../identity/scope.ts'
import type { Reads, Rows } from '../platform/statements.ts'
import type { AnswerOf, BodyOf, Contract, Endpoint, ParamsOf, PartyAccess, QueryOf, SessionAccess } from './endpoint.ts'

/** The arguments of a handler: the caller is identified, and the input is validated. */
export interface HandlerCall<E extends Endpoint> {
  scope: Scope
  body: BodyOf<E>
  /** The body's exact text, for an endpoint with `raw`; otherwise empty. */
  raw: string
  query: QueryOf<E>
  params: ParamsOf<E>
  caller: CallerOf<E['access']>
  /** The result of the check of a party (PartyAccess); otherwise undefined. */
  // biome-ignore lint/suspicious/noExplicitAny: only the feature that checks knows the type
  party: any
  request: Request
}

type CallerOf<A> = A extends SessionAccess ? Caller : null

/** A handler returns the JSON of the answer, or a whole response. */
export type Handler<E extends Endpoint> = (
  call: HandlerCall<E>,
) => Promise<AnswerOf<E> | Response> | AnswerOf<E> | Response

/** The arguments from which a reading handler builds its reads. */
export interface ReadArguments<E extends Endpoint> {
  scope: Scope
  own: Own
  body: BodyOf<E>
  query: QueryOf<E>
  params: ParamsOf<E>
}

/** A handler whose reads run in one round trip with those of the caller. It gets the rows after the access check. */
export interface ReadingHandler<E extends Endpoint, R extends Reads = Reads> {
  reads(asked: ReadArguments<E>): R
  answer(call: HandlerCall<E>, rows: Rows<R>): Promise<AnswerOf<E> | Response> | AnswerOf<E> | Response
}

/** Declares a reading handler; the rows have the types of the reads. */
export const reading = <E extends Endpoint, R extends Reads>(
  reads: (asked: ReadArguments<E>) => R,
  answer: ReadingHandler<E, R>['answer'],
): ReadingHandler<E> => {
  const handler: ReadingHandler<E, R> = { reads, answer }
  return handler
}

/** A contract without a handler for each endpoint does not compile. */
export type Handlers<C extends Contract> = { [K in keyof C]: Handler<C[K]> | ReadingHandler<C[K]> }

/** Identifies the caller of an endpoint with a PartyAccess, or throws. @returns the `party` of the call */
export type PartyCheck = (
  scope: Scope,
  call: { request: Request; params: unknown; body: unknown; raw: string },
) => Promise<unknown>

export type PartyChecks = { readonly [K in PartyAccess]?: PartyCheck }

/** A handler as worker/app.ts mounts it. */
export type MountedHandler = Partial<Pick<ReadingHandler<Endpoint>, 'reads'>> & Pick<ReadingHandler<Endpoint>, 'answer'>

/** A feature's endpoints with their handlers. */
export interface Routes {
  contract: Contract
  handlers: Record<string, MountedHandler>
  checks: PartyChecks
}

export const routes = <C extends Contract>(contract: C, handlers: Handlers<C>, checks: PartyChecks = {}): Routes => ({
  contract,
  handlers: Object.fromEntries(
    Object.entries(handlers as unknown as Record<string, Handler<Endpoint> | ReadingHandler<Endpoint>>).map(
      ([name, handler]) => [name, typeof handler === 'function' ? { answer: handler } : handler],
    ),
  ),
  checks,
})

/** 302. The location has been checked against the trusted origins, or is our own. */
export const redirectTo = (location: string): Response => new Response(null, { status: 302, headers: { location } })
