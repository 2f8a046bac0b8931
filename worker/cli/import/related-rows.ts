import { getTableColumns } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { apiKeys } from '../../features/api-key/api-key.table.ts'
import { oauthApplications } from '../../features/identity-provider/model/clients/clients.table.ts'
import { oauthAccessTokens, oauthConsents } from '../../features/identity-provider/model/grants/grants.table.ts'
import { invitations } from '../../features/organization/model/invitations.table.ts'
import { members } from '../../features/organization/model/members.table.ts'
import { organizations } from '../../features/organization/model/organizations.table.ts'
import { teams } from '../../features/organization/model/teams.table.ts'
import { passkeys } from '../../features/passkey/passkey.table.ts'
import { sessions } from '../../identity/model/sessions.table.ts'
import type { RelatedRecord } from './records.ts'
import { type Row, rowOf, type Skipped } from './row.ts'

interface Kind {
  table: SQLiteTable
  /** The column with the user, without whom the row is not imported. */
  user?: string
  /** Columns that become null where the row that they name does not exist: column -> table. */
  optional?: Record<string, string>
}

const kinds: Record<RelatedRecord['kind'], Kind> = {
  organization: { table: organizations },
  team: { table: teams },
  member: { table: members, user: 'userId', optional: { team_id: 'teams' } },
  invitation: { table: invitations, user: 'inviterId', optional: { team_id: 'teams' } },
  passkey: { table: passkeys, user: 'userId' },
  session: { table: sessions, user: 'userId', optional: { active_organization_id: 'organizations' } },
  apiKey: { table: apiKeys, user: 'userId' },
  oauthClient: { table: oauthApplications, optional: { user_id: 'users' } },
  oauthConsent: { table: oauthConsents, user: 'userId' },
  oauthToken: { table: oauthAccessTokens, user: 'userId' },
}

/** Rows that belong to users: organizations, sessions, keys, clients and others. */
export class RelatedRows {
  private readonly userIds: ReadonlyMap<string, string>
  private readonly now: Date
  /** The names of clients, for their consents. */
  private readonly clients = new Map<string, string>()

  /** @param userIds the ids of the imported users: the source's -> ours */
  constructor(userIds: ReadonlyMap<string, string>, now: Date) {
    this.userIds = userIds
    this.now = now
  }

  /** @returns the row, or the reason why the import skips it */
  rowOf(record: RelatedRecord): Row | Skipped {
    const { kind } = record
    const { table, user, optional = {} } = kinds[kind]
    const columns = getTableColumns(table)
    const values: Record<string, unknown> = { ...record.values, createdAt: record.values.createdAt ?? this.now }
    const id = String(values.id)
    if (columns.updatedAt?.notNull) values.updatedAt ??= values.createdAt
    if (kind === 'oauthClient') values.userId = (record.userId && this.userIds.get(record.userId)) ?? null
    if (kind === 'oauthConsent') values.clientName = this.clients.get(String(values.clientId)) ?? values.clientId
    const absent = Object.entries(columns).find(
      ([name, { notNull, hasDefault }]) =>
        notNull && !hasDefault && name !== user && (values[name] === null || values[name] === undefined),
    )
    if (absent) return { what: id, reason: `${kind}: has no ${absent[1].name}` }
    if (kind === 'oauthClient') this.clients.set(String(values.clientId), String(values.name))
    const needs: Row['needs'] = []
    if (user && 'userId' in record) {
      const userId = this.userIds.get(String(record.userId))
      if (!userId) return { what: id, reason: `${kind}: its user was not imported` }
      values[user] = userId
      needs.push(['users', userId])
    }
    if (values.organizationId) needs.push(['organizations', String(values.organizationId)])
    const row = rowOf(table, values, needs)
    const named = Object.entries(optional).filter(([column]) => row.values[column])
    return named.length > 0 ? { ...row, optional: Object.fromEntries(named) } : row
  }
}
