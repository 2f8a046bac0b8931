import { eq } from 'drizzle-orm'
import { comparedAddress } from '../../kit/email-address.ts'
import { plainName } from '../../kit/inputs.ts'
import { newId } from '../../kit/random.ts'
import { defaultsOf } from '../../platform/statements.ts'
import { insertAccount } from '../accounts/accounts.store.ts'
import { keepWayIn } from '../accounts/ways-in.ts'
import { auditOptions } from '../audit/audit.config.ts'
import { insertErasure } from '../audit-archive/erasures.store.ts'
import type { Account } from '../model/accounts.table.ts'
import { sessions } from '../model/sessions.table.ts'
import { type NewUser, type User, users } from '../model/users.table.ts'
import { contributed, namesOf } from '../registry.ts'
import type { Scope } from '../scope.ts'
import { securityEvent } from '../security/security-events.ts'
import { unitOfWork } from '../unit-of-work.ts'
import { readAdditionalFields } from '../users/additional-fields.ts'
import { announceSessions, announceUser } from '../users/announce.ts'
import { userOptions } from '../users/users.config.ts'
import { coreErrors } from '../users/users.errors.ts'
import * as store from '../users/users.store.ts'
import type { Work } from '../work.ts'
import { refuseDisposable } from './disposable-addresses.ts'
import { limitSignUps } from './sign-up-limit.ts'

/** A user before the insertion; with an id if a reference to it exists. */
export type NewPerson = Pick<NewUser, 'name' | 'email'> &
  Partial<Omit<NewUser, 'createdAt' | 'updatedAt' | 'additionalFields' | 'securityVersion'>>

/** An account before the insertion. Ids and times are added here. */
export type NewAccount = Pick<Account, 'providerId'> &
  Partial<Omit<Account, 'id' | 'userId' | 'createdAt' | 'updatedAt'>>

/**
 * Adds a user whom a visitor creates, by any way, to a unit of work (`addGivenUser`), within the limit of the network
 * and with an address that lasts.
 * @throws DISPOSABLE_EMAIL, TOO_MANY_REQUESTS
 */
export async function addUser(...given: Parameters<typeof addGivenUser>): Promise<User> {
  const [scope, , { email, emailIsPlaceholder }] = given
  if (!emailIsPlaceholder) await refuseDisposable(scope, comparedAddress(email))
  await limitSignUps(scope)
  return addGivenUser(...given)
}

/**
 * Adds a user whom an administrator, a server, a directory or the identity provider of an organization has decided to
 * create, with the first account, to a unit of work. A taken value fails it with the error of `takenValues`; the
 * caller declares the error of a taken address (`work.unique('users.email', …)`).
 * @param input the body, for additional fields and for features with their own fields
 * @returns the user after the commit
 */
export async function addGivenUser(
  scope: Scope,
  work: Work,
  person: NewPerson,
  account: NewAccount | null,
  input: Readonly<Record<string, unknown>> = {},
): Promise<User> {
  scope.io.requireRoom('user')
  const now = scope.now()
  const id = person.id ?? newId()
  const email = comparedAddress(person.email)
  const writes: ((work: Work) => void)[] = []
  let values: NewUser = {
    language: scope.request.language,
    ...person,
    id,
    email,
    createdAt: now,
    updatedAt: now,
    additionalFields: readAdditionalFields(userOptions.of(scope).additionalFields, input, 'create'),
  }
  for (const step of scope.lifecycle.creatingUser) values = await step(scope, { values, input, writes })
  // A name from a provider, a hook or a server. The schemas of bodies reject characters that are removed here.
  const user = asStored({ ...values, name: plainName(values.name) })
  work.run(store.insertUser(scope.db, user))
  if (account) work.run(insertAccount(scope.db, id, { accountId: id, ...account }, now))
  for (const write of writes) write(work)
  announceUser(scope, work, 'user.created', id, user)
  declareTaken(scope, work, 'creating')
  return user
}

/** The row in the form of the database, with the defaults of users.table.ts. */
const asStored = (values: NewUser): User => ({ ...defaultsOf(users), additionalFields: {}, ...values })

/** Declares the error of a value that another user has. The unique index decides. */
export function declareTaken(scope: Scope, work: Work, doing: 'creating' | 'updating'): void {
  for (const values of contributed(scope, 'userFields', 'taken')) {
    for (const [column, { creating, updating }] of Object.entries(values)) {
      work.unique(column as 'users.email', doing === 'creating' ? (creating ?? updating) : updating)
    }
  }
}

/** The changes of a user; empty without a change. */
export async function valuesToChange(
  scope: Scope,
  user: User,
  own: Partial<NewUser>,
  input: Readonly<Record<string, unknown>>,
): Promise<Partial<NewUser>> {
  const extra = readAdditionalFields(userOptions.of(scope).additionalFields, input, 'update')
  let values: Partial<NewUser> = { ...own }
  if (Object.keys(extra).length > 0) values.additionalFields = extra
  for (const step of scope.lifecycle.updatingUser) values = await step(scope, user, { values, input, writes: null })
  return values.name === undefined ? values : { ...values, name: plainName(values.name) }
}

/**
 * Lets the steps reject a new address, number or picture, which other statements write; amendments are ignored. A user
 * gets no disposable address. An
 * address or number is checked at the request, not again when its mail or code is used.
 * @throws DISPOSABLE_EMAIL, the error of a step
 */
export async function askToChange(
  scope: Scope,
  user: User,
  values: Pick<Partial<NewUser>, 'email' | 'phoneNumber' | 'image'>,
): Promise<void> {
  if (values.email) await refuseDisposable(scope, values.email)
  for (const step of scope.lifecycle.updatingUser) await step(scope, user, { values, input: {}, writes: null })
}

/**
 * Whether a change concerns an identifier of a sign-in (a username, a number) and may remove a sign-in method. An added
 * identifier counts, because the row may have another one by now.
 */
export const changesNames = (scope: Scope, user: User, values: Partial<NewUser>): boolean =>
  namesOf(scope, user).join() !== namesOf(scope, { ...user, ...values } as User).join()

/**
 * Updates a user: columns of the feature, and values of the body for additional fields and other features.
 * @returns the stored user
 * @throws LAST_WAY_TO_SIGN_IN, FAILED_TO_UPDATE_USER, and the errors of steps
 */
export async function changeUser(
  scope: Scope,
  user: User,
  own: Partial<NewUser>,
  input: Readonly<Record<string, unknown>> = {},
): Promise<User> {
  const values = await valuesToChange(scope, user, own, input)
  if (Object.keys(values).length === 0) return user
  const work = unitOfWork(scope)
  const update = work.run(
    store.updateUserStatement(scope.db, user.id, { ...values, updatedAt: scope.now() }).returning(),
    { unlessUnchanged: true },
  )
  announceUser(scope, work, 'user.updated', user.id, () => update.rows)
  await addChangeEvents(scope, work, user, values)
  declareTaken(scope, work, 'updating')
  if (changesNames(scope, user, values)) keepWayIn(scope, work, user.id)
  await work.commit()
  if (!update.row) throw coreErrors.FAILED_TO_UPDATE_USER()
  return update.row
}

/** Records a change in the sign-in log. @param actorId of the administrator who makes it */
export async function addChangeEvents(
  scope: Scope,
  work: Work,
  user: User,
  values: Partial<NewUser>,
  actorId: string | null = null,
): Promise<void> {
  const types = contributed(scope, 'userFields', 'changeEvent').flatMap(
    (changeEvent) => changeEvent(user, values) ?? [],
  )
  if (types.length === 0) return
  const sessionId = (await scope.caller())?.session.id ?? null
  for (const type of types) securityEvent(scope, work, { type, user, sessionId, actorId })
}

/** Adds a change of a user to a unit of work. @returns the user after the commit */
export async function addChange(scope: Scope, work: Work, user: User, own: Partial<NewUser>): Promise<User> {
  const values = { ...(await valuesToChange(scope, user, own, {})), updatedAt: scope.now() }
  const additionalFields = { ...user.additionalFields, ...values.additionalFields }
  const changed: User = Object.assign({ ...user }, values, { additionalFields })
  work.run(store.updateUserStatement(scope.db, user.id, values))
  announceUser(scope, work, 'user.updated', user.id, changed)
  return changed
}

/**
 * Deletes a user and everything that refers to the user.
 * @param work the writes that are committed with the deletion, such as the use of its confirmation link
 * @throws USER_NOT_FOUND, and the errors of steps
 */
export async function removeUser(scope: Scope, user: User, work: Work = unitOfWork(scope)): Promise<void> {
  for (const step of scope.lifecycle.deletingUser) await step(scope, user, work)
  announceSessions(scope, work, 'session.ended', eq(sessions.userId, user.id))
  announceUser(scope, work, 'user.deleted', user.id, user)
  work.require(store.userExists(user.id), coreErrors.USER_NOT_FOUND)
  work.run(store.deleteUser(scope.db, user.id))
  if (scope.env.ARCHIVE && auditOptions.of(scope).eraseDeletedUsers) {
    work.run(insertErasure(scope.db, user.id, scope.now()))
  }
  await work.commit()
}
