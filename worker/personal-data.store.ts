import { Buffer } from 'node:buffer'
import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { adminAudit } from './features/admin/audit/audit.table.ts'
import { apiKeys } from './features/api-key/api-key.table.ts'
import { avatars } from './features/avatar/avatar.table.ts'
import { billingCustomers, billingEntitlements } from './features/billing/entitlements/entitlements.table.ts'
import { usageEvents } from './features/billing/usage/usage.table.ts'
import {
  oauthAccessTokens,
  oauthApplications,
  oauthConsents,
} from './features/identity-provider/identity-provider.table.ts'
import { invitations } from './features/organization/membership/invitations.table.ts'
import { members } from './features/organization/membership/members.table.ts'
import { organizations } from './features/organization/membership/organizations.table.ts'
import { passkeys } from './features/passkey/passkey.table.ts'
import { signInMethods } from './features/sign-in-methods/sign-in-methods.table.ts'
import { trustedDevices, twoFactors } from './features/two-factor/two-factor.table.ts'
import { accounts } from './identity/accounts/accounts.table.ts'
import { sessions } from './identity/sessions/sessions.table.ts'
import { addressChanges } from './identity/users/address-changes.table.ts'
import { users } from './identity/users/users.table.ts'
import type { Database } from './platform/database.ts'
import { runBatch } from './platform/statements.ts'

/** What one table holds of a person. */
interface Part {
  table: SQLiteTable
  /** Which rows are theirs. */
  of(userId: string): SQL
  /** Columns that open something, or speak of somebody else. */
  without?: readonly string[]
}

/** Keeps the names of the columns that are left out to those that the table has. */
const part = <T extends SQLiteTable>(
  table: T,
  of: (userId: string) => SQL,
  without: readonly Extract<keyof T['_']['columns'], string>[] = [],
): Part => ({ table, of, without })

/**
 * All that is kept of a person, by the name that an export gives it. A table that refers to users and is not here fails
 * a test (personal-data.test.ts).
 */
export const personalData = {
  user: part(users, (id) => eq(users.id, id)),
  addressChanges: part(addressChanges, (id) => eq(addressChanges.userId, id)),
  accounts: part(accounts, (id) => eq(accounts.userId, id), ['password', 'accessToken', 'refreshToken', 'idToken']),
  sessions: part(sessions, (id) => eq(sessions.userId, id), ['token', 'impersonatedBy']),
  signInMethods: part(signInMethods, (id) => eq(signInMethods.userId, id)),
  passkeys: part(passkeys, (id) => eq(passkeys.userId, id)),
  twoFactors: part(twoFactors, (id) => eq(twoFactors.userId, id), ['secret', 'backupCodes']),
  trustedDevices: part(trustedDevices, (id) => eq(trustedDevices.userId, id), ['tokenHash']),
  avatar: part(avatars, (id) => eq(avatars.userId, id)),
  memberships: part(members, (id) => eq(members.userId, id)),
  organizations: part(
    organizations,
    (id) =>
      sql`${organizations.id} in (select ${members.organizationId} from ${members} where ${eq(members.userId, id)})`,
    ['metadata'],
  ),
  invitationsSent: part(invitations, (id) => eq(invitations.inviterId, id)),
  // The id of an invitation is what accepts it, and only a proven address is the person's.
  invitationsReceived: part(
    invitations,
    (id) =>
      sql`${invitations.email} in (select ${users.email} from ${users} where ${and(eq(users.id, id), eq(users.emailVerified, true))})`,
    ['id', 'inviterId'],
  ),
  apiKeys: part(apiKeys, (id) => eq(apiKeys.userId, id), ['keyHash']),
  oauthApplications: part(oauthApplications, (id) => eq(oauthApplications.userId, id), ['clientSecret']),
  oauthAccessTokens: part(oauthAccessTokens, (id) => eq(oauthAccessTokens.userId, id), [
    'accessToken',
    'refreshToken',
    'grantId',
  ]),
  oauthConsents: part(oauthConsents, (id) => eq(oauthConsents.userId, id)),
  billingCustomers: part(billingCustomers, (id) => eq(billingCustomers.userId, id)),
  billingEntitlements: part(
    billingEntitlements,
    (id) =>
      sql`${billingEntitlements.customerId} in (select ${billingCustomers.id} from ${billingCustomers} where ${eq(billingCustomers.userId, id)})`,
  ),
  adminActions: part(adminAudit, (id) => eq(adminAudit.subjectId, id), ['actorId', 'ipAddress', 'userAgent']),
  billingUsageEvents: part(usageEvents, (id) => eq(usageEvents.userId, id)),
} as const satisfies Record<string, Part>

export type PersonalData = Record<keyof typeof personalData, Record<string, unknown>[]>

/**
 * Everything that is kept of one person, as JSON has it: dates in ISO 8601, bytes in base64. One round trip.
 * @returns null when there is no such user
 */
export async function collectPersonalData(db: Database, userId: string): Promise<PersonalData | null> {
  const statements = Object.values<Part>(personalData).map(({ table, of, without = [] }) => {
    const columns = Object.entries(getTableColumns(table)).filter(([name]) => !without.includes(name))
    return db.select(Object.fromEntries(columns)).from(table).where(of(userId))
  })
  const results = (await runBatch(db, statements)) as Record<string, unknown>[][]
  const names = Object.keys(personalData) as (keyof PersonalData)[]
  const data = Object.fromEntries(names.map((name, i) => [name, results[i]!.map(asJson)])) as PersonalData
  return data.user.length > 0 ? data : null
}

const asJson = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (value instanceof Date) return [name, value.toISOString()]
      if (value instanceof Uint8Array) return [name, Buffer.from(value).toString('base64')]
      return [name, value]
    }),
  )
