import { html } from 'hono/html'
import { plainPage } from '../../../http/pages/plain-page.ts'
import { isOwnSession } from '../../../identity/caller.ts'
import type { Scope } from '../../../identity/scope.ts'
import { signOutOf } from '../../../identity/sessions/sign-out.ts'
import { defineTexts, fill } from '../../../kit/texts.ts'
import { withQuery } from '../../../kit/urls.ts'
import { textsIn } from '../../../languages/texts.ts'
import { identityProviderOptions } from '../identity-provider.config.ts'
import type { Client } from '../model/clients/client.ts'
import { findParties, type Parties } from '../model/grants/find-parties.ts'
import { readIdTokenHint } from '../model/grants/id-token.ts'
import { subjectOf } from '../model/grants/subjects.ts'
import { type Parameters, readParameters } from '../model/protocol/parameters.ts'

/**
 * Signs the user out on behalf of a client (OpenID Connect RP-Initiated Logout, section 2). Without an id token of this
 * user a page asks first, so that another site cannot sign users out. Only a trusted client, or one with the user's
 * consent, is redirected to without a page: any other could bring an id token of another user (RFC 9700, section
 * 4.11.2).
 */
export async function endSessionForClient(scope: Scope, search: string): Promise<string | Response> {
  const { given } = readParameters(new URLSearchParams(search))
  const { client, caller, consent, sub } = await readHint(scope, given)
  if (caller && !(client && isOwnSession(caller) && (await subjectOf(scope, caller.user.id, client)) === sub)) {
    return identityProviderOptions.of(scope).logoutPage
  }
  if (caller) await signOutOf(scope, caller.session.token)
  const target = client && returnAddress(client, given)
  if (!target) return scope.settings.baseUrl
  return client.trusted || consent?.consentGiven ? target : signedOutPage(scope, client, target)
}

/** The parties of a hint and its subject; without a valid hint, the caller only. */
async function readHint(scope: Scope, given: Parameters): Promise<Parties & { sub: string | null }> {
  const hint = given.id_token_hint ? await readIdTokenHint(scope, given.id_token_hint) : null
  if (!hint || (given.client_id !== undefined && given.client_id !== hint.clientId)) {
    return { client: null, caller: await scope.caller(), consent: null, sub: null }
  }
  return { ...(await findParties(scope, hint.clientId)), sub: hint.sub }
}

/** Section 3: exactly a registered address; null for any other. */
function returnAddress({ registration }: Client, { post_logout_redirect_uri: uri, state }: Parameters): string | null {
  const registered = registration.post_logout_redirect_uris ?? []
  return uri !== undefined && registered.includes(uri) ? withQuery(uri, { state }) : null
}

function signedOutPage(scope: Scope, { name }: Client, target: string): Response {
  const { title, sentence, goOn } = textsIn(signedOutTexts, scope.language, scope.shared.brand.texts)
  const { host, protocol } = new URL(target)
  const main = html`<p>${fill(sentence, { name }, scope.language)}</p>
      <a class="button" href="${target}" rel="noreferrer">${fill(goOn, { host: host || protocol }, scope.language)}</a>`
  return plainPage(scope, { title, main })
}

/** The page after a sign-out that a client requested. */
const signedOutTexts = defineTexts('page/signedOut', {
  title: 'You are signed out',
  sentence: 'The application “{name}” asked for this and wants to take you to its own page.',
  goOn: 'Continue to {host}',
})
