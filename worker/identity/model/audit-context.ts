import type { SQL } from 'drizzle-orm'
import type { AuditAction } from '../../kit/audit-actions.ts'

/** The kinds of actors of a record. */
export const actorTypes = [
  'user',
  'administrator',
  'api-key',
  'server-key',
  'server',
  'client',
  'directory',
  'visitor',
  'system',
] as const

export type ActorType = (typeof actorTypes)[number]

export const apiKeyActor = 'api-key' satisfies ActorType

/**
 * The fields of an input that name the affected entity, most specific first, and their types; an empty type is the first
 * change of the endpoint.
 */
export const auditSubjectFields: Readonly<Record<string, string>> = {
  keyId: 'api-key',
  domainId: 'domain',
  connectionId: 'connection',
  teamId: 'team',
  memberId: 'member',
  memberIdOrEmail: 'member',
  clientId: 'oauth-client',
  client_id: 'oauth-client',
  passkeyId: 'passkey',
  id: '',
  userId: 'user',
}

/** The party that causes an effect. */
export interface AuditActor {
  type: ActorType
  /** The acting user, or the administrator who impersonates one; null for a party without an account. */
  id: string | null
  /** The id of the credential: of an API key, a server key, a client or a connection. */
  via?: string | null
  /** The impersonated user. */
  onBehalfOf?: string | null
  /** Of a user: whether the stricter budget applies (identity/users/guests.ts). */
  isGuest?: boolean
}

/** The affected entity. */
export interface AuditSubject {
  type: string
  id: string | null
}

/**
 * The kinds of requests with a daily maximum. `change` is the lowest, so that a thief of a session cannot keep its owner
 * from replacing credentials (`proven`: with a recent authentication) or from signing in. Requests that end access have no
 * maximum.
 */
export type Allowance = 'change' | 'proven' | 'sign-in'

/** What the records of a request have in common. */
export interface AuditContext {
  /** The action of a unit of work that names none; null: such a unit has no record. */
  action: AuditAction | null
  actor: AuditActor
  /** The server key of the request; null for all other callers. */
  serverKey: { readonly id: string; readonly name: string } | null
  /** What the daily maximum of the actor is for the request (audit-budget.ts); null: none. */
  allowance: Allowance | null
  /** The organization that the request is about. */
  organizationId: string | null
  /** The affected entity according to the input; null: the acting user. */
  subject: AuditSubject | null
}

/** Values as JSON; a date is an ISO text. */
export type AuditValues = Readonly<Record<string, unknown>>

/** What a use case states about its effect; the context states the rest. */
export interface AuditEntry {
  action?: AuditAction
  actor?: AuditActor
  subjectType?: string
  subjectId?: string | null
  /** Or an expression that reads it at the place of the record. */
  organizationId?: string | null | SQL
  /** The changed values, without secrets; empty if the action is sufficient. */
  before?: AuditValues
  after?: AuditValues
}
