import { recordUser } from '../../identity/events/record.ts'
import type { Scope } from '../../identity/scope.ts'
import { forgetSessionsOf } from '../../identity/sessions/sessions.ts'
import { moveSecurityVersion, updateUserStatement } from '../../identity/users/users.store.ts'
import type { NewUser, User } from '../../identity/users/users.table.ts'
import { isAddressTaken, takenError, userChanged, valuesToChange } from '../../identity/users/users.ts'
import { act, requireSubject } from './act.ts'
import { adminErrors as errors } from './admin.errors.ts'
import type { Actor, AuditEntry } from './audit/audit.ts'

/**
 * Changes somebody's profile. A new address is unverified, and ends what was mailed to the old one.
 * @param data name, picture, address, additional fields, and what other features take (a username)
 * @throws see the contract
 */
export async function updateUser(
  scope: Scope,
  actor: Actor,
  userId: string,
  data: Readonly<Record<string, unknown>> & { name?: string; image?: string | null; email?: string },
): Promise<User> {
  const subject = await requireSubject(scope, actor, userId, errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS)
  const email = data.email?.toLowerCase()
  const moves = email !== undefined && email !== subject.email
  const own: Partial<NewUser> = {
    ...(data.name === undefined ? {} : { name: data.name }),
    ...(data.image === undefined ? {} : { image: data.image }),
    ...(moves ? { email, emailVerified: false, emailIsPlaceholder: false } : {}),
  }
  const values = await valuesToChange(scope, subject, own, data)
  if (Object.keys(values).length === 0) throw errors.NO_DATA_TO_UPDATE()
  const change = updateUserStatement(scope.db, userId, { ...values, updatedAt: scope.now() }).returning()
  const [rows] = await act(scope, actor, subject, {
    action: 'update-user',
    ...compare(subject, values),
    statements: [
      change,
      ...recordUser(scope, 'user.updated', userId),
      ...(moves ? [moveSecurityVersion(scope.db, userId)] : []),
    ],
  }).catch((thrown) => {
    throw isAddressTaken(thrown) ? errors.USER_ALREADY_EXISTS() : takenError(scope, thrown, 'updating')
  })
  const [changed] = rows as User[]
  forgetSessionsOf(scope, userId)
  await userChanged(scope, changed!)
  return changed!
}

/** What changes, for the audit log. Of additional fields, which may hold anything, only the names are told. */
function compare(subject: User, values: Partial<NewUser>): Pick<AuditEntry, 'before' | 'after'> {
  const { additionalFields, ...columns } = values
  const names = Object.keys(columns) as (keyof typeof columns)[]
  const before = Object.fromEntries(names.map((name) => [name, subject[name]]))
  const fields = additionalFields ? { additionalFields: Object.keys(additionalFields) } : {}
  return { before, after: { ...columns, ...fields } }
}
