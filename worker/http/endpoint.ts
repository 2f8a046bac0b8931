import type * as z from 'zod'
import type { AppErrorKind, ErrorKind } from '../kit/errors.ts'
import type { Permissions } from '../kit/permissions.ts'
import type { CounterRule } from '../platform/durable/counter-rule.ts'
import type { IoBudget } from '../platform/io.ts'

/**
 * Who may call; each kind has its one check in http/edge/require-access.ts.
 * - `visitor`: anybody; a use case may still ask scope.caller()
 * - `session`: any signed-in caller, the session of an API key or of an impersonation included
 * - `own-session`: a person in their own interactive session: for whatever changes credentials, keys, consent or
 *   roles, or deletes
 * - `fresh-session`: the same, signed in recently
 * - `{ admin }`: an administrator who may do that; `refusal` is what others are told
 * - `client`, `webhook`: a party that the feature's own check knows (Routes.checks): an OAuth client, a signature
 */
export type Access =
  | 'visitor'
  | 'session'
  | 'own-session'
  | 'fresh-session'
  | 'client'
  | 'webhook'
  | { readonly admin: Permissions; readonly refusal?: AppErrorKind }

/** The kinds that a caller with a session passes. */
export type SessionAccess = Exclude<Access, 'visitor' | 'client' | 'webhook'>

/** What a call can change, for people who read the API and for prefetching browsers, which may change nothing. */
export type Change = 'user' | 'session' | 'account' | 'verification' | (string & {})

/** One endpoint, as data. The route, the validation, the OpenAPI entry and the client's types come from it. */
export interface Endpoint {
  method: 'GET' | 'POST'
  /** Below the base path; `:name` for a parameter. */
  path: `/${string}`
  /** Absolute paths besides, where a specification has it elsewhere too. */
  alsoAt?(options: Readonly<Record<string, unknown>>): readonly string[]
  summary: string
  access: Access
  /** What a visitor is told where a session is asked for, if not UNAUTHORIZED. */
  unauthorized?: AppErrorKind
  /**
   * Fields of the body or the query that only a person in their own session may give: a session of another kind is refused with
   * them. Whether there has to be a session at all is said by `access`.
   */
  ownSessionFor?: readonly string[]
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** A body that fits, for the document, where the schema alone does not lead to one. */
  exampleBody?: object
  /** The handler gets the body's exact text instead, to read it by itself; a schema tells people what is in it. */
  raw?: true | { readonly form: z.ZodType } | { readonly json: z.ZodType }
  /** Also takes HTML forms, with a cookie too; for the few endpoints whose protocol posts forms. */
  forms?: boolean
  /**
   * A protocol has other sites post here, so a foreign Origin is no reason to refuse. Such an endpoint must change
   * nothing on the strength of a cookie alone.
   */
  foreignPosts?: boolean
  /** Any site's script may call it and read the answer, which depends on no cookie: CORS without credentials. */
  anyOrigin?: boolean
  /** The JSON of a success. Endpoints that only redirect or show a page say so instead. */
  answer: z.ZodType | 'redirect' | 'page' | 'style-sheet'
  /** A browser may also be sent on, where the answer is JSON: by what the query says, or by what it has come for. */
  redirects?: true
  /** A page may be shown instead, where the answer is JSON. */
  shows?: 'page'
  /** The status of a success, where it is not 200. */
  status?: number
  errors: readonly ErrorKind[]
  /** A rule of its own makes the limit strict; other paths share the configured one. */
  limit?: CounterRule
  /** The limit counts by validly signed session token where there is one: one back end may ask for all its users. */
  limitedBy?: 'session'
  /** The most I/O that an answer may wait for. */
  budget: IoBudget
  changes: readonly Change[]
  /** May be answered from a replica of the database. Only for what shows the caller nothing but their own session. */
  replica?: boolean
}

/** Whether a browser opens the address, such as a link of a mail: then a person sees what goes wrong. */
export const isOpenedInBrowser = ({ answer, redirects }: Endpoint): boolean =>
  redirects === true || answer === 'redirect' || answer === 'page'

/** Declares an endpoint and keeps its literal types. */
export const endpoint = <const E extends Endpoint>(definition: E): E => definition

/** A feature's contract: its endpoints by operation name. */
export type Contract = Readonly<Record<string, Endpoint>>

export type BodyOf<E extends Endpoint> = E['body'] extends z.ZodType ? z.output<E['body']> : undefined
export type QueryOf<E extends Endpoint> = E['query'] extends z.ZodType ? z.output<E['query']> : undefined
export type ParamsOf<E extends Endpoint> = E['params'] extends z.ZodType ? z.output<E['params']> : undefined
export type AnswerOf<E extends Endpoint> = E['answer'] extends z.ZodType ? z.input<E['answer']> : never
