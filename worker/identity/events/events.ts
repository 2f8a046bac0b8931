import type { SQL } from 'drizzle-orm'
import type { Condition } from '../../platform/statements.ts'

/** What happens to people, and to the organizations they are in, by the names that webhooks have for it. */
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
] as const

export type EventType = (typeof eventTypes)[number]

/**
 * Events as the batch that makes them happen knows them: one for each row that is there at this place of the batch.
 * The database itself writes down what is told, so that it is what was stored, whoever else was writing.
 */
export interface EventRows {
  /** Whose events keep their order: the id of a person, or of an organization. */
  subject: SQL
  /** What is told, by name: JSON objects (platform/json-sql.ts). No secrets. */
  data: Readonly<Record<string, SQL>>
  /** Tables, joined. */
  from: SQL
  where: Condition
}

/** An organization, as hooks are told of it. */
export interface OrganizationFacts {
  id: string
  name: string
  slug: string
  logo: string | null
  metadata: Record<string, unknown> | null
  createdAt: Date
}

/** A person's place in an organization. */
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
