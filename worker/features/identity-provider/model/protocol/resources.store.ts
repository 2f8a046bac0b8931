import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Database } from '../../../../platform/database.ts'
import { members } from '../../../organization/model/members.table.ts'
import { organizations } from '../../../organization/model/organizations.table.ts'
import { oauthResources } from './resources.table.ts'

/** All registered resources, the deleted ones too. */
export const selectResources = (db: Database) =>
  db.select().from(oauthResources).orderBy(oauthResources.createdAt, oauthResources.id)

/** The organizations of registered resources, with their names. */
export const selectOwners = (db: Database) =>
  db
    .select({ id: organizations.id, name: organizations.name })
    .from(organizations)
    .where(
      inArray(
        organizations.id,
        db
          .select({ id: oauthResources.organizationId })
          .from(oauthResources)
          .where(isNotNull(oauthResources.organizationId)),
      ),
    )

/** Those organizations of a list of which a user is a member. */
export const selectMemberships = (db: Database, userId: string, organizationIds: readonly string[]) =>
  db
    .select({ id: members.organizationId })
    .from(members)
    .where(and(eq(members.userId, userId), inArray(members.organizationId, [...organizationIds])))

export const selectNames = (db: Database, organizationIds: readonly string[]) =>
  db
    .select({ name: organizations.name })
    .from(organizations)
    .where(inArray(organizations.id, [...organizationIds]))
