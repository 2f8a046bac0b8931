import { and, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { agentActivity } from '../features/agents/agents.table.ts'
import { approvalRequests } from '../features/agents/approvals/approvals.table.ts'
import { apiKeys } from '../features/api-key/api-key.table.ts'
import { auditStreams } from '../features/audit/streams/streams.table.ts'
import { billingCustomers, billingEntitlements } from '../features/billing/entitlements/entitlements.table.ts'
import { billingProducts } from '../features/billing/plans/plans.table.ts'
import { directoryGroupMembers, directoryGroups } from '../features/directory/model/groups.table.ts'
import { directoryTokens } from '../features/directory/model/tokens.table.ts'
import {
  directoryAccounts,
  directoryDepartures,
  directoryUsage,
  directoryUsers,
} from '../features/directory/model/users.table.ts'
import { connections } from '../features/enterprise/model/connections.table.ts'
import { organizationDomains } from '../features/enterprise/model/domains.table.ts'
import { breakGlassMembers, signInPolicies } from '../features/enterprise/model/policies.table.ts'
import { setupLinks } from '../features/enterprise/model/setup-links.table.ts'
import { oauthApplications } from '../features/identity-provider/model/clients/clients.table.ts'
import {
  oauthAccessTokens,
  oauthConsents,
  oauthServiceTokens,
} from '../features/identity-provider/model/grants/grants.table.ts'
import { providerGrants } from '../features/identity-provider/model/grants/provider-grants.table.ts'
import { oauthResources } from '../features/identity-provider/model/protocol/resources.table.ts'
import {
  activeDays,
  activeUsers,
  countProgress,
  dailyCounts,
  hourlyCounts,
} from '../features/insights/insights.table.ts'
import { signingKeys } from '../features/jwt/jwt.table.ts'
import { invitations } from '../features/organization/model/invitations.table.ts'
import { organizationLogos } from '../features/organization/model/logos.table.ts'
import { members } from '../features/organization/model/members.table.ts'
import { organizations } from '../features/organization/model/organizations.table.ts'
import { teamMembers } from '../features/organization/model/team-members.table.ts'
import { teams } from '../features/organization/model/teams.table.ts'
import { passkeys } from '../features/passkey/passkey.table.ts'
import { avatars } from '../features/profile/avatar/avatar.table.ts'
import { attacks, defences } from '../features/risk/threats/threats.table.ts'
import { serverKeys, serverRequests } from '../features/server-keys/server-keys.table.ts'
import { signInMethods } from '../features/session/sign-in-methods/sign-in-methods.table.ts'
import { signalEvents, signalReceivers } from '../features/shared-signals/shared-signals.table.ts'
import { trustedDevices, twoFactors } from '../features/two-factor/two-factor.table.ts'
import { addressChanges } from '../identity/accounts/address-changes.table.ts'
import { addressReverts } from '../identity/accounts/address-reverts.table.ts'
import { auditBudgets } from '../identity/audit/audit-budgets.table.ts'
import { auditChains, auditCheckpoints, auditErasures, auditRecords } from '../identity/audit/audit-records.table.ts'
import { auditSegmentParts, auditSegments } from '../identity/audit-archive/segments.table.ts'
import { jobs } from '../identity/jobs/jobs.table.ts'
import { accounts } from '../identity/model/accounts.table.ts'
import { securityEvents } from '../identity/model/security-events.table.ts'
import { sessions } from '../identity/model/sessions.table.ts'
import { users } from '../identity/model/users.table.ts'
import { resealing } from '../identity/sealing/resealing.table.ts'
import { deployment } from '../platform/deployment.table.ts'
import { rateLimits } from '../platform/rate-limits.table.ts'
import { storedSecrets } from '../platform/stored-secrets.table.ts'
import { env } from './harness.ts'
import { tablesOf } from './schema.ts'

/** Reads and writes rows past all endpoints. `states.ts` names what tests begin with. */

export const tables = {
  accounts,
  address_changes: addressChanges,
  address_reverts: addressReverts,
  active_days: activeDays,
  active_users: activeUsers,
  api_keys: apiKeys,
  audit_budgets: auditBudgets,
  audit_chains: auditChains,
  audit_checkpoints: auditCheckpoints,
  audit_erasures: auditErasures,
  audit_segment_parts: auditSegmentParts,
  audit_segments: auditSegments,
  audit_streams: auditStreams,
  audit_records: auditRecords,
  avatars,
  billing_customers: billingCustomers,
  billing_entitlements: billingEntitlements,
  billing_products: billingProducts,
  break_glass_members: breakGlassMembers,
  connections,
  count_progress: countProgress,
  attacks,
  daily_counts: dailyCounts,
  defences,
  hourly_counts: hourlyCounts,
  invitations,
  jobs,
  jwks: signingKeys,
  members,
  oauth_access_tokens: oauthAccessTokens,
  oauth_applications: oauthApplications,
  approval_requests: approvalRequests,
  oauth_consents: oauthConsents,
  agent_activity: agentActivity,
  oauth_provider_grants: providerGrants,
  oauth_resources: oauthResources,
  oauth_service_tokens: oauthServiceTokens,
  organization_domains: organizationDomains,
  organization_logos: organizationLogos,
  organizations,
  passkeys,
  rate_limits: rateLimits,
  resealing,
  security_events: securityEvents,
  server_keys: serverKeys,
  server_requests: serverRequests,
  setup_links: setupLinks,
  signal_events: signalEvents,
  signal_receivers: signalReceivers,
  sign_in_policies: signInPolicies,
  sign_in_methods: signInMethods,
  sessions,
  stored_secrets: storedSecrets,
  deployment,
  directory_accounts: directoryAccounts,
  directory_departures: directoryDepartures,
  directory_usage: directoryUsage,
  directory_group_members: directoryGroupMembers,
  directory_groups: directoryGroups,
  directory_tokens: directoryTokens,
  directory_users: directoryUsers,
  team_members: teamMembers,
  teams,
  trusted_devices: trustedDevices,
  two_factors: twoFactors,
  users,
}

type Tables = typeof tables
export type TableName = keyof Tables
export type Row<T extends TableName> = Tables[T]['$inferSelect']
export type NewRow<T extends TableName> = Tables[T]['$inferInsert']
type ColumnName<T extends TableName> = Tables[T][keyof Row<T> & keyof Tables[T]] extends { _: { name: infer N } }
  ? N & string
  : never
/** Values that columns have. */
export type Where<T extends TableName> = Partial<Row<T>>
/** New values of columns, or expressions. */
export type Changes<T extends TableName> = { [K in keyof Row<T>]?: Row<T>[K] | SQL }

const db = () => drizzle(env.DB)

function conditionOf(name: TableName, where: Record<string, unknown>): SQL | undefined {
  const columns: Record<string, any> = getTableColumns(tables[name] as SQLiteTable)
  return and(
    ...Object.entries(where).map(([key, value]) => (value === null ? isNull(columns[key]) : eq(columns[key], value))),
  )
}

/** Rows in the order of their insertion. */
export const rowsOf = async <T extends TableName>(name: T, where: Where<T> = {}): Promise<Row<T>[]> =>
  (await db()
    .select()
    .from(tables[name] as SQLiteTable)
    .where(conditionOf(name, where))
    .orderBy(sql`rowid`)) as Row<T>[]

/** The first of the rows; null if none exists. */
export const rowOf = async <T extends TableName>(name: T, where?: Where<T>): Promise<Row<T> | null> =>
  (await rowsOf(name, where))[0] ?? null

export const count = <T extends TableName>(name: T, where: Where<T> = {}): Promise<number> =>
  db().$count(tables[name], conditionOf(name, where))

/** Rows in the form that the database stores: names of columns, numbers for dates and booleans. */
export const storedRows = async <T extends TableName>(
  name: T,
  ...columns: ColumnName<T>[]
): Promise<Record<string, any>[]> =>
  (await env.DB.prepare(`select ${columns.join(', ') || '*'} from ${name} order by rowid`).all()).results

export const storedRow = async <T extends TableName>(
  name: T,
  ...columns: ColumnName<T>[]
): Promise<Record<string, any> | null> => (await storedRows(name, ...columns))[0] ?? null

export async function insertRows<T extends TableName>(name: T, ...rows: NewRow<T>[]): Promise<void> {
  const [first, ...more] = rows.map((row) =>
    db()
      .insert(tables[name] as SQLiteTable)
      .values(row),
  )
  if (first) await db().batch([first, ...more])
}

export const updateRows = <T extends TableName>(name: T, changes: Changes<T>, where: Where<T> = {}) =>
  db()
    .update(tables[name] as SQLiteTable)
    .set(changes)
    .where(conditionOf(name, where))
    .run()

export const deleteRows = <T extends TableName>(name: T, where: Where<T> = {}) =>
  db()
    .delete(tables[name] as SQLiteTable)
    .where(conditionOf(name, where))
    .run()

/** Deletes all rows of tables. */
export const empty = async (...names: TableName[]): Promise<void> => {
  for (const name of names) await deleteRows(name)
}

/** The number of rows of every table. */
export async function rowCounts(): Promise<Record<string, number>> {
  const names = await tablesOf(env.DB)
  const answers = await env.DB.batch<{ n: number }>(
    names.map((name) => env.DB.prepare(`select count(*) as n from "${name}"`)),
  )
  return Object.fromEntries(names.map((name, at) => [name, answers[at]!.results[0]!.n]))
}
