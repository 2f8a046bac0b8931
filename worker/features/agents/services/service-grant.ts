import type { Scope } from '../../../identity/scope.ts'
import { oauthError } from '../../identity-provider/identity-provider.errors.ts'
import { authenticate, readCredentials, requireClient } from '../../identity-provider/model/clients/authenticate.ts'
import { isPublic } from '../../identity-provider/model/clients/client.ts'
import { findClient } from '../../identity-provider/model/clients/find-client.ts'
import { verifyWorkload } from '../../identity-provider/model/clients/workload.ts'
import { issueServiceToken } from '../../identity-provider/model/grants/service-tokens.ts'
import type { TokenAnswer } from '../../identity-provider/model/grants/tokens.ts'
import type { Parameters } from '../../identity-provider/model/protocol/parameters.ts'

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
export async function exchangeWorkload(
  scope: Scope,
  given: Parameters,
  authorization: string | null,
  assertion: string,
): Promise<TokenAnswer> {
  const credentials = readCredentials(authorization, given)
  const found = await findClient(scope, credentials.clientId)
  const service = found?.service
  if (!service || found.disabled || service.workloads.length === 0) throw notPermitted()
  const client = credentials.way === 'none' ? found : await authenticate(scope, found, credentials)
  await verifyWorkload(scope, service, assertion)
  return issueServiceToken(scope, client, service, given)
}
