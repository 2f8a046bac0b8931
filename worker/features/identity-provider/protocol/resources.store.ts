import type { Database } from '../../../platform/database.ts'
import { oauthResources } from './resources.table.ts'

/** All registered resources, the deleted ones too. */
export const selectResources = (db: Database) =>
  db.select().from(oauthResources).orderBy(oauthResources.createdAt, oauthResources.id)
