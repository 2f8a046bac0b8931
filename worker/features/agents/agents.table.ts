import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from '../../identity/model/users.table.ts'
import { personalRows } from '../../platform/personal-rows.ts'
import { oauthApplications } from '../identity-provider/model/clients/clients.table.ts'

/** What an agent did, and what happened to it. */
export const agentEvents = ['created', 'paused', 'resumed', 'revoked', 'token', 'provider', 'use'] as const
export type AgentEvent = (typeof agentEvents)[number]

/** The lines about an agent that are stored, newest first. */
export const maxLines = 200

/** The newest lines about an agent. The agent itself is a client (model/clients/clients.table.ts). */
export const agentActivity = sqliteTable(
  'agent_activity',
  {
    id: text().primaryKey(),
    clientId: text('client_id')
      .notNull()
      .references(() => oauthApplications.clientId, { onDelete: 'cascade' }),
    event: text().$type<AgentEvent>().notNull(),
    /** For whom the agent acted, or who changed its state; null: a server. */
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** A resource, or the id of a provider. */
    resource: text(),
    /** Joined by spaces. */
    scopes: text(),
    /** The agents between the user and this one, joined by spaces. */
    through: text(),
    /** Cost units of a use. */
    units: integer(),
    /** The words of the server that reports a use. */
    action: text(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    index('agent_activity_client').on(table.clientId, table.createdAt),
    index('agent_activity_user').on(table.userId),
    index('agent_activity_time').on(table.createdAt),
  ],
)

export const agentsPersonalData = { agentActivity: personalRows(agentActivity, agentActivity.userId) }

export type AgentActivity = typeof agentActivity.$inferSelect
