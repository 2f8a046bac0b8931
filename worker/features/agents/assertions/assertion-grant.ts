import type { Scope } from '../../../identity/scope.ts'
import { oauthError } from '../../identity-provider/identity-provider.errors.ts'
import type { TokenAnswer } from '../../identity-provider/model/grants/tokens.ts'
import type { Parameters } from '../../identity-provider/model/protocol/parameters.ts'
import { exchangeWorkload } from '../services/service-grant.ts'
import { acceptAssertion, isIdentityAssertion } from './accept-assertion.ts'

/** RFC 7523, section 2.1: an assertion about a user, or one about a service. */
export async function exchangeAssertion(
  scope: Scope,
  given: Parameters,
  authorization: string | null,
): Promise<TokenAnswer> {
  const { assertion } = given
  if (!assertion) throw oauthError('invalid_request', 'assertion is required')
  if (isIdentityAssertion(assertion)) return acceptAssertion(scope, given, authorization)
  return exchangeWorkload(scope, given, authorization, assertion)
}
