import { and, eq, gt, lt, lte, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database.ts'
import { type Condition, deleteSome, rowExists } from '../../../platform/statements.ts'
import { type SetupLink, setupLinks } from '../model/setup-links.table.ts'

/** Writes the link of an organization in place of an earlier one. */
export const writeSetupLink = (db: Database, link: SetupLink) => {
  const { organizationId: _organizationId, ...set } = link
  return db.insert(setupLinks).values(link).onConflictDoUpdate({ target: setupLinks.organizationId, set }).returning()
}

export const deleteSetupLink = (db: Database, organizationId: string) =>
  db.delete(setupLinks).where(eq(setupLinks.organizationId, organizationId))

/** Counts a request of a valid link. @param max requests of one link @returns the link before its use is counted */
export const useSetupLink = (db: Database, tokenHash: string, now: Date, max: number) =>
  db
    .update(setupLinks)
    .set({ requests: sql`${setupLinks.requests} + 1`, lastUsedAt: now })
    .where(and(eq(setupLinks.tokenHash, tokenHash), gt(setupLinks.expiresAt, now), lt(setupLinks.requests, max)))
    .returning()

export const findSetupLink = (db: Database, tokenHash: string, now: Date) =>
  db
    .select()
    .from(setupLinks)
    .where(and(eq(setupLinks.tokenHash, tokenHash), gt(setupLinks.expiresAt, now)))

/** Holds while the link is valid. */
export const linkIsValid = (tokenHash: string, now: Date): Condition =>
  rowExists(setupLinks, and(eq(setupLinks.tokenHash, tokenHash), gt(setupLinks.expiresAt, now)))

const maxDeleted = 1000

/** For the cron trigger. */
export const deleteExpiredLinks = (db: Database, now: Date) =>
  deleteSome(db, setupLinks, setupLinks.organizationId, lte(setupLinks.expiresAt, now), maxDeleted)
