import type { Caller, Scope } from '../../../identity/scope.ts'
import { isUsedAlready, usedStatement } from '../../../identity/verifications/used-records.ts'
import { newId, randomString } from '../../../kit/random.ts'
import { after } from '../../../kit/time.ts'
import { withQuery } from '../../../kit/urls.ts'
import { authorizeErrors } from '../authorize/authorize.errors.ts'
import { issueCode } from '../authorize/code.ts'
import type { Granted } from '../authorize/grant.ts'
import type { Client } from '../clients/client.ts'
import { isDocumentId } from '../clients/metadata-document.ts'
import { identityProviderOptions } from '../identity-provider.config.ts'
import { oauthError } from '../identity-provider.errors.ts'
import { issuerOf, pageUrl } from '../issuer.ts'
import { words } from '../parameters.ts'
import { saveConsent } from './consent.store.ts'
import { consentHTMLPage } from './consent-html.ts'

/** An authorization that waits for its person to agree. It is bound to the session that it was asked in. */
interface PendingConsent {
  granted: Granted
  sessionId: string
  state: string | undefined
  /** Path and query of the request. */
  url: string
  client: ShownClient
}

/** A client, as the person who is asked gets to see it. */
export interface ShownClient {
  clientId: string
  name: string
  icon: string | null
  uri: string | null
  policyUri: string | null
  tosUri: string | null
  /** Whose word its name is, where a document describes it and nobody registered it. */
  documentHost: string | null
}

const cookie = 'oidc_consent_prompt'
const kind = 'consent'

const shown = ({ clientId, name, icon, registration }: Client): ShownClient => ({
  clientId,
  name,
  icon,
  uri: registration.client_uri ?? null,
  policyUri: registration.policy_uri ?? null,
  tosUri: registration.tos_uri ?? null,
  documentHost: isDocumentId(clientId) ? new URL(clientId).host : null,
})

/** Asks the person. @returns where the consent page is, or the page itself @throws NO_CONSENT_PAGE_PROVIDED */
export async function askConsent(
  scope: Scope,
  asked: { granted: Granted; caller: Caller; client: Client; state: string | undefined; url: string },
): Promise<string | Response> {
  const { consentPage, consentHTML, promptExpiresIn } = identityProviderOptions.of(scope)
  if (!consentPage && !consentHTML) throw authorizeErrors.NO_CONSENT_PAGE_PROVIDED()
  const { granted, caller, client, state, url } = asked
  const id = randomString(32)
  const pending: PendingConsent = { granted, sessionId: caller.session.id, state, url, client: shown(client) }
  const expiresAt = after(scope.now(), promptExpiresIn).getTime()
  await scope.records.put(kind, id, { value: JSON.stringify(pending), expiresAt })
  scope.cookies.setSigned(cookie, id, { maxAge: promptExpiresIn })
  const { clientId, scopes } = granted
  if (consentHTML) {
    const { name: clientName, icon: clientIcon, metadata: clientMetadata } = client
    return consentHTMLPage(consentHTML, { scopes, clientId, clientName, clientIcon, clientMetadata, code: id })
  }
  const search = { client_id: clientId, scope: scopes.join(' '), consent_code: id }
  return pageUrl(consentPage!, new URLSearchParams(search))
}

/** Which consent is meant: the one that the page names, else the one of this browser. @throws invalid_request */
function pendingId(scope: Scope, named: string | undefined): string {
  const id = named ?? scope.cookies.getSigned(cookie)
  if (!id) throw oauthError('invalid_request', 'No consent prompt found', { status: 401 })
  return id
}

const expired = () => oauthError('invalid_request', 'Code expired', { status: 401 })
const invalid = () => oauthError('invalid_request', 'Invalid code', { status: 401 })

/** @throws invalid_request unless it waits, and for this very session */
async function findPending(
  scope: Scope,
  id: string,
  { session }: Caller,
): Promise<{ pending: PendingConsent; expiresAt: Date }> {
  const peeked = await scope.records.peek(kind, id)
  if (peeked.kind === 'expired') throw expired()
  const pending = peeked.kind === 'there' ? (JSON.parse(peeked.value) as PendingConsent) : null
  if (pending?.sessionId !== session.id) throw invalid()
  return { pending, expiresAt: new Date((peeked as { expiresAt: number }).expiresAt) }
}

/** Who asks, for what, and whom. @throws invalid_request */
export async function readConsent(scope: Scope, caller: Caller, named: string | undefined) {
  const { user } = caller
  const { pending } = await findPending(scope, pendingId(scope, named), caller)
  const { granted, client, url } = pending
  return {
    client,
    redirectHost: new URL(granted.redirectUri).host || new URL(granted.redirectUri).protocol,
    scopes: granted.scopes,
    resource: granted.resource,
    user: { name: user.name, email: user.email, image: user.image },
    switchAccountURL: withLogin(url),
  }
}

/** The same request, which begins by asking who it is. */
function withLogin(url: string): string {
  const [path = '', search] = url.split('?')
  const parameters = new URLSearchParams(search)
  const prompts = words(parameters.get('prompt') ?? '').filter((prompt) => prompt === 'consent')
  parameters.set('prompt', [...prompts, 'login'].join(' '))
  return pageUrl(path, parameters)
}

/** The person has answered. @returns where the browser goes, with a code or a refusal @throws invalid_request */
export async function answerConsent(
  scope: Scope,
  caller: Caller,
  { accept, consent_code: named }: { accept: boolean; consent_code?: string | undefined },
): Promise<string> {
  const id = pendingId(scope, named)
  const { pending, expiresAt } = await findPending(scope, id, caller)
  const { granted, state, client } = pending
  scope.cookies.clear(cookie)
  const iss = issuerOf(scope)
  if (!accept) {
    await scope.records.drop(kind, id)
    const refused = { error: 'access_denied', error_description: 'User denied access' }
    return withQuery(granted.redirectUri, { ...refused, state, iss })
  }
  const now = scope.now()
  const consent = {
    id: newId(),
    clientId: granted.clientId,
    userId: caller.user.id,
    scopes: granted.scopes.join(' '),
    consentGiven: true,
    clientName: client.name,
    createdAt: now,
    updatedAt: now,
  }
  // Nobody has the code before the consent is written, and without it a consent that is used up would lead nowhere.
  const code = await issueCode(scope, granted, caller)
  try {
    await saveConsent(scope.db, usedStatement(scope, kind, id, expiresAt), consent)
  } catch (thrown) {
    throw isUsedAlready(thrown) ? invalid() : thrown
  }
  return withQuery(granted.redirectUri, { code, state, iss })
}
