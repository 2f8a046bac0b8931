import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../platform/database.ts'
import type { Condition, Statement } from '../../platform/statements.ts'
import { accounts, credentialProvider } from '../model/accounts.table.ts'
import { type Session, sessions } from '../model/sessions.table.ts'
import { type User, users } from '../model/users.table.ts'
import { mayHaveSession } from '../sessions/sessions.store.ts'

/** The available factors of a user: 1 for each condition that holds, and the ids of the linked providers as JSON. */
export type Means = { providers: string } & Record<string, number | string>

/** Statement: the conditions that hold, by name. */
export const meansStatement = (db: Database, userId: string | SQL, conditions: Readonly<Record<string, Condition>>) =>
  db
    .select({
      providers: sql<string>`(select json_group_array(${accounts.providerId}) from ${accounts} where ${and(
        eq(accounts.userId, userId),
        ne(accounts.providerId, credentialProvider),
      )})`.as('providers'),
      ...Object.fromEntries(
        Object.entries(conditions).map(([name, condition]) => [name, sql<number>`${condition}`.as(name)]),
      ),
    })
    .from(sql`(select 1)`)

/** Holds while the session and its user are unchanged since the caller was read, and the user is not banned. */
export const callerIsUnchanged = (session: Session, user: User, now: Date): Condition =>
  sql`exists (select 1 from ${sessions} inner join ${users} on ${users.id} = ${sessions.userId} where ${and(
    eq(sessions.id, session.id),
    eq(sessions.token, session.token),
    mayHaveSession(user, now),
  )})`

/** Statement: records an authentication in the session. */
export const recordAuthentication = (db: Database, id: string, authenticatedAt: Date, amr: string[]): Statement =>
  db.update(sessions).set({ authenticatedAt, amr }).where(eq(sessions.id, id))

/** Holds while the user has a password. */
export const hasPassword = (userId: string | SQL): Condition =>
  sql`exists (select 1 from ${accounts} where ${and(
    eq(accounts.userId, userId),
    eq(accounts.providerId, credentialProvider),
    sql`${accounts.password} is not null`,
  )})`

/** Holds while the user has an identity at a provider. */
export const hasIdentity = (userId: string, providerId: string, accountId: string): Condition =>
  sql`exists (select 1 from ${accounts} where ${and(
    eq(accounts.userId, userId),
    eq(accounts.providerId, providerId),
    eq(accounts.accountId, accountId),
  )})`
