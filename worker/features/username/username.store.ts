import { eq } from 'drizzle-orm'
import { users } from '../../identity/model/users.table.ts'
import type { Database } from '../../platform/database.ts'

/** @returns the id of the user with the username, or null */
export async function findHolder(db: Database, username: string): Promise<string | null> {
  const [row] = await db.select({ id: users.id }).from(users).where(eq(users.username, username))
  return row?.id ?? null
}
