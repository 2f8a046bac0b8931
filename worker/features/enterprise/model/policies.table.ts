import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { personalRows } from '../../../platform/personal-rows.ts'
import { members } from '../../organization/model/members.table.ts'
import { organizations } from '../../organization/model/organizations.table.ts'

/** The kinds of sign-ins that an organization can allow. Its own connections are always allowed. */
export const policyMethods = ['password', 'email', 'phone', 'passkey', 'provider'] as const
export type PolicyMethod = (typeof policyMethods)[number]

/** The rules of an organization for sign-ins with addresses of its verified domains. */
export const signInPolicies = sqliteTable(
  'sign_in_policies',
  {
    organizationId: text('organization_id')
      .primaryKey()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** Null: all. An empty list: single sign-on only. */
    allowedMethods: text('allowed_methods', { mode: 'json' }).$type<PolicyMethod[]>(),
    /** Since when a second factor is required; null: it is not. */
    secondFactorSince: integer('second_factor_since', { mode: 'timestamp_ms' }),
    /** A user with a verified address of a verified domain becomes a member at the next sign-in. */
    joinsAutomatically: integer('joins_automatically', { mode: 'boolean' }).notNull().default(false),
    /** A right password in an unknown browser always needs a code or a second factor. */
    challengesUnknownDevices: integer('challenges_unknown_devices', { mode: 'boolean' }).notNull().default(false),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [index('sign_in_policies_second_factor').on(table.secondFactorSince)],
)

export type SignInPolicy = typeof signInPolicies.$inferSelect

/** Owners who may use every way in, for an outage of the identity provider. */
export const breakGlassMembers = sqliteTable('break_glass_members', {
  memberId: text('member_id')
    .primaryKey()
    .references(() => members.id, { onDelete: 'cascade' }),
  createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
})

export const breakGlassPersonalData = {
  breakGlassMemberships: personalRows(
    breakGlassMembers,
    (id) =>
      sql`${breakGlassMembers.memberId} in (select ${members.id} from ${members} where ${members.userId} = ${id})`,
  ),
}
