import { desc, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SessionMethod } from '../../../identity/model/method.ts'
import { firstPage, type Page } from '../../../kit/page.ts'
import type { Database } from '../../../platform/database.ts'
import { signInMethods } from './sign-in-methods.table.ts'

export const listMethods = (db: Database, userId: string | SQL, { limit, offset }: Page = firstPage) =>
  db
    .select({ method: signInMethods.method, lastUsedAt: signInMethods.lastUsedAt })
    .from(signInMethods)
    .where(eq(signInMethods.userId, userId))
    .orderBy(desc(signInMethods.lastUsedAt))
    .limit(limit)
    .offset(offset)

export const noteMethodUse = (db: Database, userId: string, method: SessionMethod, lastUsedAt: Date) =>
  db
    .insert(signInMethods)
    .values({ userId, method, lastUsedAt })
    .onConflictDoUpdate({ target: [signInMethods.userId, signInMethods.method], set: { lastUsedAt } })

/** Reads the few rows of a user by the primary key. */
export const lastUse = (userId: SQLWrapper): SQL =>
  sql`(select max(${signInMethods.lastUsedAt}) from ${signInMethods} where ${signInMethods.userId} = ${userId})`
