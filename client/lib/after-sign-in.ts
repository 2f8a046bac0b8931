import { useLocation } from 'wouter'
import type { SignInAnswer } from './auth/endpoints.ts'
import { continuation } from './continuation.ts'
import { lastUsed } from './last-used.ts'

/**
 * What follows a sign-in on a screen of its own: the way is remembered, and the person goes to where they were going.
 * Other sites and the second factor are the client's part (lib/auth/client.ts).
 */
export function useAfterSignIn(way: string): (answer: SignInAnswer) => void {
  const [, navigate] = useLocation()
  return ({ twoFactorRedirect, redirect, url }) => {
    lastUsed.set(way)
    if (twoFactorRedirect || (redirect && url)) return
    navigate(continuation().path ?? '/account/profile')
  }
}

/** The callback, where only the server may say whether to go there: it is another site's. */
export const foreignCallback = (): string | undefined => {
  const { host, callbackURL } = continuation()
  return host ? callbackURL : undefined
}
