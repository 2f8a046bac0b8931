import { Buffer } from 'node:buffer'
import type { Scope } from '../../../identity/scope.ts'
import { open, seal } from '../../../kit/encrypt.ts'
import { AppError, HookRefusal, passFault } from '../../../kit/errors.ts'
import { randomString } from '../../../kit/random.ts'
import { after, hours, minutes } from '../../../kit/time.ts'
import { withQuery } from '../../../kit/urls.ts'
import { failureOf } from '../../social/callback/callback.ts'
import type { AuthorizationParameters } from '../../social/model/authorization.ts'
import type { CallbackOutcome } from '../../social/model/callback-outcome.ts'
import { putState, takeState } from '../../social/model/state.ts'
import { acsPathOf, entityIdOf, ownKeysOf, signsRequests, urlOf } from '../connections/present-connection.ts'
import type { SamlConfig } from '../model/connection-config.ts'
import { type Connection, draftOf, providerOf } from '../model/connections.table.ts'
import { connectionById } from '../model/model.store.ts'
import { SamlError } from '../saml/failure.ts'
import { authnRequest } from '../saml/messages.ts'
import { redirectUrl } from '../saml/redirect-binding.ts'
import { type Assertion, verifyResponse } from '../saml/verify-response.ts'
import { finishSsoSignIn } from './finish-sign-in.ts'
import { outcomeOfTest } from './required-claims.ts'
import { samlPerson } from './saml-person.ts'
import { settle } from './settle.ts'

/** Starts a sign-in at a SAML identity provider. @returns its URL */
export async function startSaml(
  scope: Scope,
  connection: Connection,
  request: AuthorizationParameters,
): Promise<string> {
  const { ssoUrl: destination } = connection.config as SamlConfig
  const id = `${request.test ? testPrefix : '_'}${randomString(32)}`
  const state = await putState(
    scope,
    {
      provider: providerOf(connection),
      callbackPath: acsPathOf(connection),
      callbackURL: request.callbackURL || scope.settings.baseUrl,
      ...(request.newUserCallbackURL ? { newUserURL: request.newUserCallbackURL } : {}),
      ...(request.errorCallbackURL ? { errorURL: request.errorCallbackURL } : {}),
      nonce: id,
      scopes: [],
      ...(request.test ? { test: request.test } : {}),
    },
    null,
  )
  const recipient = urlOf(scope, acsPathOf(connection))
  const issuer = entityIdOf(scope, connection)
  const message = authnRequest({ id, issuedAt: scope.now(), destination, recipient, issuer })
  const [privateKey = null] = signsRequests(connection) ? await ownKeysOf(scope, connection) : []
  return redirectUrl(destination, 'SAMLRequest', message, state, privateKey)
}

/**
 * The page on which the user confirms a sign-in that the identity provider or a link has asked for. Without it, a foreign
 * page could sign the browser in to an account of an attacker's organization (login CSRF).
 */
const confirmationPage = (scope: Scope, connectionId: string): string =>
  withQuery(`${scope.settings.baseUrl}/sign-in/organization`, { connection: connectionId })

/** The request of a test has another id: its response is verified with the newest configuration, which may be a draft. */
const testPrefix = '_test-'
const answersTest = /\sInResponseTo\s*=\s*["']_test-/

/** A verified response, until the browser that started the sign-in comes for it. */
interface Answer {
  connectionId: string
  relayState: string
  assertion: Assertion
}

const kind = 'saml-answer'
const lifetime = minutes(2)

/** The maximum time for which the use of an assertion is recorded. */
const useLifetime = hours(1)

/**
 * Receives the form post of the identity provider. It comes from another site, without the cookie that binds the sign-in
 * to its browser (SameSite=Lax): a verified response waits as a one-time record for the next GET of that browser. An
 * unsolicited response is never used. If the connection allows them, it leads to a page that starts a sign-in of ours.
 */
export async function receiveResponse(
  scope: Scope,
  id: string,
  { SAMLResponse, RelayState = '' }: { SAMLResponse: string; RelayState?: string | undefined },
): Promise<CallbackOutcome> {
  const [connection] = await connectionById(scope.db, id)
  if (connection?.type !== 'saml') return { error: 'sso_connection_not_found' }
  const finish = (query: Record<string, string>) => ({ to: withQuery(urlOf(scope, `/sso/saml2/finish/${id}`), query) })
  let assertion: Assertion
  let isTest = false
  try {
    const xml = decoded(SAMLResponse)
    isTest = answersTest.test(xml)
    const { entityId: issuer, certificates } = (isTest ? draftOf(connection) : connection).config as SamlConfig
    const expected = {
      certificates,
      issuer,
      audience: entityIdOf(scope, connection),
      recipient: urlOf(scope, acsPathOf(connection)),
      privateKeys: await ownKeysOf(scope, connection),
      now: scope.now(),
    }
    assertion = await verifyResponse(xml, expected)
  } catch (thrown) {
    if (!(thrown instanceof SamlError)) throw thrown
    scope.log('info', 'saml-response-refused', {
      connection: id,
      reason: `${thrown.code}: ${thrown.message.slice(0, 200)}`,
    })
    return finish({ error: thrown.code, state: RelayState })
  }
  if (isTest !== (assertion.inResponseTo?.startsWith(testPrefix) ?? false)) {
    return finish({ error: 'saml_wrong_request', state: RelayState })
  }
  if (assertion.inResponseTo === null) {
    const { acceptsIdpInitiated } = connection.config as SamlConfig
    const isAnswer = /^[\w-]{32}$/.test(RelayState)
    if (!acceptsIdpInitiated || isAnswer || connection.state !== 'active') return { error: 'saml_unsolicited' }
    return { to: confirmationPage(scope, id) }
  }
  const ticket = randomString(32)
  const answer: Answer = { connectionId: id, relayState: RelayState, assertion }
  const value = await seal(scope.settings.secrets, JSON.stringify(answer))
  await scope.records.put(kind, ticket, { value, expiresAt: after(scope.now(), lifetime).getTime() })
  return finish({ ticket })
}

function decoded(text: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(Buffer.from(text, 'base64'))
  } catch {
    throw new SamlError('saml_invalid_document', 'the response is not base64')
  }
}

/** Finishes a sign-in in the browser that started it. */
export async function finishSaml(
  scope: Scope,
  id: string,
  {
    ticket,
    state: relayState = '',
    error,
  }: { ticket?: string | undefined; state?: string | undefined; error?: string | undefined },
): Promise<CallbackOutcome> {
  const taken = ticket ? await scope.records.take(kind, ticket) : null
  const answer: Answer | null =
    taken?.kind === 'taken' ? JSON.parse(await open(scope.settings.secrets, taken.value)) : null
  const state = await takeState(scope, answer?.relayState ?? relayState)
  const [connection] = await connectionById(scope.db, id)
  if (!state || connection?.type !== 'saml' || state.callbackPath !== acsPathOf(connection)) {
    return { error: 'please_restart_the_process' }
  }
  const attributes = (answer?.assertion.attributes ?? []).map(({ name }) => name).slice(0, 100)
  const enter = async (): Promise<CallbackOutcome> => {
    if (error !== undefined) return { error: /^saml_[a-z_]{1,40}$/.test(error) ? error : 'saml_invalid_document' }
    if (answer?.connectionId !== id || answer.assertion.inResponseTo !== state.nonce) {
      return { error: 'saml_wrong_request' }
    }
    const { assertion } = answer
    const person = samlPerson(connection, assertion)
    if (state.test) return outcomeOfTest(person, state.callbackURL)
    const used = new HookRefusal(400, 'saml_assertion_used', 'The assertion was used')
    // The request that it answers is taken, so that a longer validity needs no longer record.
    const expiresAt = new Date(Math.min(assertion.expiresAt, after(scope.now(), useLifetime).getTime()))
    const use = { kind: 'saml-assertion', token: `${id}:${assertion.id}`, expiresAt }
    try {
      return await finishSsoSignIn(scope, connection, state, person, (work) => work.use(use, () => used))
    } catch (thrown) {
      if (!(thrown instanceof AppError)) passFault(thrown)
      return failureOf(thrown)
    }
  }
  return settle(scope, connection, state, { errorURL: state.errorURL, ...(await enter()) }, attributes)
}
