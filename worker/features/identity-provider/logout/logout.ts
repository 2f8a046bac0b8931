import { isOwnSession } from '../../../identity/caller.ts'
import type { Caller, Scope } from '../../../identity/scope.ts'
import { signOutOf } from '../../../identity/sessions/sessions.ts'
import { withQuery } from '../../../kit/urls.ts'
import type { Client } from '../clients/client.ts'
import { findClient } from '../clients/find-client.ts'
import { identityProviderOptions } from '../identity-provider.config.ts'
import { type Parameters, readParameters } from '../parameters.ts'
import { subjectOf } from '../token/claims.ts'
import { readIdTokenHint } from '../token/id-token.ts'

/** Whose id token a client has shown. */
interface Hinted {
  client: Client
  sub: string
}

/**
 * A client asks us to sign its person out (OpenID Connect RP-Initiated Logout, section 2). Only an id token of this
 * very person shows that it is theirs; otherwise the person is asked, so that no foreign page signs anybody out.
 * @returns where the browser goes
 */
export async function endSessionForClient(scope: Scope, search: string): Promise<string> {
  const { given } = readParameters(new URLSearchParams(search))
  const hinted = await readHint(scope, given)
  const caller = await scope.caller()
  if (caller && !(hinted && isOwnSession(caller) && isSame(scope, caller, hinted))) {
    return identityProviderOptions.of(scope).logoutPage
  }
  if (caller) await signOutOf(scope, caller.session.token)
  return hinted ? goBack(scope, hinted.client, given) : scope.settings.baseUrl
}

async function readHint(scope: Scope, given: Parameters): Promise<Hinted | null> {
  const hint = given.id_token_hint ? await readIdTokenHint(scope, given.id_token_hint) : null
  if (!hint || (given.client_id !== undefined && given.client_id !== hint.clientId)) return null
  const client = await findClient(scope, hint.clientId)
  return client && { client, sub: hint.sub }
}

const isSame = (scope: Scope, { user }: Caller, { client, sub }: Hinted): boolean =>
  subjectOf(scope, user.id, client) === sub

/** Section 3: exactly an address that was registered for it, or nowhere but here. */
function goBack(scope: Scope, { registration }: Client, { post_logout_redirect_uri: uri, state }: Parameters): string {
  const registered = registration.post_logout_redirect_uris ?? []
  return uri !== undefined && registered.includes(uri) ? withQuery(uri, { state }) : scope.settings.baseUrl
}
