import { and, eq, isNotNull, isNull, lt, ne, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database.ts'
import { type Condition, excluded, fewerThan, givenValues, type Statement } from '../../../platform/statements.ts'
import { oauthAccessTokens as tokens } from '../grants/grants.table.ts'
import { oauthResources as resources, type StoredResource } from '../protocol/resources.table.ts'

/** The maximum number of registered resources, with those that were deleted within a day: an isolate reads all of them. */
export const maxResources = 200

export const hasFewerResources: Condition = fewerThan(resources, sql`true`, maxResources)

/** Holds while no other registered resource has one of the scopes: a consent is stored by scope. */
export const scopesAreFree = (scopes: readonly string[], id: string): Condition =>
  sql`not exists (select 1 from ${resources}, json_each(${resources.scopes}) as taken
    where ${ne(resources.id, id)} and ${isNull(resources.deletedAt)} and taken.key in ${givenValues(scopes)})`

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
        scopes: excluded(resources.scopes),
        accessTokenExpiresIn: excluded(resources.accessTokenExpiresIn),
        introspectedBy: excluded(resources.introspectedBy),
        createdAt: excluded(resources.createdAt),
        updatedAt: excluded(resources.updatedAt),
        deletedAt: null,
      },
      setWhere: isNotNull(resources.deletedAt),
    })

const isLive = (id: string) => and(eq(resources.id, id), isNull(resources.deletedAt))

export const updateResource = (db: Database, id: string, changes: Partial<StoredResource>) =>
  db.update(resources).set(changes).where(isLive(id)).returning()

/**
 * Deletes the tokens for a resource, and those of authorizations that include it. Two statements, so that each uses its
 * index. Nothing is deleted before the resource is.
 */
export const deleteTokensAt = (db: Database, id: string): Statement[] => {
  const deleted = sql`(select ${resources.identifier} from ${resources} where ${resources.id} = ${id} and ${isNotNull(resources.deletedAt)})`
  return [
    db.delete(tokens).where(sql`${tokens.resource} = ${deleted}`),
    db
      .delete(tokens)
      .where(
        sql`${isNotNull(tokens.grantedResources)} and instr(' ' || ${tokens.grantedResources} || ' ', ' ' || ${deleted} || ' ') > 0`,
      ),
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
