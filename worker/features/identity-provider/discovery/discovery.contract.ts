import * as z from 'zod'
import { get } from '../../../http/endpoint.ts'
import { listOf } from '../../../kit/page.ts'
import { jwtContract } from '../../jwt/jwt.contract.ts'

const url = z.string()
const list = listOf(z.string())

/** The metadata that OpenID Connect and MCP share. */
export const commonMetadataShape = {
  issuer: url,
  authorization_endpoint: url,
  token_endpoint: url,
  userinfo_endpoint: url,
  jwks_uri: url,
  registration_endpoint: url,
  introspection_endpoint: url,
  revocation_endpoint: url,
  pushed_authorization_request_endpoint: url,
  device_authorization_endpoint: url,
  service_documentation: url,
  scopes_supported: list,
  response_types_supported: list,
  response_modes_supported: list,
  grant_types_supported: list,
  acr_values_supported: list,
  subject_types_supported: list,
  id_token_signing_alg_values_supported: list,
  token_endpoint_auth_methods_supported: list,
  token_endpoint_auth_signing_alg_values_supported: list,
  code_challenge_methods_supported: list,
  authorization_details_types_supported: list.optional(),
  identity_chaining_requested_token_types_supported: list.optional(),
  authorization_grant_profiles_supported: list.optional(),
  dpop_signing_alg_values_supported: list,
  authorization_signing_alg_values_supported: list,
  request_object_signing_alg_values_supported: list,
  require_pushed_authorization_requests: z.boolean(),
  authorization_response_iss_parameter_supported: z.boolean(),
  revocation_endpoint_auth_methods_supported: list,
  revocation_endpoint_auth_signing_alg_values_supported: list,
  introspection_endpoint_auth_methods_supported: list,
  introspection_endpoint_auth_signing_alg_values_supported: list,
  backchannel_authentication_endpoint: url,
  backchannel_token_delivery_modes_supported: list,
  backchannel_authentication_request_signing_alg_values_supported: list,
  backchannel_user_code_parameter_supported: z.boolean(),
  prompt_values_supported: list,
  claims_parameter_supported: z.boolean(),
  request_parameter_supported: z.boolean(),
  request_uri_parameter_supported: z.boolean(),
}

/** OpenID Connect Discovery, section 3. */
const discoveryAnswer = z.object({
  ...commonMetadataShape,
  end_session_endpoint: url,
  backchannel_logout_supported: z.boolean(),
  backchannel_logout_session_supported: z.boolean(),
  claim_types_supported: list,
  claims_supported: list,
})

/** The keys that sign id tokens. */
export const idTokenKeysAnswer = jwtContract.jwks.answer

export const discoveryContract = {
  openidConfiguration: get('/.well-known/openid-configuration', {
    summary: 'Returns the endpoints and capabilities of the provider (OpenID Connect Discovery)',
    access: 'visitor',
    // RFC 8615.
    at: { also: ['/.well-known/openid-configuration'] },
    origins: { any: true },
    answer: discoveryAnswer,
    errors: [],
    budget: {},
    changes: [],
  }),
}
