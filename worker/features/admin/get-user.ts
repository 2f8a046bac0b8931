import type { Feature } from '../../http/feature.ts'
import type { Scope } from '../../identity/scope.ts'
import { presentUser } from '../../identity/users/present-user.ts'
import type { Rows } from '../../platform/statements.ts'
import { adminErrors as errors } from './admin.errors.ts'
import { accountsOf, userById } from './admin.store.ts'

/** The lists about a user from the features, by name. */
const aboutUser = ({ lifecycle }: Scope): NonNullable<Feature['aboutUser']> =>
  Object.assign({}, ...lifecycle.registry('aboutUser'))

/** For one batch: all data about a user, including the data of features. */
export const userRecordReads = (scope: Scope, userId: string) => ({
  ...Object.fromEntries(Object.entries(aboutUser(scope)).map(([name, about]) => [name, about(scope, userId)])),
  users: userById(scope.db, userId),
  accounts: accountsOf(scope.db, userId),
})

/** @throws USER_NOT_FOUND */
export function presentUserRecord(
  scope: Scope,
  { users: [user], accounts, ...about }: Rows<ReturnType<typeof userRecordReads>>,
) {
  if (!user) throw errors.USER_NOT_FOUND()
  return { ...presentUser(scope, user), accounts, about }
}
