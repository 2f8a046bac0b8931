import { and, eq, type SQL, sql } from 'drizzle-orm'
import { jsonField, jsonOf } from '../../platform/json-sql.ts'
import type { Condition } from '../../platform/statements.ts'
import { type Session, sessions } from '../model/sessions.table.ts'
import { type User, users } from '../model/users.table.ts'
import { shownUserFields } from '../registry.ts'
import type { Scope } from '../scope.ts'
import type { Work } from '../work.ts'
import { userOptions } from './users.config.ts'

/** A user as get-session returns them, in SQL. */
export function userJson(scope: Pick<Scope, 'lifecycle' | 'options'>): SQL {
  const { id, name, email, emailVerified, image, createdAt, updatedAt } = users
  const shown = Object.fromEntries(shownUserFields(scope).map((field) => [field, users[field]]))
  const additional = Object.entries(userOptions.of(scope).additionalFields)
    .filter(([, { returned = true }]) => returned)
    .map(([field]) => [field, jsonField(users.additionalFields, field)])
  return jsonOf({
    ...{ id, name, email, emailVerified, image, createdAt, updatedAt },
    ...shown,
    ...Object.fromEntries(additional),
  })
}

type UserEvent = 'user.created' | 'user.updated' | 'user.deleted' | 'password.reset'

/**
 * Announces an event of a user, see `announce` in work.ts.
 * @param facts the user after the commit; without it, nothing reacts
 * @param when holds at this place of the batch; otherwise no event is recorded
 */
export const announceUser = (
  scope: Scope,
  work: Work,
  event: UserEvent,
  userId: string,
  facts?: User | (() => readonly User[]),
  when?: Condition,
): void =>
  work.announce(
    event,
    () => ({
      subject: sql`${users.id}`,
      data: { user: userJson(scope) },
      from: sql`${users}`,
      where: and(eq(users.id, userId), when)!,
    }),
    facts,
  )

const { id, userId, createdAt, updatedAt, expiresAt, ipAddress, userAgent, method, city, country } = sessions
const { activeOrganizationId, impersonatedBy } = sessions
const publicColumns = {
  ...{ id, userId, createdAt, updatedAt, expiresAt, ipAddress, userAgent, method, city, country },
  ...{ activeOrganizationId, impersonatedBy },
}

/** A session without its token. */
export type PublicSession = Pick<Session, keyof typeof publicColumns>

export const publicSession = (session: Session): PublicSession =>
  Object.fromEntries(Object.keys(publicColumns).map((name) => [name, session[name as keyof Session]])) as PublicSession

/**
 * Announces an event of sessions, see `announce` in work.ts.
 * @param which a condition on their table
 * @param facts the sessions; without them, nothing reacts
 */
export const announceSessions = (
  scope: Scope,
  work: Work,
  event: 'session.created' | 'session.ended',
  which: Condition | undefined,
  facts?: Session | (() => readonly Session[]),
): void =>
  work.announce(
    event,
    () => ({
      subject: sql`${users.id}`,
      data: { session: jsonOf(publicColumns), user: userJson(scope) },
      from: sql`${sessions} inner join ${users} on ${users.id} = ${sessions.userId}`,
      where: which ?? sql`true`,
    }),
    facts,
  )
