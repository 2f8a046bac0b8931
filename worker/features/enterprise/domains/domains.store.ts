import { and, asc, eq, isNotNull, isNull, lte } from 'drizzle-orm'
import type { Database } from '../../../platform/database.ts'
import { deleteSome } from '../../../platform/statements.ts'
import { type OrganizationDomain, organizationDomains } from '../model/domains.table.ts'

/** Verified domains that were not checked since, the longest ago first. */
export const domainsToCheck = (db: Database, before: Date, limit: number) =>
  db
    .select()
    .from(organizationDomains)
    .where(and(isNotNull(organizationDomains.verifiedAt), lte(organizationDomains.checkedAt, before)))
    .orderBy(asc(organizationDomains.checkedAt))
    .limit(limit)

/** Stores the outcome of a check, unless a member has verified the domain again since the read. */
export const recordCheck = (
  db: Database,
  { id, checkedAt }: OrganizationDomain,
  changes: Partial<OrganizationDomain>,
) =>
  db
    .update(organizationDomains)
    .set(changes)
    .where(and(eq(organizationDomains.id, id), eq(organizationDomains.checkedAt, checkedAt)))

const maxDeleted = 1000

export const deleteOldClaims = (db: Database, before: Date) =>
  deleteSome(
    db,
    organizationDomains,
    organizationDomains.id,
    and(isNull(organizationDomains.verifiedAt), lte(organizationDomains.createdAt, before))!,
    maxDeleted,
  )
