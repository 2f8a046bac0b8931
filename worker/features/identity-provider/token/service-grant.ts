import type { Scope } from '../../../identity/scope.ts'
import { acceptAssertion, isIdentityAssertion } from '../assertions/accept-assertion.ts'
import { oauthError } from '../identity-provider.errors.ts'
import { authenticate, readCredentials, requireClient } from '../model/clients/authenticate.ts'
import { isPublic } from '../model/clients/client.ts'
import { findClient } from '../model/clients/find-client.ts'
import { verifyWorkload } from '../model/clients/workload.ts'
import { issueServiceToken } from '../model/grants/service-tokens.ts'
import type { TokenAnswer } from '../model/grants/tokens.ts'
import type { Parameters } from '../model/protocol/parameters.ts'

const notPermitted = () => oauthError('unauthorized_client', 'client may not use this grant type')

/**
 * RFC 6749, section 4.4: a service authenticates as itself. Only the configuration and administrators give a client this grant; its own
 * registration does not.
 */
export async function exchangeCredentials(
  scope: Scope,
  given: Parameters,
  authorization: string | null,
): Promise<TokenAnswer> {
  const client = await requireClient(scope, given, authorization)
  if (!client.service || isPublic(client)) throw notPermitted()
  return issueServiceToken(scope, client, client.service, given)
}

/**
 * RFC 7523, section 2.1: a token of another issuer, such as that of a CI job, identifies the service that `client_id`
 * names. Credentials of the client are not needed; given ones must be valid.
 */
export async function exchangeAssertion(
  scope: Scope,
  given: Parameters,
  authorization: string | null,
): Promise<TokenAnswer> {
  if (!given.assertion) throw oauthError('invalid_request', 'assertion is required')
  if (isIdentityAssertion(given.assertion)) return acceptAssertion(scope, given, authorization)
  const credentials = readCredentials(authorization, given)
  const found = await findClient(scope, credentials.clientId)
  const service = found?.service
  if (!service || found.disabled || service.workloads.length === 0) throw notPermitted()
  const client = credentials.way === 'none' ? found : await authenticate(scope, found, credentials)
  await verifyWorkload(scope, service, given.assertion)
  return issueServiceToken(scope, client, service, given)
}
