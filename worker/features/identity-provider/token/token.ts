import type { Scope } from '../../../identity/scope.ts'
import { pollDevice } from '../device/device.ts'
import { oauthError } from '../identity-provider.errors.ts'
import { type Parameters, readBodyParameters } from '../parameters.ts'
import { exchangeCode } from './authorization-code.ts'
import { refresh } from './refresh-token.ts'
import type { TokenAnswer } from './tokens.ts'

type Grant = (scope: Scope, given: Parameters, authorization: string | null) => Promise<TokenAnswer>

/** The grants, by `grant_type`. */
const grants: Readonly<Record<string, Grant>> = {
  authorization_code: exchangeCode,
  refresh_token: refresh,
  'urn:ietf:params:oauth:grant-type:device_code': pollDevice,
}

export const grantTypes = Object.keys(grants)

/** The token endpoint (RFC 6749, section 3.2). @throws OAuthError */
export async function token(scope: Scope, request: Request, raw: string): Promise<TokenAnswer> {
  const given = readBodyParameters(raw, request.headers.get('content-type'))
  if (!given.grant_type) throw oauthError('invalid_request', 'grant_type is required')
  const grant = Object.hasOwn(grants, given.grant_type) ? grants[given.grant_type] : undefined
  if (!grant) throw oauthError('unsupported_grant_type', 'unsupported grant type')
  return grant(scope, given, request.headers.get('authorization'))
}

/** An answer with secrets in it, which nothing may keep (RFC 6749, section 5.1). */
export const noStore = (answer: object, status = 200): Response =>
  Response.json(answer, { status, headers: { 'cache-control': 'no-store', pragma: 'no-cache' } })
