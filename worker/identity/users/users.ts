import { newId } from '../../kit/random.ts'
import { takenColumn } from '../../platform/database.ts'
import type { accounts } from '../accounts/accounts.table.ts'
import type { Scope } from '../scope.ts'
import { userOptions } from '../settings.ts'
import { readAdditionalFields } from './additional-fields.ts'
import { coreErrors, takenErrors } from './users.errors.ts'
import * as store from './users.store.ts'
import type { NewUser, User } from './users.table.ts'

/** What a feature knows of a person who does not exist yet. */
export interface NewPerson {
  name: string
  email: string
  emailVerified?: boolean
  image?: string | null
  isAnonymous?: boolean
  phoneNumber?: string | null
  phoneNumberVerified?: boolean
}

/** An account as a feature hands it over: ids and times are added here. */
export type NewAccount = Omit<
  typeof accounts.$inferInsert,
  'id' | 'userId' | 'createdAt' | 'updatedAt' | 'accountId'
> & {
  /** Defaults to the user's id, as for passwords. */
  accountId?: string
}

/** Another person has this username or number: the unique index is the last to say so. */
function refuseTaken(thrown: unknown): never {
  const error = takenErrors[takenColumn(thrown) ?? '']
  throw error ? error() : thrown
}

/**
 * Creates a person with their first account.
 * @param input the body, for additional fields and for features with fields of their own
 * @returns null when the address is taken
 */
export async function createUser(
  scope: Scope,
  person: NewPerson,
  account: NewAccount | null,
  input: Readonly<Record<string, unknown>> = {},
): Promise<User | null> {
  const now = scope.now()
  const id = newId()
  const { additionalFields } = userOptions.of(scope)
  let values: NewUser = {
    id,
    ...person,
    email: person.email.toLowerCase(),
    ...(scope.settings.adminEmails.includes(person.email.toLowerCase()) ? { role: 'admin' } : {}),
    createdAt: now,
    updatedAt: now,
    additionalFields: readAdditionalFields(additionalFields, input, 'create'),
  }
  for (const step of scope.lifecycle.creatingUser) values = await step(scope, { values, input })
  const user = await store
    .insertUser(scope.db, values, account && { id: newId(), accountId: id, ...account, createdAt: now, updatedAt: now })
    .catch((thrown) => {
      if (takenColumn(thrown) !== 'users.phone_number') return refuseTaken(thrown)
      const issues = [{ path: 'phoneNumber', message: takenErrors['users.phone_number']!.message }]
      throw coreErrors.FAILED_TO_CREATE_USER({ extra: { issues } })
    })
  if (!user) return null
  for (const react of scope.lifecycle.userCreated) await react(scope, user)
  return user
}

/**
 * Changes a person: what the feature itself decided, and what the body holds for additional fields and other features.
 * @returns the user as it is now
 */
export async function changeUser(
  scope: Scope,
  user: User,
  own: Partial<NewUser>,
  input: Readonly<Record<string, unknown>> = {},
): Promise<User> {
  const { additionalFields } = userOptions.of(scope)
  const extra = readAdditionalFields(additionalFields, input, 'update')
  let values: Partial<NewUser> = { ...own }
  if (Object.keys(extra).length > 0) values.additionalFields = extra
  for (const step of scope.lifecycle.updatingUser) values = await step(scope, user, { values, input })
  if (Object.keys(values).length === 0) return user
  const changed = await store.updateUser(scope.db, user.id, { ...values, updatedAt: scope.now() }).catch(refuseTaken)
  if (!changed) throw coreErrors.FAILED_TO_UPDATE_USER()
  for (const react of scope.lifecycle.userUpdated) await react(scope, changed)
  return changed
}

/** Removes a person and all that is theirs. */
export async function removeUser(scope: Scope, user: User): Promise<void> {
  const ask = async () => {
    const conditions = []
    for (const step of scope.lifecycle.deletingUser) conditions.push(await step(scope, user))
    return conditions
  }
  if (!(await store.deleteUser(scope.db, user.id, await ask()))) {
    // What a feature allowed a moment ago is so no more: asked again, it says why.
    await ask()
    throw coreErrors.USER_NOT_FOUND()
  }
  for (const react of scope.lifecycle.userDeleted) await react(scope, user)
}
