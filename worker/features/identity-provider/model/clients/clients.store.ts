import { eq, sql } from 'drizzle-orm'
import { cachedQuery, type Database } from '../../../../platform/database.ts'
import { oauthApplications } from './clients.table.ts'

export const selectClient = (db: Database, clientId: string) =>
  db.select().from(oauthApplications).where(eq(oauthApplications.clientId, clientId))

const clientQuery = cachedQuery({ application: oauthApplications }, (db, columns) =>
  db
    .select(columns)
    .from(oauthApplications)
    .where(eq(oauthApplications.clientId, sql.placeholder('clientId'))),
)

/** The same, written once an isolate, for endpoints that servers call with each of their requests. */
export const clientById = (db: Database, clientId: string) => clientQuery(db, { clientId })

/** Whether any client has pairwise subjects (OpenID Connect Core, section 8). */
export async function hasPairwiseClients(db: Database): Promise<boolean> {
  const found = await db
    .select({ id: oauthApplications.id })
    .from(oauthApplications)
    .where(sql`json_extract(${oauthApplications.registration}, '$.subject_type') = 'pairwise'`)
    .limit(1)
  return found.length > 0
}
