import type { Scope } from '../../identity/scope.ts'
import { mayDo } from '../../kit/permissions.ts'
import { organizationOptions } from '../organization/membership/membership.config.ts'

/** The roles of an organization whose members may do something with its keys; none where organizations are off. */
export function rolesThatMay(scope: Pick<Scope, 'options'>, action: 'create' | 'read' | 'update' | 'delete'): string[] {
  const { enabled, roles } = organizationOptions.of(scope)
  return enabled ? Object.keys(roles).filter((name) => mayDo(roles, name, { apiKey: [action] })) : []
}
