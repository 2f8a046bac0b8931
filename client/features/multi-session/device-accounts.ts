import { useQuery } from '@tanstack/react-query'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import type { Session, User } from '../../lib/auth/endpoints.ts'
import { unwrap } from '../../lib/call-error.ts'

export interface DeviceAccount {
  session: Session
  user: User
}

/** Whether this browser may hold several accounts; an administrator in somebody's place sees theirs alone. */
export function useHoldsAccounts(): boolean {
  const { features } = useConfig()
  const { session } = useMember()
  return Boolean(features.multiSession) && !session.impersonatedBy
}

/** Everybody who is signed in on this browser. A change of the session may be one of these: by its key the list follows. */
export const useDeviceAccounts = () =>
  useQuery({
    queryKey: ['session', 'device'],
    queryFn: () => unwrap(auth.multiSession.listDeviceSessions()) as Promise<DeviceAccount[]>,
    enabled: useHoldsAccounts(),
  })
