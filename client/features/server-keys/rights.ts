import type { Permissions } from '../../../worker/kit/permissions.ts'
import { serverPermissionNames, serverPermissions } from '../../../worker/kit/server-permissions.ts'
import { useConfig, useMember } from '../../lib/api.ts'
import { administratorMay } from '../../lib/permissions.ts'

/** What the administrator may do with keys, and the permissions that they may grant. */
export function useKeyRights() {
  const roles = useConfig().admin?.roles ?? {}
  const { user } = useMember()
  const may = (wanted: Permissions) => administratorMay(roles, user.role ?? '', wanted)
  return { may, grantable: serverPermissionNames.filter((name) => may(serverPermissions[name])) }
}
