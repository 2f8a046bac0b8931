import type { Scope } from '../../../../identity/scope.ts'
import { organizationOf } from './known-resources.ts'
import { selectMemberships, selectNames } from './resources.store.ts'

const ownersOf = (scope: Scope, resources: readonly string[]): string[] => [
  ...new Set(resources.map((resource) => organizationOf(scope, resource)).filter((owner) => owner !== null)),
]

/** The names of the organizations to which some resources belong. @param resources in their normal form */
export async function organizationNamesOf(scope: Scope, resources: readonly string[]): Promise<string[]> {
  const organizations = ownersOf(scope, resources)
  if (organizations.length === 0) return []
  scope.io.declare({ d1: 1 })
  return (await selectNames(scope.db, organizations)).map(({ name }) => name)
}

/**
 * Those of some resources for which a user can have tokens: that of an organization is for its members only. The statements that issue and
 * find tokens check it, too. @param resources in their normal form
 */
export async function openTo(scope: Scope, userId: string, resources: readonly string[]): Promise<string[]> {
  const owners = resources.map((resource) => organizationOf(scope, resource))
  const organizations = ownersOf(scope, resources)
  if (organizations.length === 0) return [...resources]
  scope.io.declare({ d1: 1 })
  const own = (await selectMemberships(scope.db, userId, organizations)).map(({ id }) => id)
  return resources.filter((_, index) => owners[index] === null || own.includes(owners[index]!))
}
