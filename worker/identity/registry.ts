import type { Permissions } from '../kit/permissions.ts'
import type { User } from './model/users.table.ts'
import type { Scope } from './scope.ts'

type Registered = Pick<Scope, 'lifecycle'>

/** Identifiers of a user other than the address: `username:ada`. */
export const namesOf = ({ lifecycle }: Registered, user: User): string[] =>
  lifecycle.registry('names').flatMap((names) => names(user))

/** Whether a user has a second factor that sign-ins require. */
export const hasSecondFactor = ({ lifecycle }: Registered, user: User): boolean =>
  lifecycle.registry('hasSecondFactor').some((has) => has(user))

/** Whether a user may do something as an administrator. @param of `all`: also by a feature that is off */
export const isAdministratorFor = (scope: Scope, user: User, wanted: Permissions, of?: 'all'): boolean =>
  scope.lifecycle.registry('administers', of).some((administers) => administers(scope, user, wanted))

/** Whether a user may do something as a member of an organization. @param of `all`: also by a feature that is off */
export async function isMemberFor(
  scope: Scope,
  userId: string,
  organizationId: string,
  wanted: Permissions,
  of?: 'all',
): Promise<boolean> {
  const answers = scope.lifecycle
    .registry('actsFor', of)
    .map((actsFor) => actsFor(scope, userId, organizationId, wanted))
  return (await Promise.all(answers)).includes(true)
}

/** Computes a list from what the features show, once for each configuration: every session and user in a response needs it. */
function shownBy<T>(
  of: (shows: ReturnType<typeof allShows>[number]) => readonly T[],
): (scope: Registered) => readonly T[] {
  const known = new WeakMap<object, readonly T[]>()
  return (scope) => {
    let fields = known.get(scope.lifecycle)
    if (!fields) {
      fields = allShows(scope).flatMap(of)
      known.set(scope.lifecycle, fields)
    }
    return fields
  }
}

const allShows = ({ lifecycle }: Registered) => lifecycle.registry('shows')

/** Columns of the user that responses show in addition to the core's, in order. */
export const shownUserFields = shownBy(({ user = [] }) => user)

/** The same for sessions. */
export const shownSessionFields = shownBy(({ session = [] }) => session)

export const sessionFieldsWhenSet = shownBy(({ sessionWhenSet = [] }) => sessionWhenSet)
