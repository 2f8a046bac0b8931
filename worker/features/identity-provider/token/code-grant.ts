import type { Scope } from '../../../identity/scope.ts'
import { identityProviderOptions } from '../identity-provider.config.ts'
import { oauthError } from '../identity-provider.errors.ts'
import { requireClient } from '../model/clients/authenticate.ts'
import { isPublic } from '../model/clients/client.ts'
import { codeUse, readCode } from '../model/grants/authorization-code.ts'
import { requireGrantType } from '../model/grants/grant-types.ts'
import { issueTokens } from '../model/grants/issue-tokens.ts'
import type { TokenAnswer } from '../model/grants/tokens.ts'
import { detailTypesOf } from '../model/protocol/authorization-details.ts'
import type { Parameters } from '../model/protocol/parameters.ts'
import { isFapi } from '../model/protocol/security-profile.ts'
import { readProof } from '../model/requests/dpop.ts'
import { codeChecks, runChecks } from './token-checks.ts'

/**
 * RFC 6749, section 4.1.3: exchanges a code for tokens. All checks precede the use of the code. Of parallel requests
 * exactly one gets tokens, and any other request ends these tokens (section 4.1.2).
 */
export async function exchangeAuthorizationCode(
  scope: Scope,
  given: Parameters,
  authorization: string | null,
): Promise<TokenAnswer> {
  if (!given.code) throw oauthError('invalid_request', 'code is required')
  if (!given.redirect_uri) throw oauthError('invalid_request', 'redirect_uri is required')
  const client = await requireClient(scope, given, authorization)
  requireGrantType(client, 'authorization_code')
  const verifier = given.code_verifier
  if (verifier === undefined && (identityProviderOptions.of(scope).requirePKCE || isFapi(scope) || isPublic(client))) {
    throw oauthError('invalid_request', 'code verifier is missing')
  }
  const key = await readProof(scope, client)
  const read = await readCode(scope, given.code)
  if (read === 'expired') throw oauthError('invalid_grant', 'code expired')
  if (read === null) throw oauthError('invalid_grant', 'invalid code')
  const { granted, expiresAt } = read
  runChecks(codeChecks, { given, client, key, granted, now: scope.now(), detailTypes: detailTypesOf(scope) })
  const use = codeUse(given.code, expiresAt)
  const { resource: wanted, authorization_details: wantedDetails } = given
  return issueTokens(scope, client, granted, { key, use, wanted, wantedDetails })
}
