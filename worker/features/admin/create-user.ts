import { credentialProvider } from '../../identity/accounts/accounts.table.ts'
import { choosePassword } from '../../identity/accounts/passwords.ts'
import type { UserChange } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import type { NewUser, User } from '../../identity/users/users.table.ts'
import { draftUser, isAddressTaken, takenError, userCreated } from '../../identity/users/users.ts'
import { demand, isUnmetDemand, runBatch } from '../../platform/statements.ts'
import { adminOptions } from './admin.config.ts'
import { adminErrors as errors } from './admin.errors.ts'
import { actorStands } from './admin.store.ts'
import { type Actor, auditStatement } from './audit/audit.ts'
import { holdsAllOf, requireRoles } from './standing.ts'

export interface PersonToCreate {
  email: string
  password: string
  name: string
  role?: string | readonly string[] | undefined
  /** A picture, additional fields, and what other features take at sign-up. */
  data?: Readonly<Record<string, unknown>> | undefined
}

/** Creates somebody with a password. Their address counts as unverified. @throws see the contract */
export async function createUser(scope: Scope, actor: Actor, person: PersonToCreate): Promise<User> {
  const { email, password, name, data = {} } = person
  const role = requireRoles(scope, person.role ?? adminOptions.of(scope).defaultRole)
  if (actor && !holdsAllOf(scope, actor.user, role)) throw errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS()
  const hash = await choosePassword(scope, password)
  const image = typeof data.image === 'string' ? data.image : null
  const account = { providerId: credentialProvider, password: hash }
  const { user, statements } = await draftUser(scope, { name, email, image, role, language: null }, account, data)
  try {
    await runBatch(scope.db, [
      ...(actor ? [demand(scope.db, actorStands(scope.db, actor))] : []),
      ...statements,
      auditStatement(scope, actor, {
        action: 'create-user',
        subjectId: user.id,
        after: { name: user.name, email: user.email, role: user.role },
      }),
    ])
  } catch (thrown) {
    if (isUnmetDemand(thrown)) throw errors.THE_USER_HAS_CHANGED_IN_THE_MEANTIME()
    throw isAddressTaken(thrown) ? errors.USER_ALREADY_EXISTS() : takenError(scope, thrown, 'creating')
  }
  await userCreated(scope, user)
  return user
}

/** Lifecycle place `creatingUser`: whoever signs up has the configured role; in development ADMIN_EMAILS names others. */
export function giveDefaultRole(scope: Scope, { values }: UserChange<NewUser>): NewUser {
  const { adminRoles, defaultRole } = adminOptions.of(scope)
  if (scope.settings.adminEmails.includes(values.email)) return { ...values, role: adminRoles[0]! }
  return { ...values, role: values.role ?? defaultRole }
}
