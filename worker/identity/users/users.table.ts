import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Language } from '../../kit/language.ts'

/**
 * A person. The columns that single features own stand here too, so that one row read tells all that a sign-in has to
 * know; the feature that owns a column is named beside it.
 */
export const users = sqliteTable(
  'users',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    /** Stored in lower case. */
    email: text().notNull().unique(),
    emailVerified: integer('email_verified', { mode: 'boolean' }).notNull().default(false),
    /** The address is one that we made up for a guest or a number: nobody reads it, and nothing is mailed to it. */
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
     * Every pending link, code and trusted device carries the version that was in force when it was issued, and dies
     * when this number has moved on: after a reset, a ban, a change of address or of the password by an administrator.
     */
    securityVersion: integer('security_version').notNull().default(0),
    /** What their browser last asked for; null where it never said. For mails that another's doing sends them. */
    language: text().$type<Language>(),

    /** username; in lower case, with the person's own spelling beside it. */
    username: text().unique(),
    displayUsername: text('display_username'),
    /** phone-number; E.164. */
    phoneNumber: text('phone_number').unique(),
    phoneNumberVerified: integer('phone_number_verified', { mode: 'boolean' }).notNull().default(false),
    /** anonymous */
    isAnonymous: integer('is_anonymous', { mode: 'boolean' }).notNull().default(false),
    /** two-factor */
    twoFactorEnabled: integer('two_factor_enabled', { mode: 'boolean' }).notNull().default(false),
    /** admin; several roles are joined by commas. */
    role: text().notNull().default('user'),
    banned: integer({ mode: 'boolean' }).notNull().default(false),
    banReason: text('ban_reason'),
    banExpires: integer('ban_expires', { mode: 'timestamp_ms' }),
  },
  // For administrators who list users: an index for every order, and for what they filter by.
  (table) => [
    index('users_creation').on(table.createdAt, table.id),
    index('users_name').on(sql`${table.name} collate nocase`, table.id),
    index('users_staff').on(table.createdAt, table.id).where(sql`${table.role} <> 'user'`),
    index('users_banned').on(table.createdAt, table.id).where(sql`${table.banned} = 1`),
  ],
)

export type User = typeof users.$inferSelect
export type NewUser = typeof users.$inferInsert
