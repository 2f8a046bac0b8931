import { useLocation } from 'wouter'
import { useAction } from '../../lib/action.ts'
import { auth, useConfig } from '../../lib/api.ts'
import type { Result } from '../../lib/auth/types.ts'
import { useLoad } from '../../lib/auth/use-view.ts'
import { typed } from '../../lib/typed.ts'
import type { DeviceAccount } from './device-accounts.ts'

/**
 * For screens that need another account than the current one: switches to an account of this browser, otherwise leads
 * to the sign-in. Both return to this page.
 * @param email the address of the other account, if it is known
 */
export function useOtherAccount(email?: string) {
  const [, navigate] = useLocation()
  const { features, multiSession } = useConfig()
  const accounts = useLoad(
    async (): Promise<Result<DeviceAccount[]>> =>
      features.multiSession ? auth.multiSession.listDeviceSessions() : { data: [], error: null },
  )
  const held = accounts.data ?? []
  const account = held.find(({ user }) => user.email === email)
  const mayAdd = features.multiSession && held.length < (multiSession?.maximumSessions ?? 1)
  const change = useAction(
    async (): Promise<Result<unknown>> => {
      if (account) return auth.multiSession.setActive({ sessionToken: account.session.token })
      return mayAdd ? { data: null, error: null } : auth.signOut()
    },
    () => {
      if (account) return
      if (email) typed.set(email)
      const here = encodeURIComponent(location.pathname + location.search)
      navigate(`/sign-in?callbackURL=${here}${mayAdd ? '&add=account' : ''}`)
    },
  )
  return { isPending: accounts.isPending, ...change }
}
