import type { Scope } from '../../identity/scope.ts'
import { setSessionCookies } from '../../identity/sessions/session-cookies.ts'
import { claimByToken } from '../../identity/sessions/sessions.ts'
import { failAt } from '../social/callback.ts'
import { takeOver } from '../social/proxy/handover.ts'
import { browserMark } from '../social/state.ts'

/**
 * Gives this browser the session that production has just made for it. The session exists and has come from
 * completeSignIn; only its cookies are set here.
 * @throws RedirectError when the handover is not ours, not for this browser, too old, or used
 */
export async function acceptHandover(scope: Scope, sealed: string): Promise<void> {
  const token = await takeOver(scope, sealed, browserMark(scope))
  const found = token === null ? null : await claimByToken(scope, token, 'cookie').find()
  if (!found) return failAt(scope, undefined, 'OAuthProxy_Invalid_cookies_or_secret')
  setSessionCookies(scope, found.session, found.user, true)
}
