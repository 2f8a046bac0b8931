import { desc, eq, type SQL } from 'drizzle-orm'
import type { Database } from '../../platform/database.ts'
import { signInMethods } from './sign-in-methods.table.ts'

export const listMethods = (db: Database, userId: SQL) =>
  db
    .select({ method: signInMethods.method, lastUsedAt: signInMethods.lastUsedAt })
    .from(signInMethods)
    .where(eq(signInMethods.userId, userId))
    .orderBy(desc(signInMethods.lastUsedAt))

export const noteUse = (db: Database, userId: string, method: string, lastUsedAt: Date) =>
  db
    .insert(signInMethods)
    .values({ userId, method, lastUsedAt })
    .onConflictDoUpdate({ target: [signInMethods.userId, signInMethods.method], set: { lastUsedAt } })
