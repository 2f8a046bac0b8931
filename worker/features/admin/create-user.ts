import { choosePassword } from '../../identity/accounts/passwords.ts'
import { addGivenUser } from '../../identity/accounts/users.ts'
import type { UserChange } from '../../identity/lifecycle.ts'
import { credentialProvider } from '../../identity/model/accounts.table.ts'
import type { NewUser, User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { invitationToAccount, requireReset } from '../email-password/reset-password.ts'
import { adminOptions } from './admin.config.ts'
import { adminErrors as errors } from './admin.errors.ts'
import { actorStands } from './admin.store.ts'
import { type Actor, holdsAllOf, requireAdminRoles } from './may-administer.ts'

export interface UserToCreate {
  email: string
  /** Without a password, the user has no account yet. */
  password?: string | undefined
  name: string
  role?: string | readonly string[] | undefined
  /** An image, additional fields and the inputs of other features at sign-up. */
  data?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Creates a user. The address counts as unverified.
 * @param invite mails a link for the first password
 */
export async function createUser(
  scope: Scope,
  actor: Actor,
  person: UserToCreate & { invite?: boolean | undefined },
): Promise<User> {
  const { email, password, name, data = {} } = person
  if (person.invite) requireReset(scope)
  const role = requireAdminRoles(scope, person.role ?? adminOptions.of(scope).defaultRole)
  if (actor && !holdsAllOf(scope, actor.user, role)) throw errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS()
  const image = typeof data.image === 'string' ? data.image : null
  const account =
    password === undefined ? null : { providerId: credentialProvider, password: await choosePassword(scope, password) }
  const work = unitOfWork(scope, errors.THE_USER_HAS_CHANGED_IN_THE_MEANTIME)
  if (actor) work.require(actorStands(scope.db, actor))
  const user = await addGivenUser(scope, work, { name, email, image, role, language: null }, account, data)
  work.unique('users.email', errors.USER_ALREADY_EXISTS)
  const after = { name: user.name, email: user.email, role: user.role }
  work.audit({ action: 'create-user', subjectId: user.id, after })
  if (person.invite) work.defer('mail', await invitationToAccount(scope, user))
  await work.commit()
  return user
}

/** Lifecycle place `creatingUser`: sets the configured role; in development ADMIN_EMAILS names administrators. */
export function giveDefaultRole(scope: Scope, { values }: UserChange<NewUser>): NewUser {
  const { adminRoles, defaultRole } = adminOptions.of(scope)
  if (scope.settings.adminEmails.includes(values.email)) return { ...values, role: adminRoles[0]! }
  return { ...values, role: values.role ?? defaultRole }
}
