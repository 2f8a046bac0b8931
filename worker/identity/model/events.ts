import type { SQL } from 'drizzle-orm'
import type { Condition } from '../../platform/statements.ts'
import type { Session } from './sessions.table.ts'
import type { User } from './users.table.ts'

/** Events of users and of their organizations, with the names of webhooks. */
export const eventTypes = [
  'user.created',
  'user.updated',
  'user.deleted',
  'session.created',
  'session.ended',
  'password.reset',
  'organization.created',
  'organization.updated',
  'organization.deleted',
  'member.added',
  'member.removed',
  'member.role-changed',
  'invitation.created',
  'invitation.accepted',
  'invitation.rejected',
  'invitation.canceled',
  'security.event',
  'approval.requested',
  'attack.began',
] as const

export type EventType = (typeof eventTypes)[number]

/**
 * The rows of an event inside its batch: one event for each row that exists at this place of the batch. The database
 * records the event data, so that it equals the stored rows under concurrent writes.
 */
export interface EventRows {
  /** The key of the order of events: the id of a user or of an organization. */
  subject: SQL
  /** The data of the event, by name: JSON objects (platform/json-sql.ts). No secrets. */
  data: Readonly<Record<string, SQL>>
  /** Tables, joined. */
  from: SQL
  where: Condition
}

/** An organization, as hooks receive it. */
export interface OrganizationFacts {
  id: string
  name: string
  slug: string
  logo: string | null
  metadata: Record<string, unknown> | null
  createdAt: Date
}

/** A user's membership of an organization. */
export interface MemberFacts {
  id: string
  organizationId: string
  userId: string
  role: string
  createdAt: Date
}

/** An invitation without its id, which is a secret. */
export interface InvitationFacts {
  organizationId: string
  email: string
  role: string | null
  inviterId: string
  expiresAt: Date
}

/** The request of an application or agent for an approval of a user. */
export interface ApprovalFacts {
  id: string
  userId: string
  clientId: string
  clientName: string
  /** Joined by spaces. */
  scopes: string
  resource: string | null
  /** Bounded permissions (RFC 9396): the type, and its fields. */
  authorizationDetails: { type: string; [field: string]: string | number | string[] }[] | null
  bindingMessage: string | null
  createdAt: Date
  expiresAt: Date
}

/** A change of a membership. */
export interface MembershipChange {
  organization: OrganizationFacts
  member: MemberFacts
}

/** The facts for reactions and the product's hooks after the commit. Events without facts have neither. */
export interface FactsOf {
  'user.created': User
  'user.updated': User
  'user.deleted': User
  'session.created': Session
  'session.ended': Session
  'password.reset': User
  'organization.created': OrganizationFacts
  'organization.updated': OrganizationFacts
  'organization.deleted': OrganizationFacts
  'member.added': MembershipChange
  'member.removed': MembershipChange
  /** With the new roles. */
  'member.role-changed': MembershipChange
  'invitation.created': InvitationFacts
  'invitation.accepted': MembershipChange & { invitation: InvitationFacts }
  'invitation.rejected': never
  'invitation.canceled': never
  'security.event': { userId: string }
  'approval.requested': ApprovalFacts
  'attack.began': never
}
