import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database.ts'
import { type Condition, fewerThan } from '../../../platform/statements.ts'
import {
  oauthApplications as clients,
  type OAuthApplication,
} from '../../identity-provider/model/clients/clients.table.ts'

/** The maximum number of registered services. */
export const maxServices = 200

export const isService = (clientId: string): Condition =>
  and(eq(clients.clientId, clientId), isNotNull(clients.service))!

export const hasFewerServices: Condition = fewerThan(clients, isNotNull(clients.service), maxServices)

export const insertService = (db: Database, row: OAuthApplication) => db.insert(clients).values(row)

/** All registered services, newest first. */
export const selectServices = (db: Database) =>
  db.select().from(clients).where(isNotNull(clients.service)).orderBy(desc(clients.createdAt)).limit(maxServices)

export const selectService = (db: Database, clientId: string) => db.select().from(clients).where(isService(clientId))

/** @param read the row that the changes rely on: another change in between fails */
export const updateService = (db: Database, read: OAuthApplication, changes: Partial<OAuthApplication>) =>
  db
    .update(clients)
    .set(changes)
    .where(and(isService(read.clientId), eq(clients.updatedAt, read.updatedAt)))
    .returning()

/** The new secret; the stored one stays valid until a time. */
export const rotateSecret = (
  db: Database,
  clientId: string,
  { secret, previousEndsAt, now }: { secret: string; previousEndsAt: Date; now: Date },
) =>
  db
    .update(clients)
    .set({
      clientSecret: secret,
      previousSecret: sql`${clients.clientSecret}`,
      previousSecretEndsAt: previousEndsAt,
      updatedAt: now,
    })
    .where(and(isService(clientId), isNotNull(clients.clientSecret)))
    .returning()

export const deleteService = (db: Database, clientId: string) => db.delete(clients).where(isService(clientId))
