import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '../../platform/database.ts'
import { organizationLogos } from './model/logos.table.ts'

/** Queries about uploaded logos. Each function is one round trip. */

type Logo = typeof organizationLogos.$inferInsert

/** Stores a logo in place of an earlier one of the organization. */
export const upsertLogo = (db: Database, logo: Logo) => {
  const { name, bytes, createdAt } = logo
  return db
    .insert(organizationLogos)
    .values(logo)
    .onConflictDoUpdate({ target: organizationLogos.organizationId, set: { name, bytes, createdAt } })
}

export async function findLogo(db: Database, name: string) {
  const [row] = await db
    .select({ bytes: organizationLogos.bytes })
    .from(organizationLogos)
    .where(eq(organizationLogos.name, name))
  return row?.bytes ?? null
}

/** Deletes the uploaded logo of an organization that shows another address. */
export const deleteOtherLogo = (db: Database, organizationId: string, address: string | null) =>
  db
    .delete(organizationLogos)
    .where(
      and(
        eq(organizationLogos.organizationId, organizationId),
        sql`instr(${address ?? ''}, ${organizationLogos.name}) = 0`,
      ),
    )
