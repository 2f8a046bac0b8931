import { useAction } from './action.ts'
import { auth, useConfig } from './api.ts'
import type { Result } from './auth/types.ts'
import { deployment } from './deployment.ts'
import { leave } from './leave.ts'

/**
 * Signs out. A session of single sign-on also ends at its identity provider, if the connection has a single logout: the
 * browser goes there, and comes back to the sign-in.
 * @param done unless the browser leaves the page
 */
export function useSignOut(done: () => void) {
  const { features } = useConfig()
  /** Whether the browser leaves. */
  const end = async (): Promise<Result<boolean>> => {
    if (features.singleSignOn) {
      const callbackURL = deployment.origin ? location.href : '/sign-in'
      const { data } = await auth.sso.signOut({ callbackURL })
      if (data && data.url !== callbackURL) leave(data.url)
      if (data) return { data: data.url !== callbackURL, error: null }
    }
    // An administrator's session as another user, or one that has ended, is signed out here alone.
    const { error } = await auth.signOut()
    return error ? { data: null, error } : { data: false, error: null }
  }
  return useAction(end, (left) => {
    if (!left) done()
  })
}
