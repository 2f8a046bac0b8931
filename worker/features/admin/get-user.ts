import type { Scope } from '../../identity/scope.ts'
import { presentUser } from '../../identity/users/present-user.ts'
import type { User } from '../../identity/users/users.table.ts'
import type { Statement } from '../../platform/statements.ts'
import { adminErrors as errors } from './admin.errors.ts'
import { accountsOf, userById } from './admin.store.ts'

/** For one batch: all that is shown of a person, by the features that keep something for them. */
export const personStatements = (scope: Scope, userId: string) =>
  [
    userById(scope.db, userId),
    accountsOf(scope.db, userId),
    ...Object.values(scope.lifecycle.aboutUser).map((about) => about(scope, userId)),
  ] as readonly Statement[]

/** @param results of `personStatements`. @throws USER_NOT_FOUND */
export function presentPerson(scope: Scope, [found, accounts, ...about]: unknown[]) {
  const [user] = found as User[]
  if (!user) throw errors.USER_NOT_FOUND()
  const names = Object.keys(scope.lifecycle.aboutUser)
  return {
    ...presentUser(scope, user),
    accounts,
    about: Object.fromEntries(names.map((name, at) => [name, about[at]])),
  }
}
