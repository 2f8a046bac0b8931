import { and, eq, type SQL, sql } from 'drizzle-orm'
import { comparedAddress } from '../../kit/email-address.ts'
import { cachedQuery, type Database } from '../../platform/database.ts'
import { accounts, credentialProvider } from '../model/accounts.table.ts'
import { type NewUser, type User, users } from '../model/users.table.ts'

/** Queries about users. Each function is one round trip. */

export async function findUserById(db: Database, id: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.id, id))
  return user ?? null
}

export async function findUserByEmail(db: Database, email: string): Promise<User | null> {
  const [user] = await db
    .select()
    .from(users)
    .where(eq(users.email, comparedAddress(email)))
  return user ?? null
}

const userWithPassword = new Map<keyof User, ReturnType<typeof withPassword>>()

const withPassword = (by: keyof User) =>
  cachedQuery({ user: users, password: accounts.password }, (db, columns) =>
    db
      .select(columns)
      .from(users)
      .leftJoin(accounts, and(eq(accounts.userId, users.id), eq(accounts.providerId, credentialProvider)))
      .where(eq(users[by], sql.placeholder('value'))),
  )

/** A user with their password account. @param by a unique column */
export async function findUserWithPassword(
  db: Database,
  by: keyof User,
  value: string,
): Promise<{ user: User; password: string | null } | null> {
  const query = userWithPassword.get(by) ?? withPassword(by)
  userWithPassword.set(by, query)
  const [row] = await query(db, { value })
  return row ?? null
}

export const insertUser = (db: Database, user: User) => db.insert(users).values(user)

/** @param changes additionalFields are merged into the stored ones */
export function updateUserStatement(
  db: Database,
  id: string,
  { additionalFields: fields, ...columns }: Partial<NewUser>,
) {
  const patched = fields && { additionalFields: sql`json_patch(${users.additionalFields}, ${JSON.stringify(fields)})` }
  return db
    .update(users)
    .set({ ...columns, ...patched })
    .where(eq(users.id, id))
}

/** Sessions, accounts and everything else that refers to the user are deleted by foreign keys. */
export const deleteUser = (db: Database, id: string) => db.delete(users).where(eq(users.id, id))

export const userExists = (id: string): SQL => sql`exists (select 1 from ${users} where ${eq(users.id, id)})`

/** Increments the security version, which invalidates every pending link, code and trusted device of the user. */
export const moveSecurityVersion = (db: Database, userId: string, condition?: SQL) =>
  db
    .update(users)
    .set({ securityVersion: sql`${users.securityVersion} + 1` })
    .where(and(eq(users.id, userId), condition))

/** A condition on the users' table. */
export const withEmail = (email: string): SQL => eq(users.email, email)

/** The id of a user. @param user an id, or an email address, which the statement looks up */
export const idOfUser = (user: string): SQL | string =>
  user.includes('@') ? sql`(select ${users.id} from ${users} where ${users.email} = ${comparedAddress(user)})` : user
