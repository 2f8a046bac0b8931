import { eq, lt } from 'drizzle-orm'
import type { Database } from '../../../../platform/database.ts'
import { type OAuthServiceToken, oauthServiceTokens as tokens } from './grants.table.ts'

export const insertServiceToken = (db: Database, row: OAuthServiceToken) => db.insert(tokens).values(row)

export const deleteServiceToken = (db: Database, id: string) => db.delete(tokens).where(eq(tokens.id, id))

/** For the cron trigger. */
export const deleteExpiredServiceTokens = (db: Database, now: Date) =>
  db.delete(tokens).where(lt(tokens.expiresAt, now))
