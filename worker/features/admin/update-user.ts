import { addChangeEvents, changesNames, declareTaken, valuesToChange } from '../../identity/accounts/users.ts'
import { keepWayIn } from '../../identity/accounts/ways-in.ts'
import type { AuditEntry } from '../../identity/model/audit-context.ts'
import type { NewUser, User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { securityEvent } from '../../identity/security/security-events.ts'
import { forgetSessionsOf } from '../../identity/sessions/sessions.ts'
import { announceUser } from '../../identity/users/announce.ts'
import { moveSecurityVersion, updateUserStatement } from '../../identity/users/users.store.ts'
import { comparedAddress } from '../../kit/email-address.ts'
import { adminErrors as errors } from './admin.errors.ts'
import { changeOf, requireSubject } from './change-user.ts'
import type { Actor } from './may-administer.ts'

/** Changes a user's profile. A new address is unverified, and ends what was mailed to the old one. */
export async function updateUser(
  scope: Scope,
  actor: Actor,
  userId: string,
  data: Readonly<Record<string, unknown>> & { name?: string; image?: string | null; email?: string },
): Promise<User> {
  const subject = await requireSubject(scope, actor, userId, errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS)
  const email = data.email && comparedAddress(data.email)
  const moves = email !== undefined && email !== subject.email
  const own: Partial<NewUser> = {
    ...(data.name === undefined ? {} : { name: data.name }),
    ...(data.image === undefined ? {} : { image: data.image }),
    ...(moves ? { email, emailVerified: false, addressVouchedBy: null, emailIsPlaceholder: false } : {}),
  }
  const values = await valuesToChange(scope, subject, own, data)
  if (Object.keys(values).length === 0) throw errors.NO_DATA_TO_UPDATE()
  const actorId = actor?.user.id ?? null
  const work = changeOf(scope, actor, subject, { action: 'update-user', ...compare(subject, values) })
  const update = work.run(updateUserStatement(scope.db, userId, { ...values, updatedAt: scope.now() }).returning(), {
    unlessUnchanged: true,
  })
  announceUser(scope, work, 'user.updated', userId, () => update.rows)
  if (moves) {
    work.run(moveSecurityVersion(scope.db, userId))
    // An administrator made the change, so the old address gets no link that reverts it.
    securityEvent(scope, work, { type: 'email-changed', user: subject, actorId })
  }
  await addChangeEvents(scope, work, subject, values, actorId)
  declareTaken(scope, work, 'updating')
  work.unique('users.email', errors.USER_ALREADY_EXISTS)
  if (changesNames(scope, subject, values)) keepWayIn(scope, work, userId)
  await work.commit(() => forgetSessionsOf(scope, userId))
  return update.row!
}

/** The changes for the audit log. Additional fields may hold any data, so that only their names are logged. */
function compare(subject: User, values: Partial<NewUser>): Pick<AuditEntry, 'before' | 'after'> {
  const { additionalFields, ...columns } = values
  const names = Object.keys(columns) as (keyof typeof columns)[]
  const before = Object.fromEntries(names.map((name) => [name, subject[name]]))
  const fields = additionalFields ? { additionalFields: Object.keys(additionalFields) } : {}
  return { before, after: { ...columns, ...fields } }
}
