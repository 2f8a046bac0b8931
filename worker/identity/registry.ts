import { or, sql } from 'drizzle-orm'
import type { Permissions } from '../kit/permissions.ts'
import { serverPermissions } from '../kit/server-permissions.ts'
import type { Condition } from '../platform/statements.ts'
import type { ContributionOf, Credential } from './lifecycle.ts'
import type { User } from './model/users.table.ts'
import type { Scope } from './scope.ts'

type Registered = Pick<Scope, 'lifecycle'>

type Contributions = ContributionOf<Scope>

/** Returns a member of the contributions under a name: of the enabled features, or of all. */
export const contributed = <G extends keyof Contributions, M extends keyof NonNullable<Contributions[G]>>(
  { lifecycle }: Registered,
  group: G,
  member: M,
  of?: 'all',
): NonNullable<NonNullable<Contributions[G]>[M]>[] =>
  lifecycle.registry(group, of).flatMap(({ [member]: value }) => value ?? []) as never

/** Identifiers of a user other than the address: `username:ada`. */
export const namesOf = ({ lifecycle }: Registered, user: User): string[] =>
  contributed({ lifecycle }, 'userFields', 'names').flatMap((names) => names(user))

/** Whether a user has a second factor that sign-ins require. */
export const hasSecondFactor = ({ lifecycle }: Registered, user: User): boolean =>
  contributed({ lifecycle }, 'userFacts', 'hasSecondFactor').some((has) => has(user))

/** Whether a user may do something as an administrator. @param of `all`: also by a feature that is off */
export const isAdministratorFor = (scope: Scope, user: User, wanted: Permissions, of?: 'all'): boolean =>
  contributed(scope, 'permissions', 'administers', of).some((administers) => administers(scope, user, wanted))

/** Whether the proof of an address makes its user an administrator of the deployment, also by a feature that is off. */
export const appointsAdministrator = (scope: Scope, email: string): boolean =>
  contributed(scope, 'permissions', 'appointsAdministrator', 'all').some((appoints) =>
    appoints(scope, email.toLowerCase()),
  )

/**
 * Whether a user is an administrator of the deployment, or becomes one by the proof of the address. A tenant decides
 * nothing about such an account.
 */
export const administersDeployment = (scope: Scope, user: User): boolean =>
  appointsAdministrator(scope, user.email) ||
  Object.values(serverPermissions).some((wanted) => isAdministratorFor(scope, user, wanted, 'all'))

/** `administersDeployment` for the row of a user in a query. */
export const isAdministratorRow = (scope: Scope, of: 'row' | 'list' = 'row'): Condition =>
  or(...contributed(scope, 'permissions', 'administratorRows', 'all').map((rows) => rows(scope, of))) ?? sql`0`

/** Whether a user may do something as a member of an organization. @param of `all`: also by a feature that is off */
export async function isMemberFor(
  scope: Scope,
  userId: string,
  organizationId: string,
  wanted: Permissions,
  of?: 'all',
): Promise<boolean> {
  const answers = contributed(scope, 'permissions', 'actsFor', of).map((actsFor) =>
    actsFor(scope, userId, organizationId, wanted),
  )
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

/**
 * Holds while a rule of an organization does not allow a credential. Each read of a credential asks it, so that the rules hold for
 * every path to one. Null: no feature has such rules.
 */
export function isForbidden(scope: Scope, credential: Credential): Condition | null {
  const rules = scope.lifecycle.registry('forbids')
  return rules.length === 0 ? null : or(...rules.map((forbids) => forbids(scope, credential)))!
}

/** The condition that a credential is not forbidden, for a batch that writes one. */
export function isAllowed(scope: Scope, credential: Credential): Condition {
  const forbidden = isForbidden(scope, credential)
  return forbidden === null ? sql`true` : sql`not coalesce(${forbidden}, 1)`
}
