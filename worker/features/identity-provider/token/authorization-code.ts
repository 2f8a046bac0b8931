import { createHash } from 'node:crypto'
import type { Scope } from '../../../identity/scope.ts'
import { takeCode } from '../authorize/code.ts'
import type { AuthorizationCode } from '../authorize/grant.ts'
import { authenticate, readCredentials } from '../clients/authenticate.ts'
import { isPublic } from '../clients/client.ts'
import { findClient } from '../clients/find-client.ts'
import { readProof } from '../dpop/dpop.ts'
import { identityProviderOptions } from '../identity-provider.config.ts'
import { oauthError } from '../identity-provider.errors.ts'
import type { Parameters } from '../parameters.ts'
import { normalResource } from '../resources.ts'
import { issueTokens } from './issue.ts'
import { grantIdOf, type TokenAnswer } from './tokens.ts'
import { deleteGrant } from './tokens.store.ts'

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
  const taken = await takeCode(scope, given.code, {
    clientId: [client.clientId],
    redirectUri: [given.redirect_uri],
    keyThumbprint: ['', key ?? ''],
    proof: acceptableProofs(verifier),
  })
  if (taken.kind === 'mismatch') throw mismatched(taken.field, verifier)
  if (taken.kind === 'expired') throw oauthError('invalid_grant', 'code expired')
  if (taken.kind !== 'taken') {
    // It may have been used: then somebody has two copies of it, and one of them is a thief.
    await deleteGrant(scope.db, grantIdOf(given.code))
    throw oauthError('invalid_grant', 'invalid code')
  }
  const granted = JSON.parse(taken.value) as AuthorizationCode
  if (given.resource !== undefined && normalResource(given.resource) !== granted.resource) {
    throw oauthError('invalid_target', 'the resource was not granted')
  }
  return issueTokens(scope, client, granted, { seed: given.code, key })
}

/** What the request and the authorization disagree about. */
function mismatched(field: string, verifier: string | undefined) {
  if (field === 'clientId') return oauthError('invalid_grant', 'invalid client_id')
  if (field === 'redirectUri') return oauthError('invalid_grant', 'invalid redirect_uri')
  if (field === 'keyThumbprint') return oauthError('invalid_dpop_proof', 'the code is bound to another key')
  if (verifier === undefined) return oauthError('invalid_request', 'code verifier is missing')
  return oauthError('invalid_grant', 'code verification failed')
}
