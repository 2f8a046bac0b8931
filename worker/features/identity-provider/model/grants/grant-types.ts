import type { Scope } from '../../../../identity/scope.ts'
import { identityProviderOptions } from '../../identity-provider.config.ts'
import { oauthError } from '../../identity-provider.errors.ts'
import {
  approvalGrantType,
  type Client,
  clientCredentialsGrantType,
  exchangeGrantType,
  jwtBearerGrantType,
} from '../clients/client.ts'
import { deviceGrantType } from './device-code.ts'

/** The grants of the token endpoint, which the metadata lists. Administrators register agents and services at run time. */
export function supportedGrantTypes(scope: Scope): string[] {
  const { services, identityAssertions } = identityProviderOptions.of(scope)
  const trustsIssuers = identityAssertions.accept.length > 0 || services.some(({ workloads }) => workloads.length > 0)
  return [
    ...['authorization_code', 'refresh_token', deviceGrantType, exchangeGrantType, approvalGrantType],
    clientCredentialsGrantType,
    ...(trustsIssuers ? [jwtBearerGrantType] : []),
  ]
}

/** RFC 6749, section 5.2: a client uses the grants of its registration. @throws unauthorized_client */
export function requireGrantType({ registration }: Client, grantType: string): void {
  if (registration.grant_types.includes(grantType)) return
  throw oauthError('unauthorized_client', 'client may not use this grant type')
}
