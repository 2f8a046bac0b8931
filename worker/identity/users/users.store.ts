import { and, eq, type SQL, sql } from 'drizzle-orm'
import { compiled } from '../../platform/compiled.ts'
import type { Database } from '../../platform/database.ts'
import { demand, isUnmetDemand, runBatch, type Statement } from '../../platform/statements.ts'
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

const userWithPassword = new Map<keyof User, ReturnType<typeof withPassword>>()

const withPassword = (by: keyof User) =>
  compiled({ user: users, password: accounts.password }, (db) =>
    db
      .select({ user: users, password: accounts.password })
      .from(users)
      .leftJoin(accounts, and(eq(accounts.userId, users.id), eq(accounts.providerId, credentialProvider)))
      .where(eq(users[by], sql.placeholder('value'))),
  )

/** A person with their password account. @param by a unique column */
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

/** For a batch: writes a person, or ends the batch when the address or another unique value is taken (UNIQUE). */
export const insertUser = (db: Database, user: User) => db.insert(users).values(user)

/** For a batch. @param changes additionalFields are laid over those that are stored */
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

/**
 * Sessions, accounts and all else that refers to the user go with it. One batch.
 * @param terms what must hold, and what is written before it and only with it
 * @returns the results of the statements; null, and nothing is written, when there is no such user or a condition does
 *   not hold
 */
export async function deleteUser(
  db: Database,
  id: string,
  { conditions, statements }: { conditions: (SQL | undefined)[]; statements: Statement[] },
): Promise<unknown[] | null> {
  const gone = sql`not exists (select 1 from ${users} where ${eq(users.id, id)})`
  const deletion = db
    .delete(users)
    .where(and(eq(users.id, id), ...conditions))
    .returning({ id: users.id })
  try {
    // Whatever comes before is taken back when the user stays.
    const results = await runBatch(db, [...statements, deletion, demand(db, gone)])
    return (results[statements.length] as unknown[]).length > 0 ? results : null
  } catch (thrown) {
    if (isUnmetDemand(thrown)) return null
    throw thrown
  }
}

/** Adds one to the security version, which ends every pending link, code and trusted device of the user. */
export const moveSecurityVersion = (db: Database, userId: string, condition?: SQL) =>
  db
    .update(users)
    .set({ securityVersion: sql`${users.securityVersion} + 1` })
    .where(and(eq(users.id, userId), condition))
