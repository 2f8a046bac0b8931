import type { ReactNode } from 'react'
import { hasRole, mayDo, type Permissions } from '../../../worker/kit/permissions.ts'
import { useBillingState } from '../../features/billing/billing-data.ts'
import { auth, useConfig } from '../../lib/api.ts'
import type { Member } from '../../lib/auth/endpoints.ts'
import { useQuery } from '../../lib/queries.ts'

export interface ProtectProps {
  /** Permissions that the user needs: `{ project: ['create'] }`. */
  permission?: Permissions
  /** A role that the user needs, or several of which one is enough. */
  role?: string | readonly string[]
  /**
   * `active`: the membership in the active organization decides about `permission` and `role`. Without it, the roles of
   * the deployment decide.
   */
  organization?: 'active'
  /** The slug of a product that the user has an active subscription for, or several of which one is enough. */
  plan?: string | readonly string[]
  /** For visitors and for users without the rights. Nothing is rendered until they are known. */
  fallback?: ReactNode
  children: ReactNode
}

/** Decides what the page shows. It protects no data: the server checks each request. */
export default function Protect(props: ProtectProps) {
  const { data, isPending, error } = auth.useSession()
  if (data) return <ForUser {...props} member={data} />
  return !isPending && !error && props.fallback
}

const oneOf = (wanted: string | readonly string[]) => (typeof wanted === 'string' ? [wanted] : wanted)

function ForUser({
  permission,
  role,
  organization,
  plan,
  fallback,
  children,
  member,
}: ProtectProps & { member: Member }) {
  const config = useConfig()
  const ofOrganization = organization === 'active'
  const { activeOrganizationId } = member.session
  const asksMembership = ofOrganization && Boolean(activeOrganizationId && (permission || role))
  const membership = useQuery(
    ['activeMember', member.user.id, activeOrganizationId ?? null],
    () => auth.organization.getActiveMember(),
    asksMembership,
  )
  const billing = useBillingState(plan !== undefined)
  if (config.isPending || (asksMembership && isLoading(membership)) || (plan !== undefined && isLoading(billing))) {
    return null
  }
  const held = (ofOrganization ? asksMembership && membership.data?.role : member.user.role) || ''
  const roles = (ofOrganization ? config.organization?.roles : config.admin?.roles) ?? {}
  const bought = new Set(billing.data?.activeSubscriptions.map(({ productId }) => productId as string))
  const productIds = (config.billing?.products ?? [])
    .filter(({ slug }) => oneOf(plan ?? []).includes(slug))
    .map(({ productId }) => productId)
  const allowed =
    (!role || oneOf(role).some((name) => hasRole(held, name))) &&
    (!permission || mayDo(roles, held, permission)) &&
    (plan === undefined || productIds.some((id) => bought.has(id)))
  return allowed ? children : fallback
}

/** A failure is final: without an answer the user has no rights. */
const isLoading = ({ data, error }: { data: unknown; error: unknown }) => !data && !error
