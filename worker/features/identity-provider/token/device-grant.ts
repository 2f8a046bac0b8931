import type { Scope } from '../../../identity/scope.ts'
import type { Work } from '../../../identity/work.ts'
import { oauthError } from '../identity-provider.errors.ts'
import { requireClient } from '../model/clients/authenticate.ts'
import { addConsent } from '../model/grants/consents.store.ts'
import { deviceGrantType, deviceKind, devicePollInterval, type WaitingDevice } from '../model/grants/device-code.ts'
import { requireGrantType } from '../model/grants/grant-types.ts'
import { issueTokens } from '../model/grants/issue-tokens.ts'
import type { TokenAnswer } from '../model/grants/tokens.ts'
import { detailTypesOf } from '../model/protocol/authorization-details.ts'
import type { Parameters } from '../model/protocol/parameters.ts'
import { readProof } from '../model/requests/dpop.ts'
import { deviceChecks, runChecks } from './token-checks.ts'

/** RFC 8628, section 3.4: the device polls for the answer of its user. @throws OAuthError */
export async function exchangeDeviceCode(
  scope: Scope,
  given: Parameters,
  authorization: string | null,
): Promise<TokenAnswer> {
  if (!given.device_code) throw oauthError('invalid_request', 'device_code is required')
  const client = await requireClient(scope, given, authorization)
  requireGrantType(client, deviceGrantType)
  const { allowed } = await scope.counters.hit(`device-poll:${given.device_code}`, {
    max: 1,
    window: devicePollInterval - 1,
  })
  if (!allowed) throw oauthError('slow_down', 'polled too soon')
  const key = await readProof(scope, client)
  const peeked = await scope.records.peek(deviceKind, given.device_code)
  if (peeked.kind === 'expired') throw oauthError('expired_token', 'device code expired')
  const waiting = peeked.kind === 'there' ? (JSON.parse(peeked.value) as WaitingDevice) : null
  if (waiting?.clientId !== client.clientId) throw oauthError('invalid_grant', 'invalid device code')
  const { status, granted } = waiting
  if (status === 'pending') throw oauthError('authorization_pending', 'the user has not answered yet')
  if (status === 'denied' || !granted) throw oauthError('access_denied', 'User denied access')
  runChecks(deviceChecks, { given, client, key, granted, now: scope.now(), detailTypes: detailTypesOf(scope) })
  const expiresAt = new Date((peeked as { expiresAt: number }).expiresAt)
  const use = { kind: deviceKind, token: given.device_code, expiresAt }
  // The stored consent lets the user see and remove the device later.
  const prepare = (work: Work) => void work.run(addConsent(scope, granted.userId, client, granted.scopes))
  const { resource: wanted, authorization_details: wantedDetails } = given
  return issueTokens(scope, client, granted, { key, use, prepare, wanted, wantedDetails })
}
