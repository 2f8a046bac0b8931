import { Buffer } from 'node:buffer'
import type { Caller, Scope } from '../../../identity/scope.ts'
import { endSessions } from '../../../identity/sessions/sessions.ts'
import { signOutOf } from '../../../identity/sessions/sign-out.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { connectionPrefix } from '../../../kit/connection-id.ts'
import { AppError } from '../../../kit/errors.ts'
import { randomString } from '../../../kit/random.ts'
import { after, hours, minutes } from '../../../kit/time.ts'
import type { CallbackOutcome } from '../../social/model/callback-outcome.ts'
import { entityIdOf, logoutPathOf, ownKeysOf, urlOf } from '../connections/present-connection.ts'
import type { SamlConfig } from '../model/connection-config.ts'
import type { Connection } from '../model/connections.table.ts'
import { connectionById } from '../model/model.store.ts'
import { SamlError } from '../saml/failure.ts'
import { logoutRequest, logoutResponse } from '../saml/messages.ts'
import { redirectUrl } from '../saml/redirect-binding.ts'
import { type BoundMessage, verifyLogoutRequest } from '../saml/verify-logout.ts'
import { sessionsOfSubject } from './logout.store.ts'

const kind = 'saml-logout'
const lifetime = minutes(10)

/** Longer than a request is accepted. */
const useLifetime = hours(1)

/**
 * Ends the session of the caller. A session of a SAML connection with a logout service ends at its identity provider too,
 * which then ends those of other services. @returns the next URL of the browser
 */
export async function signOutUpstream(
  scope: Scope,
  { session }: Caller,
  callbackURL = scope.settings.baseUrl,
): Promise<string> {
  const { method, upstream } = session
  const id = method?.startsWith(connectionPrefix) ? method.slice(connectionPrefix.length) : null
  const [connection] = id === null || !upstream ? [] : await connectionById(scope.db, id)
  await signOutOf(scope, session.token)
  const config = connection?.config as SamlConfig | undefined
  if (connection?.state !== 'active' || !config?.sloUrl || !upstream) return callbackURL
  const [privateKey] = await ownKeysOf(scope, connection)
  if (privateKey === undefined) return callbackURL
  const relayState = randomString(32)
  const expiresAt = after(scope.now(), lifetime).getTime()
  await scope.records.put(kind, relayState, { value: JSON.stringify({ id: connection.id, callbackURL }), expiresAt })
  const message = logoutRequest({
    id: `_${randomString(32)}`,
    issuedAt: scope.now(),
    destination: config.sloUrl,
    issuer: entityIdOf(scope, connection),
    upstream,
  })
  return redirectUrl(config.sloUrl, 'SAMLRequest', message, relayState, privateKey)
}

export interface LogoutInput {
  SAMLRequest?: string | undefined
  SAMLResponse?: string | undefined
  RelayState?: string | undefined
}

/**
 * The single logout service of a connection. A response only leads the browser to the callback of our one-time record: the
 * session has ended before. A request ends sessions and is answered. @param query of a redirect; null for a form
 */
export async function receiveLogout(
  scope: Scope,
  id: string,
  input: LogoutInput,
  query: string | null,
): Promise<CallbackOutcome> {
  const [connection] = await connectionById(scope.db, id)
  if (connection?.type !== 'saml') return { error: 'sso_connection_not_found' }
  if (input.SAMLRequest === undefined) return { to: await callbackOf(scope, connection, input.RelayState) }
  const message = input.SAMLRequest
  try {
    const bound = query === null ? { document: decoded(message) } : { query, message }
    return { to: await endRequested(scope, connection, bound, input.RelayState ?? null) }
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === used.code) return { error: 'saml_message_used' }
    if (!(thrown instanceof SamlError)) throw thrown
    const reason = `${thrown.code}: ${thrown.message.slice(0, 200)}`
    scope.log('info', 'saml-logout-refused', { connection: id, reason })
    return { error: thrown.code }
  }
}

async function callbackOf(scope: Scope, { id }: Connection, relayState = ''): Promise<string> {
  const taken = relayState === '' ? null : await scope.records.take(kind, relayState)
  const state = taken?.kind === 'taken' ? (JSON.parse(taken.value) as { id: string; callbackURL: string }) : null
  return state?.id === id ? state.callbackURL : scope.settings.baseUrl
}

const used = new AppError(400, 'SAML_MESSAGE_USED', 'The message was used')

/** Ends the sessions that a verified request names. @returns the URL of the response */
async function endRequested(
  scope: Scope,
  connection: Connection,
  bound: BoundMessage,
  relayState: string | null,
): Promise<string> {
  const { entityId: issuer, certificates, sloUrl } = connection.config as SamlConfig
  const destination = urlOf(scope, logoutPathOf(connection))
  const request = await verifyLogoutRequest(bound, { certificates, issuer, destination, now: scope.now() })
  const work = unitOfWork(scope)
  const use = { kind, token: `${connection.id}:${request.id}`, expiresAt: after(scope.now(), useLifetime) }
  work.use(use, () => used)
  endSessions(scope, work, sessionsOfSubject(scope.db, connection, request))
  work.audit({
    ...{ actor: { type: 'directory', id: null, via: connection.id }, organizationId: connection.organizationId },
    ...{ subjectType: 'connection', subjectId: connection.id },
  })
  await work.commit()
  const [privateKey = null] = await ownKeysOf(scope, connection)
  if (!sloUrl || privateKey === null) return scope.settings.baseUrl
  const message = logoutResponse({
    id: `_${randomString(32)}`,
    issuedAt: scope.now(),
    destination: sloUrl,
    issuer: entityIdOf(scope, connection),
    inResponseTo: request.id,
  })
  return redirectUrl(sloUrl, 'SAMLResponse', message, relayState, privateKey)
}

function decoded(text: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(Buffer.from(text, 'base64'))
  } catch {
    throw new SamlError('saml_invalid_document', 'the message is not base64')
  }
}
