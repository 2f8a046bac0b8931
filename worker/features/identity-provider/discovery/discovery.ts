import type { Scope } from '../../../identity/scope.ts'
import { proofAlgorithms } from '../../../identity/sessions/dpop-challenge.ts'
import { endpointUrl } from '../../../identity/settings.ts'
import { readPublicKeys } from '../../jwt/signing-keys.ts'
import { identityProviderOptions } from '../identity-provider.config.ts'
import { authenticationMethods, tokenTypes } from '../model/clients/client.ts'
import { assertionAlgorithms } from '../model/clients/private-key-jwt.ts'
import { supportedGrantTypes } from '../model/grants/grant-types.ts'
import { authenticationClasses } from '../model/protocol/authentication.ts'
import { detailTypesOf } from '../model/protocol/authorization-details.ts'
import { publishedScopes } from '../model/protocol/known-resources.ts'
import { acceptedAlgorithms, isFapi } from '../model/protocol/security-profile.ts'
import { issuerOf } from '../model/protocol/urls.ts'
import { responseModes } from '../model/requests/client-answer.ts'
import { promptValues } from '../model/requests/request-checks.ts'

/** The algorithms of the JWTs of this server. */
const ownAlgorithms = (scope: Scope): string[] => (isFapi(scope) ? ['EdDSA'] : ['RS256', 'EdDSA'])

/** The metadata that OpenID Connect and MCP share (OpenID Connect Discovery, section 3; RFC 8414, section 2). */
export function commonMetadata(scope: Scope) {
  const { identityAssertions } = identityProviderOptions.of(scope)
  const methods: string[] = isFapi(scope) ? ['private_key_jwt'] : [...authenticationMethods]
  const accepts = identityAssertions.accept.length > 0
  const detailTypes = detailTypesOf(scope).map(({ type }) => type)
  return {
    scopes_supported: publishedScopes(scope),
    response_types_supported: ['code'],
    response_modes_supported: [...responseModes],
    authorization_signing_alg_values_supported: ownAlgorithms(scope),
    request_object_signing_alg_values_supported: acceptedAlgorithms(scope, assertionAlgorithms),
    grant_types_supported: supportedGrantTypes(scope),
    acr_values_supported: [...authenticationClasses],
    subject_types_supported: ['public', 'pairwise'],
    id_token_signing_alg_values_supported: ownAlgorithms(scope),
    token_endpoint_auth_methods_supported: methods,
    token_endpoint_auth_signing_alg_values_supported: acceptedAlgorithms(scope, assertionAlgorithms),
    revocation_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_signing_alg_values_supported: acceptedAlgorithms(scope, assertionAlgorithms),
    // A public client cannot prove that a token is its own.
    introspection_endpoint_auth_methods_supported: methods.filter((method) => method !== 'none'),
    introspection_endpoint_auth_signing_alg_values_supported: acceptedAlgorithms(scope, assertionAlgorithms),
    code_challenge_methods_supported:
      identityProviderOptions.of(scope).allowPlainCodeChallengeMethod && !isFapi(scope) ? ['S256', 'plain'] : ['S256'],
    // The metadata of the draft.
    ...(identityAssertions.issue.length > 0
      ? { identity_chaining_requested_token_types_supported: [tokenTypes.assertion] }
      : {}),
    ...(accepts ? { authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'] } : {}),
    ...(detailTypes.length > 0 ? { authorization_details_types_supported: detailTypes } : {}),
    dpop_signing_alg_values_supported: acceptedAlgorithms(scope, proofAlgorithms),
    authorization_response_iss_parameter_supported: true,
    introspection_endpoint: endpointUrl(scope, '/oauth2/introspect'),
    revocation_endpoint: endpointUrl(scope, '/oauth2/revoke'),
    require_pushed_authorization_requests: isFapi(scope),
    pushed_authorization_request_endpoint: endpointUrl(scope, '/oauth2/par'),
    device_authorization_endpoint: endpointUrl(scope, '/oauth2/device_authorization'),
    service_documentation: endpointUrl(scope, '/reference'),
    backchannel_authentication_endpoint: endpointUrl(scope, '/oauth2/bc-authorize'),
    backchannel_token_delivery_modes_supported: ['poll', 'ping'],
    backchannel_authentication_request_signing_alg_values_supported: acceptedAlgorithms(scope, assertionAlgorithms),
    backchannel_user_code_parameter_supported: false,
    prompt_values_supported: promptValues,
    claims_parameter_supported: true,
    request_parameter_supported: true,
    // Without it the default is true (OpenID Connect Discovery, section 3).
    request_uri_parameter_supported: false,
  }
}

/** The discovery document (OpenID Connect Discovery, section 4). */
export const discoveryDocument = (scope: Scope) => ({
  issuer: issuerOf(scope),
  authorization_endpoint: endpointUrl(scope, '/oauth2/authorize'),
  token_endpoint: endpointUrl(scope, '/oauth2/token'),
  userinfo_endpoint: endpointUrl(scope, '/oauth2/userinfo'),
  jwks_uri: endpointUrl(scope, '/jwks'),
  registration_endpoint: endpointUrl(scope, '/oauth2/register'),
  end_session_endpoint: endpointUrl(scope, '/oauth2/end-session'),
  ...commonMetadata(scope),
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
  claim_types_supported: ['normal'],
  claims_supported: [
    ...['sub', 'iss', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'acr', 'amr', 'sid'],
    ...['name', 'given_name', 'family_name', 'profile', 'picture', 'preferred_username', 'updated_at'],
    ...['email', 'email_verified'],
    ...identityProviderOptions
      .of(scope)
      .claimScopes.flatMap((one) => (one === 'roles' ? ['roles', 'permissions'] : [one])),
  ],
})

/** The keys that sign id tokens (RFC 7517). */
export const idTokenKeys = readPublicKeys
