import type { Own } from '../identity/caller.ts'
import type { Caller, Scope } from '../identity/scope.ts'
import type { Statement } from '../platform/statements.ts'
import type { AnswerOf, BodyOf, Contract, Endpoint, ParamsOf, QueryOf, SessionAccess } from './endpoint.ts'

/** What a handler is given: the caller is known, and everything is validated. */
export interface Call<E extends Endpoint> {
  scope: Scope
  body: BodyOf<E>
  /** The body's exact text, for an endpoint with `raw`; otherwise empty. */
  raw: string
  query: QueryOf<E>
  params: ParamsOf<E>
  caller: E['access'] extends SessionAccess ? Caller : null
  /** What the check of `client` or `webhook` found; otherwise undefined. */
  // biome-ignore lint/suspicious/noExplicitAny: only the feature that checks knows what it found
  party: any
  request: Request
}

/** A handler gives the JSON of the answer, or a whole response. */
export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<AnswerOf<E> | Response> | AnswerOf<E> | Response

/** What a reading handler's statements are made from: nothing has been read yet. */
export interface Asked<E extends Endpoint> {
  scope: Scope
  own: Own
  body: BodyOf<E>
  query: QueryOf<E>
  params: ParamsOf<E>
}

type ResultsOf<S extends readonly Statement[]> = { [K in keyof S]: S[K]['_']['result'] }

/**
 * A handler whose statements run in one round trip with the one that tells who is calling: for what a caller reads of
 * their own. Without a caller, or with one who may not, the results are never looked at.
 */
export interface ReadingHandler<E extends Endpoint> {
  statements(asked: Asked<E>): readonly Statement[]
  answer(call: Call<E>, results: never): Promise<AnswerOf<E> | Response> | AnswerOf<E> | Response
}

/** Declares a reading handler; the results have the types of the statements. */
export const reading = <E extends Endpoint, const S extends readonly Statement[]>(
  statements: (asked: Asked<E>) => S,
  answer: (call: Call<E>, results: ResultsOf<S>) => Promise<AnswerOf<E> | Response> | AnswerOf<E> | Response,
): ReadingHandler<E> => ({ statements, answer: answer as ReadingHandler<E>['answer'] })

/** Every endpoint of a contract has its handler; one that is missing does not compile. */
export type Handlers<C extends Contract> = { [K in keyof C]: Handler<C[K]> | ReadingHandler<C[K]> }

/**
 * Tells who calls an endpoint with the access `client` or `webhook`, before its handler runs. Refuses by throwing.
 * @returns what the handler gets as `party`
 */
export type PartyCheck = (scope: Scope, call: { request: Request; body: unknown; raw: string }) => Promise<unknown>

export type PartyChecks = { readonly [K in 'client' | 'webhook']?: PartyCheck }

/** A feature's endpoints with their handlers, ready to be mounted by worker/app.ts. */
export interface Routes {
  contract: Contract
  handlers: Record<string, Handler<Endpoint> | ReadingHandler<Endpoint>>
  checks: PartyChecks
}

export const routes = <C extends Contract>(contract: C, handlers: Handlers<C>, checks: PartyChecks = {}): Routes => ({
  contract,
  handlers: handlers as unknown as Routes['handlers'],
  checks,
})

/** 302. The location has been checked against the trusted origins, or is our own. */
export const redirectTo = (location: string): Response => new Response(null, { status: 302, headers: { location } })
