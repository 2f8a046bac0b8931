import type { Scope } from '../../../identity/scope.ts'
import { codeUseStatement, readCode } from '../authorize/code.ts'
import { authenticate, readCredentials } from '../clients/authenticate.ts'
import { isPublic } from '../clients/client.ts'
import { findClient } from '../clients/find-client.ts'
import { readProof } from '../dpop/dpop.ts'
import { identityProviderOptions } from '../identity-provider.config.ts'
import { oauthError } from '../identity-provider.errors.ts'
import type { Parameters } from '../parameters.ts'
import { codeChecks, runChecks } from './checks.ts'
import { issueTokens } from './issue.ts'
import type { TokenAnswer } from './tokens.ts'

/**
 * RFC 6749, section 4.1.3: a code for tokens. Client, redirect URI, verifier and key are checked before the code is
 * used; of any number of requests exactly one gets tokens, and any other ends what that one got (section 4.1.2).
 */
export async function exchangeCode(
  scope: Scope,
  given: Parameters,
  authorization: string | null,
): Promise<TokenAnswer> {
  if (!given.code) throw oauthError('invalid_request', 'code is required')
  if (!given.redirect_uri) throw oauthError('invalid_request', 'redirect_uri is required')
  const credentials = readCredentials(authorization, given)
  const found = await findClient(scope, credentials.clientId)
  const client = await authenticate(scope, found, credentials)
  const verifier = given.code_verifier
  if (verifier === undefined && (identityProviderOptions.of(scope).requirePKCE || isPublic(client))) {
    throw oauthError('invalid_request', 'code verifier is missing')
  }
  const key = await readProof(scope, client)
  const read = await readCode(scope, given.code)
  if (read === 'expired') throw oauthError('invalid_grant', 'code expired')
  if (read === null) throw oauthError('invalid_grant', 'invalid code')
  const { granted, expiresAt } = read
  runChecks(codeChecks, { given, client, key, granted, now: scope.now() })
  const use = codeUseStatement(scope, given.code, expiresAt)
  return issueTokens(scope, client, granted, { seed: given.code, key, use })
}
