import type { Caller, Scope } from '../identity/scope.ts'
import type { AnswerOf, BodyOf, Contract, Endpoint, ParamsOf, QueryOf } from './endpoint.ts'

/** What a handler is given: the caller is known, and everything is validated. */
export interface Call<E extends Endpoint> {
  scope: Scope
  body: BodyOf<E>
  query: QueryOf<E>
  params: ParamsOf<E>
  caller: E['access'] extends 'visitor' ? null : Caller
  request: Request
}

/** A handler gives the JSON of the answer, or a whole response. */
export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<AnswerOf<E> | Response> | AnswerOf<E> | Response

/** Every endpoint of a contract has its handler; one that is missing does not compile. */
export type Handlers<C extends Contract> = { [K in keyof C]: Handler<C[K]> }

/** A feature's endpoints with their handlers, ready to be mounted by worker/app.ts. */
export interface Routes {
  contract: Contract
  handlers: Record<string, (call: never) => unknown>
}

export const routes = <C extends Contract>(contract: C, handlers: Handlers<C>): Routes => ({
  contract,
  handlers: handlers as unknown as Routes['handlers'],
})

/** 302. The location has been checked against the trusted origins, or is our own. */
export const redirectTo = (location: string): Response => new Response(null, { status: 302, headers: { location } })
