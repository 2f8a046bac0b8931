import { createHash } from 'node:crypto'
import type { Scope } from '../../../identity/scope.ts'
import { equalSecrets } from '../../../kit/hash.ts'
import { codeUseStatement, readCode } from '../authorize/code.ts'
import type { AuthorizationCode } from '../authorize/grant.ts'
import { authenticate, readCredentials } from '../clients/authenticate.ts'
import { type Client, isPublic } from '../clients/client.ts'
import { findClient } from '../clients/find-client.ts'
import { readProof } from '../dpop/dpop.ts'
import { identityProviderOptions } from '../identity-provider.config.ts'
import { oauthError } from '../identity-provider.errors.ts'
import type { Parameters } from '../parameters.ts'
import { normalResource } from '../resources.ts'
import { issueTokens } from './issue.ts'
import type { TokenAnswer } from './tokens.ts'

/** What would prove the request to be the authorization's (RFC 7636, section 4.6): the verifier, in both ways. */
export function acceptableProofs(verifier: string | undefined): string[] {
  if (verifier === undefined) return ['']
  return [`S256:${createHash('sha256').update(verifier).digest('base64url')}`, `plain:${verifier}`]
}

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
  refuseMismatch(granted, { client, redirectUri: given.redirect_uri, verifier, key })
  if (given.resource !== undefined && normalResource(given.resource) !== granted.resource) {
    throw oauthError('invalid_target', 'the resource was not granted')
  }
  const use = codeUseStatement(scope, given.code, expiresAt)
  return issueTokens(scope, client, granted, { seed: given.code, key, use })
}

interface Proof {
  client: Client
  redirectUri: string
  verifier: string | undefined
  key: string | null
}

/** Whether the request is from whom the code was given to (RFC 6749, section 10.5; RFC 9700, section 4.5). */
function refuseMismatch(granted: AuthorizationCode, { client, redirectUri, verifier, key }: Proof): void {
  if (granted.clientId !== client.clientId) throw oauthError('invalid_grant', 'invalid code')
  if (granted.redirectUri !== redirectUri) throw oauthError('invalid_grant', 'invalid redirect_uri')
  if (granted.keyThumbprint && granted.keyThumbprint !== key) {
    throw oauthError('invalid_dpop_proof', 'the code is bound to another key')
  }
  if (acceptableProofs(verifier).some((proof) => equalSecrets(proof, granted.proof))) return
  if (verifier === undefined) throw oauthError('invalid_request', 'code verifier is missing')
  throw oauthError('invalid_grant', 'code verification failed')
}
