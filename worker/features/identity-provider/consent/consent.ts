import { randomBytes } from 'node:crypto'
import type { Caller, Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { randomString } from '../../../kit/random.ts'
import { after } from '../../../kit/time.ts'
import { type ConsentHTML, type ConsentQuestion, identityProviderOptions } from '../identity-provider.config.ts'
import { identityProviderErrors, oauthError } from '../identity-provider.errors.ts'
import { type Client, mayRefresh } from '../model/clients/client.ts'
import { isDocumentId } from '../model/clients/metadata-document.ts'
import { issueAuthorizationCode } from '../model/grants/authorization-code.ts'
import { addConsent } from '../model/grants/consents.store.ts'
import { consentScopes, type RequestedCode } from '../model/grants/grant.ts'
import { detailWords, sentenceIn } from '../model/protocol/authorization-details.ts'
import { readResources } from '../model/protocol/known-resources.ts'
import { organizationNamesOf } from '../model/protocol/organization-resources.ts'
import { words } from '../model/protocol/parameters.ts'
import { scopeWords } from '../model/protocol/resources.ts'
import { pageUrl } from '../model/protocol/urls.ts'
import { type AnswerTarget, answerClient } from '../model/requests/client-answer.ts'
import { forgetPushed, type PushedRequest, pushedUse } from '../model/requests/pushed-request.ts'

/** An authorization that waits for the user's answer, bound to the session in which the question was shown. */
interface PendingConsent {
  requested: RequestedCode
  sessionId: string
  /** Where the answer goes. */
  target: AnswerTarget
  /** Path and query of the request. */
  url: string
  client: ShownClient
  /** Seconds. */
  accessExpiresIn: number
  /** The pushed request that the answer uses. */
  pushed?: PushedRequest | null
}

/** What the consent page shows of a client. */
interface ShownClient {
  clientId: string
  name: string
  icon: string | null
  uri: string | null
  policyUri: string | null
  tosUri: string | null
  /** The host of the document that describes the client, if no registration does. */
  documentHost: string | null
  /** The configuration does not name the client: its name and icon are its own statement. */
  selfRegistered: boolean
}

const cookie = 'oidc_consent_prompt'
const kind = 'consent'

const shown = ({ clientId, name, icon, registration, selfRegistered }: Client): ShownClient => ({
  clientId,
  name,
  icon,
  uri: registration.client_uri ?? null,
  policyUri: registration.policy_uri ?? null,
  tosUri: registration.tos_uri ?? null,
  documentHost: isDocumentId(clientId) ? new URL(clientId).host : null,
  selfRegistered,
})

/** Stores the question. @returns the address of the consent page, or the page @throws NO_CONSENT_PAGE_PROVIDED */
export async function askConsent(
  scope: Scope,
  asked: {
    requested: RequestedCode
    caller: Caller
    client: Client
    target: AnswerTarget
    url: string
    pushed: PushedRequest | null
  },
): Promise<string | Response> {
  const { consentPage, consentHTML, promptExpiresIn } = identityProviderOptions.of(scope)
  if (!consentPage && !consentHTML) throw identityProviderErrors.NO_CONSENT_PAGE_PROVIDED()
  const { requested, caller, client, target, url, pushed } = asked
  const id = randomString(32)
  const accessExpiresIn = accessLifetime(scope, client, requested.scopes)
  const pending: PendingConsent = {
    requested,
    sessionId: caller.session.id,
    target,
    url,
    client: shown(client),
    pushed,
    accessExpiresIn,
  }
  const expiresAt = after(scope.now(), promptExpiresIn).getTime()
  await scope.records.put(kind, id, { value: JSON.stringify(pending), expiresAt })
  scope.response.cookies.setSigned(cookie, id, { maxAge: promptExpiresIn })
  const { clientId } = requested
  const scopes = consentScopes(requested)
  if (consentHTML) {
    const { name: clientName, icon: clientIcon, metadata: clientMetadata, selfRegistered } = client
    const about = { clientId, clientName, clientIcon, clientMetadata, selfRegistered }
    return consentHTMLPage(consentHTML, {
      scopes,
      authorizationDetails: detailWords(scope, requested.details).map(({ sentence }) =>
        sentenceIn(sentence, scope.language),
      ),
      ...about,
      accessExpiresIn,
      code: id,
    })
  }
  const search = { client_id: clientId, scope: scopes.join(' '), consent_code: id }
  return pageUrl(consentPage!, new URLSearchParams(search))
}

/** The consent page of a product's function. Its scripts may call this origin only. */
async function consentHTMLPage(make: ConsentHTML, question: Omit<ConsentQuestion, 'nonce'>): Promise<Response> {
  const nonce = randomBytes(16).toString('base64')
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
    "img-src 'self' https: data:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ]
  return new Response(await make({ ...question, nonce }), {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy.join('; ') },
  })
}

/** The id of the question: the one that the page names, or that of this browser. @throws invalid_request */
function pendingId(scope: Scope, named: string | undefined): string {
  const id = named ?? scope.response.cookies.getSigned(cookie)
  if (!id) throw oauthError('invalid_request', 'No consent prompt found', { status: 401 })
  return id
}

const expired = () => oauthError('invalid_request', 'Code expired', { status: 401 })
const invalid = () => oauthError('invalid_request', 'Invalid code', { status: 401 })

/** @throws invalid_request unless the question waits for an answer in this session */
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

/** What the consent page shows. @throws invalid_request */
export async function readConsent(scope: Scope, caller: Caller, named: string | undefined) {
  const { user } = caller
  const { pending } = await findPending(scope, pendingId(scope, named), caller)
  const { requested, client, url, accessExpiresIn } = pending
  await readResources(scope)
  return {
    client,
    redirectHost: new URL(requested.redirectUri).host || new URL(requested.redirectUri).protocol,
    scopes: consentScopes(requested),
    scopeWords: scopeWords(scope, requested.scopes),
    authorizationDetails: detailWords(scope, requested.details),
    accessExpiresIn,
    resource: requested.resource,
    organizations: await organizationNamesOf(scope, words(requested.resource ?? undefined)),
    user: { name: user.name, email: user.email, image: user.image },
    switchAccountURL: withLogin(url),
  }
}

/** How long the client keeps access without the user, in seconds: with refresh tokens, until their absolute lifetime ends. */
function accessLifetime(scope: Scope, client: Client, scopes: readonly string[]): number {
  const { accessTokenExpiresIn, refreshTokenMaxLifetime } = identityProviderOptions.of(scope)
  return scopes.includes('offline_access') && mayRefresh(client) ? refreshTokenMaxLifetime : accessTokenExpiresIn
}

/** The same request with a login first. */
function withLogin(url: string): string {
  const [path = '', search] = url.split('?')
  const parameters = new URLSearchParams(search)
  const prompts = words(parameters.get('prompt') ?? '').filter((prompt) => prompt === 'consent')
  parameters.set('prompt', [...prompts, 'login'].join(' '))
  return pageUrl(path, parameters)
}

/** The user's answer. @returns the client's address, with a code or an error @throws invalid_request */
export async function answerConsent(
  scope: Scope,
  caller: Caller,
  { accept, consent_code: named }: { accept: boolean; consent_code?: string | undefined },
): Promise<string> {
  const id = pendingId(scope, named)
  const { pending, expiresAt } = await findPending(scope, id, caller)
  const { requested, client, pushed } = pending
  // Stored by an earlier version, a question has the state alone.
  const { state } = pending as { state?: string }
  const { redirectUri, clientId } = requested
  const target = pending.target ?? { clientId, redirectUri, state, mode: undefined, alg: 'RS256' }
  scope.response.cookies.clear(cookie)
  if (!accept) {
    await scope.records.drop(kind, id)
    const refused = { error: 'access_denied', error_description: 'User denied access' }
    return answerClient(scope, target, refused)
  }
  // Before the commit, because a used consent without a code is useless; the client gets the code after it.
  const code = await issueAuthorizationCode(scope, requested, caller)
  const work = unitOfWork(scope, invalid)
  work.use({ kind, token: id, expiresAt })
  if (pushed) work.use(pushedUse(pushed))
  work.run(addConsent(scope, caller.user.id, client, consentScopes(requested)))
  await work.commit()
  if (pushed) forgetPushed(scope, pushed)
  return answerClient(scope, target, { code })
}
