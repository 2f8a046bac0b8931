import { and, desc, eq, isNotNull, isNull, lt, ne, type SQL, sql } from 'drizzle-orm'
import type { EventRows } from '../../../identity/model/events.ts'
import type { Database } from '../../../platform/database.ts'
import {
  type Condition,
  excluded,
  fewerThan,
  givenValues,
  rowExists,
  type Statement,
} from '../../../platform/statements.ts'
import { organizationDomains } from '../../enterprise/model/domains.table.ts'
import { oauthServiceTokens, oauthAccessTokens as tokens } from '../model/grants/grants.table.ts'
import { maxResources, oauthResources as resources, type StoredResource } from '../model/protocol/resources.table.ts'

/** @param limit of one organization */
export const hasFewerResources = (organizationId: string | null, limit: number): Condition =>
  organizationId === null
    ? fewerThan(resources, isNull(resources.organizationId), maxResources.deployment)
    : and(
        fewerThan(resources, and(eq(resources.organizationId, organizationId), isNull(resources.deletedAt))!, limit),
        fewerThan(resources, isNotNull(resources.organizationId), maxResources.organizations),
      )!

/** Holds while no other registered resource has one of the scopes: a consent is stored by scope. */
export const scopesAreFree = (scopes: readonly string[], id: string): Condition =>
  sql`not exists (select 1 from ${resources}, json_each(${resources.scopes}) as taken
    where ${ne(resources.id, id)} and ${isNull(resources.deletedAt)} and taken.key in ${givenValues(scopes)})`

/** Holds while an organization has verified one of the domains. */
export const ownsOneDomain = (organizationId: string, domains: readonly string[]): Condition =>
  rowExists(
    organizationDomains,
    and(
      eq(organizationDomains.organizationId, organizationId),
      isNotNull(organizationDomains.verifiedAt),
      sql`${organizationDomains.domain} in ${givenValues(domains)}`,
    ),
  )

/** Changes no row if a live resource has the identifier; a deleted one becomes the new one. */
export const insertResource = (db: Database, row: StoredResource) =>
  db
    .insert(resources)
    .values(row)
    .onConflictDoUpdate({
      target: resources.identifier,
      set: {
        id: excluded(resources.id),
        name: excluded(resources.name),
        organizationId: excluded(resources.organizationId),
        scopes: excluded(resources.scopes),
        tokenFormat: excluded(resources.tokenFormat),
        claims: excluded(resources.claims),
        accessTokenExpiresIn: excluded(resources.accessTokenExpiresIn),
        introspectedBy: excluded(resources.introspectedBy),
        createdAt: excluded(resources.createdAt),
        updatedAt: excluded(resources.updatedAt),
        deletedAt: null,
      },
      setWhere: isNotNull(resources.deletedAt),
    })

/** Whose resources a caller manages: those of an organization, or of the deployment; `any` for a deletion by an administrator. */
export type Owner = string | null | 'any'

const isOf = (owner: Owner) => {
  if (owner === 'any') return undefined
  return owner === null ? isNull(resources.organizationId) : eq(resources.organizationId, owner)
}

const isLive = (id: string, owner: Owner): Condition =>
  and(eq(resources.id, id), isNull(resources.deletedAt), isOf(owner))!

export const updateResource = (db: Database, id: string, owner: Owner, changes: Partial<StoredResource>) =>
  db.update(resources).set(changes).where(isLive(id, owner)).returning()

/** Holds while a live resource has no JWTs, or the lifetime is one that JWTs may have. */
export const mayLive = (id: string, lifetime: number | null, maxJwtLifetime: number): Condition =>
  lifetime === null || lifetime <= maxJwtLifetime
    ? sql`true`
    : sql`not ${rowExists(resources, and(eq(resources.id, id), eq(resources.tokenFormat, 'jwt')))}`

/** Holds for a live resource of the owner that has a scope other than these. */
export const losesScope = (id: string, owner: Owner, scopes: readonly string[]): Condition =>
  and(
    isLive(id, owner),
    sql`exists (select 1 from json_each(${resources.scopes}) as held where held.key not in ${givenValues(scopes)})`,
  )!

export const isLiveResource = isLive

/** The resources of an organization, newest first. */
export const selectResourcesOf = (db: Database, organizationId: string) =>
  db
    .select()
    .from(resources)
    .where(and(eq(resources.organizationId, organizationId), isNull(resources.deletedAt)))
    .orderBy(desc(resources.createdAt))

export const selectResourceOf = (db: Database, id: string, organizationId: string) =>
  db.select({ identifier: resources.identifier }).from(resources).where(isLive(id, organizationId))

/**
 * Deletes the tokens for deleted resources, and those of authorizations that include them. One statement for each index.
 * Nothing is deleted before the resource is. @param which a condition on deleted resources
 */
const deleteTokensWhere = (db: Database, which: Condition): Statement[] => {
  const deleted = sql`(select ${resources.identifier} from ${resources} where ${and(which, isNotNull(resources.deletedAt))})`
  return [
    db.delete(tokens).where(sql`${tokens.resource} in ${deleted}`),
    db.delete(tokens).where(
      sql`${isNotNull(tokens.grantedResources)} and exists (select 1 from ${resources}
          where ${and(which, isNotNull(resources.deletedAt))}
          and instr(' ' || ${tokens.grantedResources} || ' ', ' ' || ${resources.identifier} || ' ') > 0)`,
    ),
    db.delete(oauthServiceTokens).where(sql`${oauthServiceTokens.resource} in ${deleted}`),
  ]
}

export const deleteTokensAt = (db: Database, id: string): Statement[] => deleteTokensWhere(db, eq(resources.id, id))

/** The ids of the organizations of an event. */
export const idsOf = ({ subject, from, where }: Pick<EventRows, 'subject' | 'from' | 'where'>): SQL =>
  sql`(select ${subject} from ${from} where ${where})`

export const isOfOrganizations = (ids: SQL): Condition =>
  and(isNull(resources.deletedAt), sql`${resources.organizationId} in ${ids}`)!

/** For the batch that deletes organizations, before it does. @param ids a list of their ids */
export const deleteResourcesOf = (db: Database, ids: SQL, now: Date): Statement[] => {
  const which = sql`${resources.organizationId} in ${ids}`
  return [
    db
      .update(resources)
      .set({ deletedAt: now, scopes: {}, introspectedBy: [], claims: [] })
      .where(isOfOrganizations(ids)),
    ...deleteTokensWhere(db, which),
  ]
}

/** For the cron trigger: deleted resources, with the tokens that another isolate issued while it did not know of the deletion. */
export const purgeResources = (db: Database, before: Date): Statement[] => {
  const isOld = lt(resources.deletedAt, before)
  return [
    db
      .delete(tokens)
      .where(sql`${tokens.resource} in (select ${resources.identifier} from ${resources} where ${isOld})`),
    db.delete(resources).where(isOld),
  ]
}
