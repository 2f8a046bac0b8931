import { useLocation } from 'wouter'
import type { SignInAnswer } from './auth/endpoints.ts'
import { continuation } from './continuation.ts'
import { signingIn } from './cookies.ts'
import { lastUsed } from './last-used.ts'

/**
 * What a sign-in screen does after success: it stores the method and navigates to the continuation. lib/auth/client.ts
 * handles other sites and the second factor.
 */
export function useAfterSignIn(way: string): (answer: SignInAnswer) => void {
  const [, navigate] = useLocation()
  return ({ twoFactorRedirect, redirect, url }) => {
    lastUsed.set(way)
    signingIn.set(!twoFactorRedirect)
    if (twoFactorRedirect || (redirect && url)) return
    navigate(continuation().path ?? '/account/profile')
  }
}

/** A callback on another site, which only the server can validate. */
export const foreignCallback = (): string | undefined => {
  const { host, callbackURL } = continuation()
  return host ? callbackURL : undefined
}
