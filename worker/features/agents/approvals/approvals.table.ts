import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { SessionMethod } from '../../../identity/model/method.ts'
import { users } from '../../../identity/model/users.table.ts'
import { personalRows } from '../../../platform/personal-rows.ts'
import type { AuthorizationDetail } from '../../identity-provider/model/protocol/authorization-details.ts'

/** `used`: the client has received the tokens of an approval. */
export type ApprovalState = 'pending' | 'approved' | 'denied' | 'used'

/** A client's request to a user who is elsewhere (OpenID Connect CIBA), and the user's answer. */
export const approvalRequests = sqliteTable(
  'approval_requests',
  {
    /** Part of the `auth_req_id`, which needs a key of this server, too (auth-req-id.ts). */
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    clientId: text('client_id').notNull(),
    /** The client's name at the time of the request. */
    clientName: text('client_name').notNull(),
    /** Joined by spaces. */
    scopes: text().notNull(),
    /** The requested resources, joined by spaces (RFC 8707). */
    resource: text(),
    authorizationDetails: text('authorization_details', { mode: 'json' }).$type<AuthorizationDetail[]>(),
    /** The words that the client shows to the user, too. */
    bindingMessage: text('binding_message'),
    /** Classes of the authentication, joined by spaces; the approval has to reach one. */
    acrValues: text('acr_values'),
    /** Sealed: the secret of the client's notification; null for a client that polls. */
    notificationToken: text('notification_token'),
    /** The sender of the request. */
    ipAddress: text('ip_address'),
    city: text(),
    country: text(),
    state: text().$type<ApprovalState>().notNull(),
    /** The session of the approval, the security version of its user, and its authentication. */
    sessionId: text('session_id'),
    securityVersion: integer('security_version'),
    authTime: integer('auth_time', { mode: 'timestamp_ms' }),
    amr: text({ mode: 'json' }).$type<string[]>(),
    method: text().$type<SessionMethod>(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
    answeredAt: integer('answered_at', { mode: 'timestamp_ms' }),
  },
  (table) => [
    index('approval_requests_user').on(table.userId, table.createdAt),
    index('approval_requests_pending').on(table.userId, table.expiresAt).where(sql`${table.state} = 'pending'`),
    index('approval_requests_time').on(table.createdAt),
  ],
)

export const approvalsPersonalData = {
  approvalRequests: personalRows(approvalRequests, approvalRequests.userId, ['notificationToken']),
}

export type ApprovalRequest = typeof approvalRequests.$inferSelect
