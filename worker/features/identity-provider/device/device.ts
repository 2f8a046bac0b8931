import type { Caller, Scope } from '../../../identity/scope.ts'
import { spendGuess } from '../../../identity/verifications/guesses.ts'
import { randomString } from '../../../kit/random.ts'
import { after, minutes } from '../../../kit/time.ts'
import { identityProviderOptions } from '../identity-provider.config.ts'
import { identityProviderErrors as errors, oauthError } from '../identity-provider.errors.ts'
import { requireClient } from '../model/clients/authenticate.ts'
import {
  type DeviceOrigin,
  deviceGrantType,
  deviceKind,
  devicePollInterval,
  type WaitingDevice,
} from '../model/grants/device-code.ts'
import { grantedBy } from '../model/grants/grant.ts'
import { requireGrantType } from '../model/grants/grant-types.ts'
import { warmIdTokenKey } from '../model/grants/id-token.ts'
import { detailsFault, detailTypesOf, detailWords, readDetails } from '../model/protocol/authorization-details.ts'
import { readResources, supportedScopes } from '../model/protocol/known-resources.ts'
import { type Parameters, readBodyParameters, words } from '../model/protocol/parameters.ts'
import { requestedScopes, withoutUnsupported } from '../model/protocol/requested-scopes.ts'
import { findResource, resourceList, scopeOwners, scopeWords } from '../model/protocol/resources.ts'
import { pageUrl } from '../model/protocol/urls.ts'

const userCodeKind = 'device-user-code'

const lifetime = minutes(10)

/** No vowels and no letters that look alike (RFC 8628, section 6.1): 20^8 codes. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
/** The maximum number of codes that a user may try. */
const guesses = { max: 10, window: minutes(10) }

/** RFC 8628, section 3.1. @throws OAuthError */
export async function startDevice(scope: Scope, request: Request, raw: string) {
  await readResources(scope)
  const authorization = request.headers.get('authorization')
  // Every parameter is optional for a client that authenticates in the header.
  const isEmpty = raw === '' && authorization !== null
  const given: Parameters = isEmpty ? {} : readBodyParameters(raw, request.headers.get('content-type'))
  const client = await requireClient(scope, given, authorization)
  requireGrantType(client, deviceGrantType)
  const supported = supportedScopes(scope)
  // The user always answers, which replaces `prompt=consent`.
  const scopes = requestedScopes(withoutUnsupported(given.scope, supported))
  const allowed = client.registration.scope === undefined ? supported : words(client.registration.scope)
  const invalid = scopes.filter((one) => !allowed.includes(one) || !supported.includes(one))
  if (invalid.length > 0) throw oauthError('invalid_scope', `The following scopes are invalid: ${invalid.join(', ')}`)
  const resource = resourceList(given.resource)
  const named = words(resource ?? undefined)
  if (named.some((one) => findResource(scope, one) === null)) {
    throw oauthError('invalid_target', 'the resource is unknown')
  }
  const owners = scopeOwners(scope)
  const foreign = scopes.filter((one) => owners.has(one) && !named.includes(owners.get(one)!))
  if (foreign.length > 0) {
    throw oauthError('invalid_scope', `The request does not name the resource of: ${foreign.join(', ')}`)
  }
  const types = detailTypesOf(scope)
  const registered = client.registration.authorization_details_types
  const fault = detailsFault(types, given.authorization_details, { registered, scopes, resources: named })
  if (fault !== null) throw oauthError('invalid_authorization_details', fault)
  scope.after(() => warmIdTokenKey(scope, client))
  const deviceCode = randomString(43)
  const userCode = randomString(8, letters)
  const expiresAt = after(scope.now(), lifetime).getTime()
  const waiting: WaitingDevice = {
    clientId: client.clientId,
    clientName: client.name,
    icon: client.icon,
    scopes,
    resource,
    details: readDetails(types, given.authorization_details),
    deviceCode,
    status: 'pending',
    origin: { ipAddress: scope.request.ip, place: scope.request.place },
  }
  const value = JSON.stringify(waiting)
  await Promise.all([
    scope.records.put(deviceKind, deviceCode, { value, expiresAt }),
    scope.records.put(userCodeKind, userCode, { value, expiresAt }),
  ])
  const page = new URL(identityProviderOptions.of(scope).devicePage, scope.settings.baseUrl).href
  const shown = `${userCode.slice(0, 4)}-${userCode.slice(4)}`
  return {
    device_code: deviceCode,
    user_code: shown,
    verification_uri: page,
    verification_uri_complete: pageUrl(page, new URLSearchParams({ user_code: shown })),
    expires_in: lifetime,
    interval: devicePollInterval,
  }
}

const normalCode = (text: string): string => text.toUpperCase().replace(/[^A-Z]/g, '')

const spendCodeGuess = (scope: Scope, { user }: Caller) => spendGuess(scope, `device-user-code:${user.id}`, guesses)

/** Of a request that an earlier version has stored. */
const unknownOrigin: DeviceOrigin = { ipAddress: null, place: { city: null, country: null } }

/** The device that shows this code, the sender of its request, and the scopes that it requests. @throws INVALID_USER_CODE, TOO_MANY_REQUESTS */
export async function readDevice(scope: Scope, caller: Caller, code: string) {
  await spendCodeGuess(scope, caller)
  const peeked = await scope.records.peek(userCodeKind, normalCode(code))
  if (peeked.kind !== 'there') throw errors.INVALID_USER_CODE()
  const { clientId, clientName, icon, scopes, origin, details } = JSON.parse(peeked.value) as WaitingDevice
  const client = { clientId, name: clientName, icon }
  const authorizationDetails = detailWords(scope, details)
  await readResources(scope)
  return {
    client,
    scopes,
    scopeWords: scopeWords(scope, scopes),
    authorizationDetails,
    origin: origin ?? unknownOrigin,
  }
}

/** The answer of the user; a code is answered once. @throws INVALID_USER_CODE, TOO_MANY_REQUESTS */
export async function answerDevice(
  scope: Scope,
  caller: Caller,
  { user_code: code, accept }: { user_code: string; accept: boolean },
): Promise<void> {
  await spendCodeGuess(scope, caller)
  const userCode = normalCode(code)
  const taken = await scope.records.take(userCodeKind, userCode)
  if (taken.kind !== 'taken') throw errors.INVALID_USER_CODE()
  const waiting = JSON.parse(taken.value) as WaitingDevice
  const { clientId, scopes, resource = null, details = null } = waiting
  const answered: WaitingDevice = accept
    ? {
        ...waiting,
        status: 'approved',
        granted: grantedBy(caller, { clientId, scopes, nonce: null, resource, details }),
      }
    : { ...waiting, status: 'denied' }
  await scope.records.onTaken(userCodeKind, userCode, () =>
    scope.records.put(deviceKind, waiting.deviceCode, {
      value: JSON.stringify(answered),
      expiresAt: after(scope.now(), minutes(5)).getTime(),
    }),
  )
}
