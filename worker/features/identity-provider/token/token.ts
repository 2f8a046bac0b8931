import type { Scope } from '../../../identity/scope.ts'
import { oauthError } from '../identity-provider.errors.ts'
import { deviceGrantType } from '../model/grants/device-code.ts'
import { supportedGrantTypes } from '../model/grants/grant-types.ts'
import type { TokenAnswer } from '../model/grants/tokens.ts'
import { readResources } from '../model/protocol/known-resources.ts'
import { type Parameters, readBodyParameters } from '../model/protocol/parameters.ts'
import { exchangeAuthorizationCode } from './code-grant.ts'
import { exchangeDeviceCode } from './device-grant.ts'
import { refresh } from './refresh-grant.ts'

type GrantHandler = (scope: Scope, given: Parameters, authorization: string | null) => Promise<TokenAnswer>

type Grants = Readonly<Record<string, GrantHandler>>

const ownGrants: Grants = {
  authorization_code: exchangeAuthorizationCode,
  refresh_token: refresh,
  [deviceGrantType]: exchangeDeviceCode,
}

/** The grants, by `grant_type`, with those of other features: of agents and services. */
const grantsOf = (scope: Scope): Grants =>
  Object.assign({}, ownGrants, ...scope.lifecycle.registry('oauth').map(({ grants }) => grants))

/** The token endpoint (RFC 6749, section 3.2). @param accepted the grant types of the endpoint @throws OAuthError */
export async function token(
  scope: Scope,
  request: Request,
  raw: string,
  accepted: readonly string[] = supportedGrantTypes(scope),
): Promise<TokenAnswer> {
  const given = readBodyParameters(raw, request.headers.get('content-type'))
  if (!given.grant_type) throw oauthError('invalid_request', 'grant_type is required')
  const grant = accepted.includes(given.grant_type) ? grantsOf(scope)[given.grant_type] : undefined
  if (!grant) throw oauthError('unsupported_grant_type', 'unsupported grant type')
  await readResources(scope)
  return grant(scope, given, request.headers.get('authorization'))
}
