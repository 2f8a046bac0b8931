import { and, eq, type SQL, sql } from 'drizzle-orm'
import { jsonField, jsonOf } from '../../platform/json-sql.ts'
import type { Condition, Statement } from '../../platform/statements.ts'
import type { Scope } from '../scope.ts'
import { type Session, sessions } from '../sessions/sessions.table.ts'
import { userOptions } from '../settings.ts'
import { users } from '../users/users.table.ts'
import type { EventRows, EventType } from './events.ts'

/**
 * For a batch: what features write down of events (`recording` of lifecycle.ts), at the place where their rows are
 * there: after what is created or changed, before what is deleted. Nothing where no feature cares.
 * @param rows only asked for by a feature that cares, since SQL takes its time to write
 */
export const record = (scope: Scope, type: EventType, rows: () => EventRows): Statement[] =>
  scope.lifecycle.recording.flatMap((step) => step(scope, type, rows))

/** A person as get-session shows them, in SQL. */
export function userJson(scope: Pick<Scope, 'lifecycle' | 'options'>): SQL {
  const { id, name, email, emailVerified, image, createdAt, updatedAt } = users
  const shown = Object.fromEntries(scope.lifecycle.shownUserFields.map((field) => [field, users[field]]))
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

/** For a batch, see `record`. @param when what has to hold at this place of the batch, besides that there is the user */
export const recordUser = (scope: Scope, type: UserEvent, userId: string, when?: Condition): Statement[] =>
  record(scope, type, () => ({
    subject: sql`${users.id}`,
    data: { user: userJson(scope) },
    from: sql`${users}`,
    where: and(eq(users.id, userId), when)!,
  }))

const { id, userId, createdAt, updatedAt, expiresAt, ipAddress, userAgent, method, city, country } = sessions
const { activeOrganizationId, impersonatedBy } = sessions
const publicColumns = {
  ...{ id, userId, createdAt, updatedAt, expiresAt, ipAddress, userAgent, method, city, country },
  ...{ activeOrganizationId, impersonatedBy },
}

/** A session as others may know of it: without its token. */
export type PublicSession = Pick<Session, keyof typeof publicColumns>

export const publicSession = (session: Session): PublicSession =>
  Object.fromEntries(Object.keys(publicColumns).map((name) => [name, session[name as keyof Session]])) as PublicSession

/** For a batch, see `record`. @param which sessions, as a condition on their table */
export const recordSessions = (
  scope: Scope,
  type: 'session.created' | 'session.ended',
  which: Condition | undefined,
): Statement[] =>
  record(scope, type, () => ({
    subject: sql`${users.id}`,
    data: { session: jsonOf(publicColumns), user: userJson(scope) },
    from: sql`${sessions} inner join ${users} on ${users.id} = ${sessions.userId}`,
    where: which ?? sql`true`,
  }))
