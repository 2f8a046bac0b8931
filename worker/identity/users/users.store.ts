import { and, eq, type SQL, sql } from 'drizzle-orm'
import { compiled } from '../../platform/compiled.ts'
import type { Database } from '../../platform/database.ts'
import { accounts, credentialProvider } from '../accounts/accounts.table.ts'
import { type NewUser, type User, users } from './users.table.ts'

/** Queries about users. Every function is one round trip. */

export async function findUserById(db: Database, id: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.id, id))
  return user ?? null
}

export async function findUserByEmail(db: Database, email: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.email, email.toLowerCase()))
  return user ?? null
}

/** A column that identifies one person. */
export type Identifier = 'id' | 'email' | 'username' | 'phoneNumber'

const withPassword = (by: Identifier) =>
  compiled({ user: users, password: accounts.password }, (db) =>
    db
      .select({ user: users, password: accounts.password })
      .from(users)
      .leftJoin(accounts, and(eq(accounts.userId, users.id), eq(accounts.providerId, credentialProvider)))
      .where(eq(users[by], sql.placeholder('value'))),
  )

const userWithPassword = {
  id: withPassword('id'),
  email: withPassword('email'),
  username: withPassword('username'),
  phoneNumber: withPassword('phoneNumber'),
}

/** A person with their password account, found by one of their identifiers. */
export async function findUserWithPassword(
  db: Database,
  by: Identifier,
  value: string,
): Promise<{ user: User; password: string | null } | null> {
  const [row] = await userWithPassword[by](db, { value })
  return row ?? null
}

/**
 * Writes a person and their first account, or nothing when the address is taken.
 * @returns the user, or null when the address is taken. A taken username or phone number throws (UNIQUE).
 */
export async function insertUser(
  db: Database,
  user: NewUser,
  account: Omit<typeof accounts.$inferInsert, 'userId'> | null,
): Promise<User | null> {
  const insert = db.insert(users).values(user).onConflictDoNothing({ target: users.email }).returning()
  if (!account) return (await insert)[0] ?? null
  const text = (value: string | null | undefined) => sql`${value ?? null}`
  const time = (value: Date | null | undefined) => sql`${value?.getTime() ?? null}`
  const [rows] = await db.batch([
    insert,
    db.insert(accounts).select(
      db
        .select({
          id: text(account.id).as('id'),
          providerId: text(account.providerId).as('provider_id'),
          accountId: text(account.accountId).as('account_id'),
          userId: users.id,
          accessToken: text(account.accessToken).as('access_token'),
          refreshToken: text(account.refreshToken).as('refresh_token'),
          idToken: text(account.idToken).as('id_token'),
          accessTokenExpiresAt: time(account.accessTokenExpiresAt).as('access_token_expires_at'),
          refreshTokenExpiresAt: time(account.refreshTokenExpiresAt).as('refresh_token_expires_at'),
          scope: text(account.scope).as('scope'),
          password: text(account.password).as('password'),
          createdAt: time(account.createdAt).as('created_at'),
          updatedAt: time(account.updatedAt).as('updated_at'),
        })
        .from(users)
        .where(eq(users.id, user.id)),
    ),
  ])
  return rows[0] ?? null
}

/**
 * @param changes additionalFields are laid over those that are stored
 * @returns the user as it is now, or null when it is gone
 */
export async function updateUser(db: Database, id: string, changes: Partial<NewUser>): Promise<User | null> {
  const { additionalFields: fields, ...columns } = changes
  const patched = fields && { additionalFields: sql`json_patch(${users.additionalFields}, ${JSON.stringify(fields)})` }
  const [user] = await db
    .update(users)
    .set({ ...columns, ...patched })
    .where(eq(users.id, id))
    .returning()
  return user ?? null
}

/** Sessions, accounts and all else that refers to the user go with it. */
export async function deleteUser(db: Database, id: string, conditions: (SQL | undefined)[] = []): Promise<boolean> {
  const rows = await db
    .delete(users)
    .where(and(eq(users.id, id), ...conditions))
    .returning({ id: users.id })
  return rows.length > 0
}

/** Adds one to the security version, which ends every pending link, code and trusted device of the user. */
export const moveSecurityVersion = (db: Database, userId: string, condition?: SQL) =>
  db
    .update(users)
    .set({ securityVersion: sql`${users.securityVersion} + 1` })
    .where(and(eq(users.id, userId), condition))
