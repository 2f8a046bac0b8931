import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from '../../../../identity/model/users.table.ts'
import { personalRows } from '../../../../platform/personal-rows.ts'
import { organizations } from '../../../organization/model/organizations.table.ts'

/** Client metadata as registered (RFC 7591, section 2, and OpenID Connect registration). */
export interface ClientRegistration {
  grant_types: string[]
  response_types: string[]
  /** The scopes that it may request; absent: every supported scope. */
  scope?: string
  client_uri?: string
  logo_uri?: string
  contacts?: string[]
  tos_uri?: string
  policy_uri?: string
  jwks_uri?: string
  jwks?: { keys: Record<string, unknown>[] }
  software_id?: string
  software_version?: string
  software_statement?: string
  application_type?: 'web' | 'native'
  id_token_signed_response_alg?: 'RS256' | 'EdDSA'
  authorization_signed_response_alg?: 'RS256' | 'EdDSA'
  subject_type?: 'public' | 'pairwise'
  post_logout_redirect_uris?: string[]
  backchannel_logout_uri?: string
  require_pushed_authorization_requests?: boolean
  dpop_bound_access_tokens?: boolean
  /** OpenID Connect CIBA, section 4. */
  backchannel_token_delivery_mode?: 'poll' | 'ping'
  backchannel_client_notification_endpoint?: string
  backchannel_user_code_parameter?: false
  /** RFC 9396, section 10; absent: every configured type. */
  authorization_details_types?: string[]
}

/** A service is deleted, not revoked. */
export const agentStates = ['active', 'paused', 'revoked'] as const
export type AgentState = (typeof agentStates)[number]

/** What makes a client an agent: it acts for users. */
export interface Agent {
  /** What it is for, in the words of its owner. */
  purpose: string
  /** The scopes that it may have at each resource, by its normal identifier. */
  access: Record<string, string[]>
  /** Tokens that it receives in a day. */
  callsPerDay: number
  /** Cost units that servers report in a day. */
  unitsPerDay: number
}

/** What makes a client a service: it has no users. */
export interface StoredService {
  /** The scopes that it may have at each resource, by its normal identifier. */
  access: Record<string, string[]>
  /** Tokens that it receives in a time (s). */
  limit: { max: number; window: number }
  /** Every token is bound to a key (RFC 9449). */
  requireDPoP: boolean
}

/** A registered client (RFC 7591), an agent, or a service. */
export const oauthApplications = sqliteTable(
  'oauth_applications',
  {
    id: text().primaryKey(),
    clientId: text('client_id').notNull().unique(),
    /** SHA-256; null for public clients and for private_key_jwt. */
    clientSecret: text('client_secret'),
    /** Its earlier secret, which is valid for a while after a rotation. */
    previousSecret: text('previous_secret'),
    previousSecretEndsAt: integer('previous_secret_ends_at', { mode: 'timestamp_ms' }),
    name: text().notNull(),
    icon: text(),
    /** Set by the developer; never interpreted. */
    metadata: text({ mode: 'json' }).$type<Record<string, unknown>>(),
    /** Resources whose tokens it may introspect, set by an administrator (RFC 7662, section 2.1). */
    resources: text({ mode: 'json' }).$type<string[]>(),
    redirectURLs: text('redirect_urls', { mode: 'json' }).$type<string[]>().notNull(),
    /** `web`, `native` or `public`. */
    type: text().notNull(),
    /** token_endpoint_auth_method */
    authenticationScheme: text('authentication_scheme').notNull(),
    disabled: integer({ mode: 'boolean' }).notNull().default(false),
    /** The developer; null after an anonymous registration. */
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** The owner of an agent, in place of a user. */
    organizationId: text('organization_id').references(() => organizations.id, { onDelete: 'cascade' }),
    /** Null for a client that is not an agent. */
    agent: text({ mode: 'json' }).$type<Agent>(),
    /** Null for a client that is not a service. */
    service: text({ mode: 'json' }).$type<StoredService>(),
    /** Of an agent or a service. */
    state: text('agent_state').$type<AgentState>(),
    /** The same; null for a service without an end. */
    expiresAt: integer('agent_expires_at', { mode: 'timestamp_ms' }),
    /** The rest of its registration. */
    registration: text({ mode: 'json' }).$type<ClientRegistration>().notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    /** For a client without a user: when it was registered, or when the cron trigger last found it in use. */
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    index('oauth_applications_user').on(table.userId),
    index('oauth_applications_organization').on(table.organizationId),
    index('oauth_applications_agents').on(table.createdAt).where(sql`${table.agent} is not null`),
    index('oauth_applications_services').on(table.createdAt).where(sql`${table.service} is not null`),
    index('oauth_applications_agent_end').on(table.expiresAt),
    index('oauth_applications_pairwise')
      .on(table.clientId)
      .where(sql`json_extract(${table.registration}, '$.subject_type') = 'pairwise'`),
    // For the search of administrators.
    index('oauth_applications_name').on(sql`${table.name} collate nocase`),
    index('oauth_applications_unowned').on(table.updatedAt).where(sql`${table.userId} is null`),
  ],
)

export const clientsPersonalData = {
  oauthApplications: personalRows(oauthApplications, oauthApplications.userId, ['clientSecret', 'previousSecret']),
}

export type OAuthApplication = typeof oauthApplications.$inferSelect
