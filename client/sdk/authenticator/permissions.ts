import { mayDo, type Permissions } from '../../../worker/kit/permissions.ts'
import type { Binding } from './binding.ts'
import { type Gatehouse, GatehouseUnavailable, jsonOf } from './gatehouse.ts'
import { credentialsOf } from './read-session.ts'
import type { AuthenticatorOptions } from './types.ts'

/** Whose permissions are asked for. */
interface Holder {
  user: { id: string; role?: unknown }
  /** Null for a JWT. */
  session: { activeOrganizationId?: unknown } | null
  headers: Headers
}

/** Decides whether the roles of a caller, in the deployment or in an organization, permit everything. */
export function permissionCheck(
  { url, ask, operate }: Gatehouse,
  options: AuthenticatorOptions,
): (holder: Holder, wanted: Permissions, organization: string | undefined) => Promise<boolean> {
  const { cookiePrefix = 'gatehouse', serverKey, roles } = options
  const binding = options.binding as Binding | undefined

  return async ({ user, session, headers }, wanted, organization) => {
    if (Object.keys(wanted).length === 0) return false
    if (organization === undefined && roles) return mayDo(roles, String(user.role ?? ''), wanted)
    const active = session?.activeOrganizationId
    const organizationId = organization === 'active' ? active : organization
    if (organization === 'active' && typeof active !== 'string') return false
    const input = { userId: user.id, permissions: wanted, ...(organizationId ? { organizationId } : {}) }
    if (binding) {
      try {
        const answer = await binding.hasPermission(input)
        return answer.ok && answer.result.allowed
      } catch {
        // As for the session: it may be reachable over HTTP.
      }
    }
    if (serverKey) {
      const answer = await operate('has-permission', input, [400, 404])
      return answer.ok && (await jsonOf<{ allowed: boolean }>(answer)).allowed
    }
    if (!session) throw new GatehouseUnavailable('Permissions of a JWT need `roles`, `binding` or `serverKey`')
    const path = organizationId ? '/api/auth/organization/has-permission' : '/api/auth/admin/has-permission'
    const body = JSON.stringify({ permissions: wanted, ...(organizationId ? { organizationId } : {}) })
    const own = { ...credentialsOf(headers, cookiePrefix), origin: url, 'content-type': 'application/json' }
    const answer = await ask(path, { method: 'POST', headers: own, body }, [400, 401, 403, 404])
    return answer.ok && (await jsonOf<{ success: boolean }>(answer)).success
  }
}
