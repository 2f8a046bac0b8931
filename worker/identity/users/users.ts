import { eq } from 'drizzle-orm'
import type { AppError } from '../../kit/errors.ts'
import { newId } from '../../kit/random.ts'
import { takenColumn } from '../../platform/database.ts'
import { defaultsOf, runBatch, type Statement } from '../../platform/statements.ts'
import { insertAccount } from '../accounts/accounts.store.ts'
import type { Account } from '../accounts/accounts.table.ts'
import { recordSessions, recordUser } from '../events/record.ts'
import type { DeletionTerms } from '../lifecycle.ts'
import type { Scope } from '../scope.ts'
import { sessions } from '../sessions/sessions.table.ts'
import { userOptions } from '../settings.ts'
import { readAdditionalFields } from './additional-fields.ts'
import { coreErrors } from './users.errors.ts'
import * as store from './users.store.ts'
import { type NewUser, type User, users } from './users.table.ts'

/** What a feature knows of a person who does not exist yet; the id where something speaks of it already. */
export type NewPerson = Pick<NewUser, 'name' | 'email'> &
  Partial<Omit<NewUser, 'createdAt' | 'updatedAt' | 'additionalFields' | 'securityVersion'>>

/** An account as a feature hands it over: ids and times are added here. */
export type NewAccount = Pick<Account, 'providerId'> &
  Partial<Omit<Account, 'id' | 'userId' | 'createdAt' | 'updatedAt'>>

/** A person who is about to be written. */
export interface DraftedUser {
  /** As the row will be. */
  user: User
  /** For a batch; `createUser`, or completeSignIn's `alongside`. See `refuseTaken` for what it throws. */
  statements: Statement[]
}

/**
 * Prepares a person with their first account, without writing anything.
 * @param input the body, for additional fields and for features with fields of their own
 */
export async function draftUser(
  scope: Scope,
  person: NewPerson,
  account: NewAccount | null,
  input: Readonly<Record<string, unknown>> = {},
): Promise<DraftedUser> {
  const now = scope.now()
  const id = person.id ?? newId()
  const email = person.email.toLowerCase()
  const alongside: Statement[] = []
  let values: NewUser = {
    language: scope.askedLanguage,
    ...person,
    id,
    email,
    createdAt: now,
    updatedAt: now,
    additionalFields: readAdditionalFields(userOptions.of(scope).additionalFields, input, 'create'),
  }
  for (const step of scope.lifecycle.creatingUser) values = await step(scope, { values, input, alongside })
  const user = asStored(values)
  return {
    user,
    statements: [
      store.insertUser(scope.db, user),
      ...(account ? [insertAccount(scope.db, id, { accountId: id, ...account }, now)] : []),
      ...alongside,
      ...recordUser(scope, 'user.created', id),
    ],
  }
}

/** A row as the database will hold it, with the defaults of users.table.ts. */
const asStored = (values: NewUser): User => ({ ...defaultsOf(users), additionalFields: {}, ...values })

/** Reacts to a person who has just been written. */
export async function userCreated(scope: Scope, user: User): Promise<void> {
  for (const react of scope.lifecycle.userCreated) await react(scope, user)
}

/** Reacts to a person who has just been changed. */
export async function userChanged(scope: Scope, user: User): Promise<void> {
  for (const react of scope.lifecycle.userUpdated) await react(scope, user)
}

/** Whether a write failed because the address is taken. */
export const isAddressTaken = (thrown: unknown): boolean => takenColumn(thrown) === 'users.email'

/**
 * What to throw when a write failed because another person has a value of theirs: the unique index is the last to
 * say so. Anything else is thrown as it is.
 */
export function takenError(scope: Scope, thrown: unknown, doing: 'creating' | 'updating'): AppError | unknown {
  const taken = scope.lifecycle.takenValues[takenColumn(thrown) ?? '']
  if (!taken) return thrown
  return doing === 'creating' && taken.creating ? taken.creating() : taken.updating()
}

/**
 * Creates a person with their first account, without a session. Whoever is to be signed in at once is drafted, and
 * written by completeSignIn.
 * @returns null when the address is taken
 */
export async function createUser(
  scope: Scope,
  person: NewPerson,
  account: NewAccount | null,
  input: Readonly<Record<string, unknown>> = {},
): Promise<User | null> {
  const { user, statements } = await draftUser(scope, person, account, input)
  try {
    await runBatch(scope.db, statements)
  } catch (thrown) {
    if (isAddressTaken(thrown)) return null
    throw takenError(scope, thrown, 'creating')
  }
  await userCreated(scope, user)
  return user
}

/** What is to change of a person; empty if nothing is. */
export async function valuesToChange(
  scope: Scope,
  user: User,
  own: Partial<NewUser>,
  input: Readonly<Record<string, unknown>>,
): Promise<Partial<NewUser>> {
  const extra = readAdditionalFields(userOptions.of(scope).additionalFields, input, 'update')
  let values: Partial<NewUser> = { ...own }
  if (Object.keys(extra).length > 0) values.additionalFields = extra
  for (const step of scope.lifecycle.updatingUser) values = await step(scope, user, { values, input, alongside: [] })
  return values
}

/**
 * Asks whether a person may get a new address, number or picture, which have statements of their own: here a step may
 * refuse, and what it would amend is not written. An address or number is asked about when somebody wants it, not again
 * when its mail or code has come back.
 * @throws what a step refuses with
 */
export async function askToChange(
  scope: Scope,
  user: User,
  values: Pick<Partial<NewUser>, 'email' | 'phoneNumber' | 'image'>,
): Promise<void> {
  for (const step of scope.lifecycle.updatingUser) await step(scope, user, { values, input: {}, alongside: [] })
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
  const values = await valuesToChange(scope, user, own, input)
  if (Object.keys(values).length === 0) return user
  const statements = [
    store.updateUserStatement(scope.db, user.id, { ...values, updatedAt: scope.now() }).returning(),
    ...recordUser(scope, 'user.updated', user.id),
  ]
  const [rows] = await runBatch(scope.db, statements).catch((thrown) => {
    throw takenError(scope, thrown, 'updating')
  })
  const [changed] = rows as User[]
  if (!changed) throw coreErrors.FAILED_TO_UPDATE_USER()
  await userChanged(scope, changed)
  return changed
}

/**
 * Prepares a change of a person for a batch, without writing anything.
 * @returns the user as it will be; `userChanged` is to be called when the batch is written
 */
export async function draftChange(scope: Scope, user: User, own: Partial<NewUser>): Promise<DraftedUser> {
  const values = { ...(await valuesToChange(scope, user, own, {})), updatedAt: scope.now() }
  const additionalFields = { ...user.additionalFields, ...values.additionalFields }
  const changed: User = Object.assign({ ...user }, values, { additionalFields })
  return {
    user: changed,
    statements: [store.updateUserStatement(scope.db, user.id, values), ...recordUser(scope, 'user.updated', user.id)],
  }
}

/**
 * Removes a person and all that is theirs.
 * @param also written in the same batch, and only with it: such as the use of the link that confirmed the deletion
 */
export async function removeUser(scope: Scope, user: User, also: readonly Statement[] = []): Promise<void> {
  const ask = async () => {
    const asked: DeletionTerms[] = []
    for (const step of scope.lifecycle.deletingUser) asked.push((await step(scope, user)) ?? {})
    return asked
  }
  const terms = await ask()
  const results = await store.deleteUser(scope.db, user.id, {
    conditions: terms.map(({ condition }) => condition),
    statements: [
      ...also,
      ...terms.flatMap(({ statements = [] }) => statements),
      ...recordSessions(scope, 'session.ended', eq(sessions.userId, user.id)),
      ...recordUser(scope, 'user.deleted', user.id),
    ],
  })
  if (!results) {
    // What a feature allowed a moment ago is so no more: asked again, it says why.
    await ask()
    throw coreErrors.USER_NOT_FOUND()
  }
  const theirs = results.slice(also.length)
  for (const { statements = [], deleted } of terms) {
    const own = theirs.splice(0, statements.length)
    await deleted?.(own)
  }
  for (const react of scope.lifecycle.userDeleted) await react(scope, user)
}
