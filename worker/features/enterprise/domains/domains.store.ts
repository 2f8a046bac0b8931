import { and, asc, isNotNull, isNull, lte } from 'drizzle-orm'
import type { Database } from '../../../platform/database.ts'
import { deleteSome } from '../../../platform/statements.ts'
import { organizationDomains } from '../model/domains.table.ts'

/** Verified domains that were not checked since, the longest ago first. */
export const domainsToCheck = (db: Database, before: Date, limit: number) =>
  db
    .select()
    .from(organizationDomains)
    .where(and(isNotNull(organizationDomains.verifiedAt), lte(organizationDomains.checkedAt, before)))
    .orderBy(asc(organizationDomains.checkedAt))
    .limit(limit)

const maxDeleted = 1000

export const deleteOldClaims = (db: Database, before: Date) =>
  deleteSome(
    db,
    organizationDomains,
    organizationDomains.id,
    and(isNull(organizationDomains.verifiedAt), lte(organizationDomains.createdAt, before))!,
    maxDeleted,
  )
