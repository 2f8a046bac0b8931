import { accountOptions } from '../../../identity/accounts/accounts.config.ts'
import type { Scope } from '../../../identity/scope.ts'
import { refreshSessionCookies } from '../../../identity/sessions/sessions.ts'
import type { CallbackOutcome } from '../model/callback-outcome.ts'
import { linkIdentity } from '../model/link-identity.ts'
import type { ProvenIdentity } from '../model/sign-in-by-identity.ts'
import type { AuthorizationState } from '../model/state.ts'

/** Links an identity to the user who started it. This user must still be signed in in this browser. */
export async function finishLink(
  scope: Scope,
  { link, callbackURL }: AuthorizationState,
  identity: ProvenIdentity,
  sameEmailToLink: boolean,
): Promise<CallbackOutcome> {
  const caller = await scope.caller()
  if (caller?.user.id !== link!.userId) {
    return { error: 'unable_to_link_account', detail: 'another user is signed in' }
  }
  const { allowDifferentEmails } = accountOptions.of(scope).accountLinking
  if (sameEmailToLink && !allowDifferentEmails && identity.person.email !== caller.user.email) {
    return { error: "email_doesn't_match" }
  }
  const linked = await linkIdentity(scope, caller, identity)
  if (linked.kind === 'refused') return { error: linked.reason }
  if (linked.user !== caller.user) refreshSessionCookies(scope, caller, linked.user)
  return { to: callbackURL }
}
