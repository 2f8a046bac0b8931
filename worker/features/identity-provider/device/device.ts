import type { Caller, Scope } from '../../../identity/scope.ts'
import { usedStatement } from '../../../identity/verifications/used-records.ts'
import { randomString } from '../../../kit/random.ts'
import { after, minutes, seconds } from '../../../kit/time.ts'
import { requestedScopes } from '../authorize/checks.ts'
import { methodsOf } from '../authorize/methods.ts'
import { authenticate, readCredentials } from '../clients/authenticate.ts'
import type { Client } from '../clients/client.ts'
import { findClient } from '../clients/find-client.ts'
import { readProof } from '../dpop/dpop.ts'
import { identityProviderOptions, supportedScopes } from '../identity-provider.config.ts'
import { oauthError } from '../identity-provider.errors.ts'
import { type Parameters, readBodyParameters, words } from '../parameters.ts'
import { warmIdTokenKey } from '../token/id-token.ts'
import { type GrantedToClient, issueTokens } from '../token/issue.ts'
import type { TokenAnswer } from '../token/tokens.ts'
import { deviceErrors } from './device.errors.ts'

/** A device that waits for its person to agree on another screen (RFC 8628). */
interface WaitingDevice {
  clientId: string
  clientName: string
  icon: string | null
  scopes: string[]
  deviceCode: string
  status: 'pending' | 'approved' | 'denied'
  granted?: GrantedToClient
}

const byDevice = 'device-code'
const byPerson = 'device-user-code'
const grantType = 'urn:ietf:params:oauth:grant-type:device_code'

const lifetime = minutes(10)
const interval = seconds(5)

/** No vowels, and nothing that looks like something else (RFC 8628, section 6.1): 20^8 codes. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
/** A person's guesses at codes. */
const guesses = { max: 10, window: minutes(10) }

const mayUse = ({ registration }: Client): boolean => registration.grant_types.includes(grantType)

/** RFC 8628, section 3.1. @throws OAuthError */
export async function startDevice(scope: Scope, request: Request, raw: string) {
  const given = readBodyParameters(raw, request.headers.get('content-type'))
  const credentials = readCredentials(request.headers.get('authorization'), given)
  const client = await authenticate(scope, await findClient(scope, credentials.clientId), credentials)
  if (!mayUse(client)) throw oauthError('unauthorized_client', 'client may not use this grant type')
  const scopes = requestedScopes(given.scope)
  const allowed = client.registration.scope === undefined ? supportedScopes(scope) : words(client.registration.scope)
  const invalid = scopes.filter((one) => !allowed.includes(one) || !supportedScopes(scope).includes(one))
  if (invalid.length > 0) throw oauthError('invalid_scope', `The following scopes are invalid: ${invalid.join(', ')}`)
  scope.after(() => warmIdTokenKey(scope, client))
  const deviceCode = randomString(43)
  const userCode = randomString(8, letters)
  const expiresAt = after(scope.now(), lifetime).getTime()
  const waiting: WaitingDevice = {
    clientId: client.clientId,
    clientName: client.name,
    icon: client.icon,
    scopes,
    deviceCode,
    status: 'pending',
  }
  const value = JSON.stringify(waiting)
  await Promise.all([
    scope.records.put(byDevice, deviceCode, { value, expiresAt }),
    scope.records.put(byPerson, userCode, { value, expiresAt }),
  ])
  const page = new URL(identityProviderOptions.of(scope).devicePage, scope.settings.baseUrl).href
  const shown = `${userCode.slice(0, 4)}-${userCode.slice(4)}`
  return {
    device_code: deviceCode,
    user_code: shown,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${shown}`,
    expires_in: lifetime,
    interval,
  }
}

const normalCode = (text: string): string => text.toUpperCase().replace(/[^A-Z]/g, '')

async function spendGuess(scope: Scope, { user }: Caller): Promise<void> {
  const { allowed, retryAfter } = await scope.counters.hit(`device-user-code:${user.id}`, guesses)
  if (!allowed) throw deviceErrors.TOO_MANY_REQUESTS({ headers: { 'x-retry-after': String(retryAfter) } })
}

/** Which device shows this code, for the person who is asked. @throws INVALID_USER_CODE, TOO_MANY_REQUESTS */
export async function readDevice(scope: Scope, caller: Caller, code: string) {
  await spendGuess(scope, caller)
  const peeked = await scope.records.peek(byPerson, normalCode(code))
  if (peeked.kind !== 'there') throw deviceErrors.INVALID_USER_CODE()
  const { clientId, clientName, icon, scopes } = JSON.parse(peeked.value) as WaitingDevice
  return { client: { clientId, name: clientName, icon }, scopes }
}

/** The person has answered; a code is answered once. @throws INVALID_USER_CODE, TOO_MANY_REQUESTS */
export async function answerDevice(
  scope: Scope,
  caller: Caller,
  { user_code: code, accept }: { user_code: string; accept: boolean },
): Promise<void> {
  await spendGuess(scope, caller)
  const userCode = normalCode(code)
  const taken = await scope.records.take(byPerson, userCode)
  if (taken.kind !== 'taken') throw deviceErrors.INVALID_USER_CODE()
  const waiting = JSON.parse(taken.value) as WaitingDevice
  const { session, user } = caller
  const granted: GrantedToClient = {
    clientId: waiting.clientId,
    scopes: waiting.scopes,
    nonce: null,
    resource: null,
    userId: user.id,
    sessionId: session.id,
    securityVersion: user.securityVersion,
    authTime: session.createdAt.getTime(),
    amr: methodsOf(session),
  }
  const answered: WaitingDevice = accept
    ? { ...waiting, status: 'approved', granted }
    : { ...waiting, status: 'denied' }
  await scope.records.onTaken(byPerson, userCode, () =>
    scope.records.put(byDevice, waiting.deviceCode, {
      value: JSON.stringify(answered),
      expiresAt: after(scope.now(), minutes(5)).getTime(),
    }),
  )
}

/** RFC 8628, section 3.4: the device asks whether its person has agreed. @throws OAuthError */
export async function pollDevice(scope: Scope, given: Parameters, authorization: string | null): Promise<TokenAnswer> {
  if (!given.device_code) throw oauthError('invalid_request', 'device_code is required')
  const credentials = readCredentials(authorization, given)
  const client = await authenticate(scope, await findClient(scope, credentials.clientId), credentials)
  const { allowed } = await scope.counters.hit(`device-poll:${given.device_code}`, { max: 1, window: interval - 1 })
  if (!allowed) throw oauthError('slow_down', 'polled too soon')
  const key = await readProof(scope, client)
  const peeked = await scope.records.peek(byDevice, given.device_code)
  if (peeked.kind === 'expired') throw oauthError('expired_token', 'device code expired')
  const waiting = peeked.kind === 'there' ? (JSON.parse(peeked.value) as WaitingDevice) : null
  if (waiting?.clientId !== client.clientId) throw oauthError('invalid_grant', 'invalid device code')
  const { status, granted } = waiting
  if (status === 'pending') throw oauthError('authorization_pending', 'the person has not answered yet')
  if (status === 'denied' || !granted) throw oauthError('access_denied', 'User denied access')
  const expiresAt = new Date((peeked as { expiresAt: number }).expiresAt)
  const use = usedStatement(scope, byDevice, given.device_code, expiresAt)
  return issueTokens(scope, client, granted, { seed: given.device_code, key, use })
}
