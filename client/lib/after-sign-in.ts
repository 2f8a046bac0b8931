import { useLocation } from 'wouter'
import type { SignInAnswer } from './auth/endpoints.ts'
import { useContinuation } from './continuation.ts'
import { signingIn } from './cookies.ts'
import { lastUsed, type UsedMethod } from './last-used.ts'

/**
 * What a sign-in screen does after success: it stores the method and navigates to the second factor or the
 * continuation. lib/auth/client.ts handles other sites.
 */
export function useAfterSignIn(method: UsedMethod): (answer: SignInAnswer) => void {
  const [, navigate] = useLocation()
  const { path, query } = useContinuation()
  return ({ twoFactorRedirect, redirect, url }) => {
    lastUsed.set(method)
    signingIn.set(!twoFactorRedirect)
    if (twoFactorRedirect) navigate(`/two-factor${query}`)
    else if (!redirect || !url) navigate(path ?? '/account/profile')
  }
}
