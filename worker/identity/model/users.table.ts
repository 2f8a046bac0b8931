import { isNotNull, type SQL, sql } from 'drizzle-orm'
import { index, integer, type SQLiteColumn, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Language } from '../../kit/language.ts'
import { personalRows } from '../../platform/personal-rows.ts'

/** Others whose word makes an address verified: a connection or a directory of an organization, and an import. */
export type AddressVoucher = 'connection' | 'directory' | 'import'

/** The domain of an address. */
export const domainOf = (email: SQLiteColumn): SQL => sql`substr(${email}, instr(${email}, '@') + 1)`

/**
 * A user. The table also contains the columns of single features, so that a sign-in reads one row; a comment at a
 * column names its feature.
 */
export const users = sqliteTable(
  'users',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    /** Stored in lower case. */
    email: text().notNull().unique(),
    emailVerified: integer('email_verified', { mode: 'boolean' }).notNull().default(false),
    /** Whose word made the address verified, without a proof of this deployment; null for such a proof, and unverified. */
    addressVouchedBy: text('address_vouched_by').$type<AddressVoucher>(),
    /** The address is generated for a guest or a phone number. It has no reader, and the server sends no mail to it. */
    emailIsPlaceholder: integer('email_is_placeholder', { mode: 'boolean' }).notNull().default(false),
    image: text(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
    /** The fields that the configuration adds (user.additionalFields). */
    additionalFields: text('additional_fields', { mode: 'json' })
      .$type<Record<string, unknown>>()
      .notNull()
      .default(sql`'{}'`),
    /**
     * Every pending link, code and trusted device stores the version at its creation and becomes invalid when this
     * number has increased: after a reset, a ban, a change of address, or a change of the password by an administrator.
     */
    securityVersion: integer('security_version').notNull().default(0),
    /** The last language of the user's browser; null if unknown. For mails that other users cause. */
    language: text().$type<Language>(),

    /** risk: the networks of the last sign-ins, as JSON (features/risk/networks.ts); null before the first one. */
    recentNetworks: text('recent_networks'),
    /** username; in lower case, with the user's own spelling in the next column. */
    username: text(),
    displayUsername: text('display_username'),
    /** phone-number; E.164. */
    phoneNumber: text('phone_number'),
    phoneNumberVerified: integer('phone_number_verified', { mode: 'boolean' }).notNull().default(false),
    /** When a session alone added or changed the number; null if the number came with a proof of the account. */
    phoneNumberChangedAt: integer('phone_number_changed_at', { mode: 'timestamp_ms' }),
    /** anonymous */
    isAnonymous: integer('is_anonymous', { mode: 'boolean' }).notNull().default(false),
    /** anonymous; when the cron trigger last found a reason to keep the guest. */
    guestSeenAt: integer('guest_seen_at', { mode: 'timestamp_ms' }),
    /** two-factor */
    twoFactorEnabled: integer('two_factor_enabled', { mode: 'boolean' }).notNull().default(false),
    /** admin; several roles are joined by commas. */
    role: text().notNull().default('user'),
    banned: integer({ mode: 'boolean' }).notNull().default(false),
    banReason: text('ban_reason'),
    banExpires: integer('ban_expires', { mode: 'timestamp_ms' }),
  },
  (table) => [
    // A user without them has no entry.
    uniqueIndex('users_username').on(table.username).where(isNotNull(table.username)),
    uniqueIndex('users_phone_number').on(table.phoneNumber).where(isNotNull(table.phoneNumber)),
    // For lists of users: an index for every order and for the filters.
    index('users_creation').on(table.createdAt, table.id),
    index('users_name').on(sql`${table.name} collate nocase`, table.id),
    index('users_guests')
      .on(sql`case when ${table.guestSeenAt} is null then ${table.createdAt} else ${table.guestSeenAt} end`)
      .where(sql`${table.isAnonymous} = 1`),
    index('users_staff').on(table.createdAt, table.id).where(sql`${table.role} <> 'user'`),
    // enterprise: the users of a verified domain.
    index('users_domain').on(domainOf(table.email)),
    index('users_banned').on(table.createdAt, table.id).where(sql`${table.banned} = 1`),
  ],
)

export const userPersonalData = { user: personalRows(users, users.id) }

export type User = typeof users.$inferSelect
export type NewUser = typeof users.$inferInsert
