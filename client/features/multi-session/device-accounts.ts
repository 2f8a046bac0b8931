import { auth, useConfig, useMember } from '../../lib/api.ts'
import type { Session, User } from '../../lib/auth/endpoints.ts'
import { useQuery } from '../../lib/queries.ts'

export interface DeviceAccount {
  session: Session
  user: User
}

/** Whether this browser may hold several accounts. During an impersonation only the impersonated account is shown. */
export function useHoldsAccounts(): boolean {
  const { features } = useConfig()
  const { session } = useMember()
  return Boolean(features.multiSession) && !session.impersonatedBy
}

/**
 * The accounts of this browser. The key begins with `session`, so that changes of the session refresh it.
 * @param wanted a menu reads them when the pointer or the focus reaches it
 */
export const useDeviceAccounts = (wanted = true) =>
  useQuery(['session', 'device'], () => auth.multiSession.listDeviceSessions(), useHoldsAccounts() && wanted)
