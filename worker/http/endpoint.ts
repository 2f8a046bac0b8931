import type * as z from 'zod'
import type { User } from '../identity/model/users.table.ts'
import type { AuditAction } from '../kit/audit-actions.ts'
import type { AppErrorKind, ErrorKind } from '../kit/errors.ts'
import type { Permissions } from '../kit/permissions.ts'
import type { ServerPermission } from '../kit/server-permissions.ts'
import type { CounterRule } from '../platform/durable/counter-rule.ts'
import type { IoBudget } from '../platform/io.ts'

/**
 * The access to an endpoint, which http/edge/require-access.ts checks.
 * - `visitor`: any caller; a use case may still call scope.caller()
 * - `session`: any signed-in caller, including the session of an API key or of an impersonation
 * - `own-session`: a user in their own interactive session: for changes of credentials, keys, consent or roles, and for
 *   deletions
 * - `recent-authentication`: the same with a recent authentication (`session.freshAge`): for calls that add, replace or
 *   remove a way to sign in, change an identifier, create a credential, or delete an account or an organization
 * - `{ admin }`: an administrator with this permission; other callers get `refusal`
 * - `{ server }`: a server key with this permission, never from a browser; only for operations (http/operations.ts)
 * - `client`, `webhook`, `setup-link`, `directory`: an OAuth client, the sender of a signed webhook, the holder of the
 *   set-up link of an organization, or the directory of a connection (SCIM); the feature checks them (Routes.checks)
 */
export type Access =
  | 'visitor'
  | 'session'
  | 'own-session'
  | 'recent-authentication'
  | PartyAccess
  | { readonly admin: Permissions; readonly refusal?: AppErrorKind }
  | ServerAccess

export interface ServerAccess {
  readonly server: ServerPermission
}

/** Kinds of access that a feature checks. */
export const partyKinds = ['client', 'webhook', 'setup-link', 'directory'] as const
export type PartyAccess = (typeof partyKinds)[number]

export const isPartyAccess = (access: Access): access is PartyAccess =>
  (partyKinds as readonly unknown[]).includes(access)

/** Whether the proof of a party is in the body: the token of a set-up link, or what the signature of a webhook covers. */
export const isProvenByBody = (access: Access): boolean => access === 'setup-link' || access === 'webhook'

/** The kinds that require a session. */
export type SessionAccess = Exclude<Access, 'visitor' | PartyAccess | ServerAccess>

/** Whether the caller is an administrator with a permission. */
export const isForAdministrators = (access: Access): access is Extract<Access, { readonly admin: Permissions }> =>
  typeof access === 'object' && !('server' in access)

/** The permission that a server key needs; null for an endpoint for other callers. */
export const serverPermissionOf = ({ access }: Pick<Endpoint, 'access'>): ServerPermission | null =>
  typeof access === 'object' && 'server' in access ? access.server : null

/** The input of a predicate of `recentFor`. `given` has the validated fields of query and body. */
export interface RecencyQuestion {
  options: Readonly<Record<string, unknown>>
  user: User
  hasSecondFactor: boolean
  given: Readonly<Record<string, unknown>>
}

/** The entities that a call can change: for the document, and to reject prefetches that change something. */
export type Change = 'user' | 'session' | 'account' | 'verification' | (string & {})

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Places and contributions of features that the handler of a read may use. */
export type ReadUse =
  | 'aboutUser'
  | 'oauth'
  | 'contentSources'
  | 'keeps'
  | 'permissions'
  | 'publicConfiguration'
  | 'raisedMemberLimit'
  | 'sessionRead'
  | 'wayIn'

/** An endpoint as data. It defines the route, the validation, the OpenAPI entry and the client's types. */
export interface Endpoint {
  method: Method
  /** Below the base path; `:name` for a parameter. */
  path: `/${string}`
  at?: EndpointPlace
  summary: string
  access: Access
  accessRules?: AccessRules
  input?: EndpointInput
  origins?: EndpointOrigins
  /** The JSON of a success, or the kind of the answer. A `socket` checks the origin, as a POST does. */
  answer: z.ZodType | 'redirect' | 'page' | 'style-sheet' | 'text' | 'csv' | 'csv-or-ndjson' | 'socket'
  /** The answer is JSON, or one of these, depending on the query or the caller. */
  orElse?: readonly ('redirect' | 'page')[]
  /** A link of a mail (http/mailed-link.ts). It is also mounted as POST, for the button of its page. */
  mailedLink?: true
  /** The status of a success, if not 200. */
  status?: number
  errors: readonly ErrorKind[]
  limits?: EndpointLimits
  /** The maximum of the I/O before the response. */
  budget: IoBudget
  changes: readonly Change[]
  /**
   * The action of its records in the audit log. A use case may name another one. null: its batches have no record unless
   * they describe one; a comment gives the reason. Required if it changes more than `verification` records, which begin a
   * proof or renew a token: what they lead to has a record.
   */
  audit?: AuditAction | null
  reads?: EndpointReads
}

/** Further paths. */
export interface EndpointPlace {
  /** The path is absolute, not below the base path. */
  root?: true
  /** Absolute paths that a specification requires. */
  also?: readonly `/${string}`[]
}

/** What access requires in addition to its kind. */
export interface AccessRules {
  /** The error for a visitor, if not UNAUTHORIZED. */
  unauthorized?: AppErrorKind
  /** Fields of the input that require the user's own session; `access` decides whether it needs a session at all. */
  ownSessionFor?: readonly string[]
  /**
   * Calls that require `recent-authentication` although `access` does not: fields of the body or the query that require
   * it, or a predicate. Applies to a caller with a session, for every `access`.
   */
  recentFor?: readonly string[] | ((asked: RecencyQuestion) => boolean)
  /** Adds a way to sign in. A guest without one has no proof but the session, and needs no recent authentication. */
  addsWayIn?: true
}

/** The schemas of the input. */
export interface EndpointInput {
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** The handler gets the exact text of the body instead; a schema documents it. */
  raw?: true | { readonly form: z.ZodType } | { readonly json: z.ZodType }
  /** A valid body for the document, if none can be derived from the schema. */
  example?: object
}

/** Sites other than our own and the trusted ones. */
export interface EndpointOrigins {
  /** Accepts HTML forms, also with a cookie: for protocols that post forms. */
  forms?: boolean
  /** Accepts a foreign Origin, for protocols. It must not change anything with only a cookie as proof. */
  foreignPosts?: boolean
  /** Scripts of any site may call it and read the response, which depends on no cookie: CORS without credentials. */
  any?: boolean
}

export type WhenFull = 'signs-in' | 'secures' | 'ends'

export interface EndpointLimits {
  /** A strict limit; other endpoints have the configured one. */
  rate?: CounterRule
  /**
   * Adds only rows of any change (jobs, logs). Others with `changes` need a `rate` (testing/growth.node.test.ts). `ends`:
   * it ends access or deletes, which no daily budget of changes prevents (http/audit.ts).
   */
  creates?: false | 'ends'
  /** Counts by the signed session token, if there is one: a back end may call for all its users. */
  by?: 'session'
  /**
   * Why the call also writes while the database is nearly full (http/edge/require-room.ts): it signs in or continues a
   * sign-in, it is a change of security, or it ends access or deletes. Without it a call that changes something is refused then;
   * `creates: 'ends'` implies it.
   */
  whenFull?: WhenFull
}

export interface EndpointReads {
  /** What the handler of a GET that changes nothing uses of other features (http/endpoint-uses.ts). */
  uses?: readonly ReadUse[] | 'all'
  /**
   * A replica of the database may answer. Only for a GET that changes nothing and returns only what belongs to the caller:
   * the feed of ended sessions judges the caller, and nothing else of the answer decides about access.
   */
  replica?: boolean
}

/** Whether a browser opens the address, such as a link of a mail. The user then gets a page for an error. */
export const isOpenedInBrowser = ({ answer, orElse }: Endpoint): boolean =>
  orElse?.includes('redirect') || answer === 'redirect' || answer === 'page'

/** Whether a call needs no session, and changes something, such as a sign-in. */
export const isSentByVisitor = ({ access, changes }: Pick<Endpoint, 'access' | 'changes'>): boolean =>
  access === 'visitor' && changes.length > 0

/** Whether a call may be rejected because the last authentication is not recent. */
export const isRecencyAsked = ({ access, accessRules }: Endpoint): boolean =>
  access === 'recent-authentication' || accessRules?.recentFor !== undefined

/** An endpoint that changes something states its action. */
export type Audited =
  | { readonly changes: readonly 'verification'[]; readonly audit?: null }
  | { readonly changes: readonly Change[]; readonly audit: AuditAction | null }

type Declared = Omit<Endpoint, 'method' | 'path' | 'changes' | 'audit'> & Audited

/** Declare an endpoint at a path, and keep its literal types. */
export const get = <const P extends Endpoint['path'], const E extends Declared>(path: P, endpoint: E) =>
  ({ ...endpoint, method: 'GET', path }) as const

export const post = <const P extends Endpoint['path'], const E extends Declared>(path: P, endpoint: E) =>
  ({ ...endpoint, method: 'POST', path }) as const

export const put = <const P extends Endpoint['path'], const E extends Declared>(path: P, endpoint: E) =>
  ({ ...endpoint, method: 'PUT', path }) as const

export const patch = <const P extends Endpoint['path'], const E extends Declared>(path: P, endpoint: E) =>
  ({ ...endpoint, method: 'PATCH', path }) as const

/** DELETE. */
export const remove = <const P extends Endpoint['path'], const E extends Declared>(path: P, endpoint: E) =>
  ({ ...endpoint, method: 'DELETE', path }) as const

/** A feature's contract: its endpoints by operation name. */
export type Contract = Readonly<Record<string, Endpoint>>

/** Unknown for any endpoint. */
type OutputOf<E extends Endpoint, Part extends 'params' | 'query' | 'body'> = Endpoint extends E
  ? unknown
  : E['input'] extends { readonly [P in Part]: infer S extends z.ZodType }
    ? z.output<S>
    : undefined
export type BodyOf<E extends Endpoint> = OutputOf<E, 'body'>
export type QueryOf<E extends Endpoint> = OutputOf<E, 'query'>
export type ParamsOf<E extends Endpoint> = OutputOf<E, 'params'>
type InputOf<S> = S extends z.ZodType ? z.input<S> : never
export type AnswerOf<E extends Endpoint> = InputOf<E['answer']>

/** The endpoint of the button of a mailed link. The address, with the token, is that of the link. */
export const buttonOf = (endpoint: Endpoint): Endpoint => ({ ...endpoint, method: 'POST' })
