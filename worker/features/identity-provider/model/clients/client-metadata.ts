import * as z from 'zod'
import { nameInput, webAddressInput } from '../../../../kit/inputs.ts'
import { fitsAsMetadata, metadataBytes } from '../../../../kit/metadata.ts'
import { authenticationMethods } from './client.ts'

const text = z.string().max(1000)

/** The grants that a registration may name, some of which this server never issues. */
const grantTypes = [
  'authorization_code',
  'implicit',
  'password',
  'client_credentials',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:ietf:params:oauth:grant-type:saml2-bearer',
  'urn:ietf:params:oauth:grant-type:device_code',
  'urn:openid:params:grant-type:ciba',
] as const

/** Client metadata (RFC 7591, section 2; OpenID Connect registration, section 2). Unknown fields are ignored. */
export const clientMetadata = z.object({
  redirect_uris: z.array(z.string().max(2000)).max(20).default([]),
  token_endpoint_auth_method: z.enum(authenticationMethods).default('client_secret_basic'),
  grant_types: z.array(z.enum(grantTypes)).min(1).max(8).default(['authorization_code']),
  response_types: z
    .array(z.enum(['code', 'token']))
    .max(2)
    .default(['code']),
  client_name: nameInput.max(100).default(''),
  client_uri: webAddressInput.optional(),
  logo_uri: webAddressInput.optional(),
  scope: text.optional(),
  contacts: z.array(text).max(10).optional(),
  tos_uri: webAddressInput.optional(),
  policy_uri: webAddressInput.optional(),
  jwks_uri: text.optional(),
  jwks: z.object({ keys: z.array(z.record(z.string(), z.unknown())).max(10) }).optional(),
  software_id: text.optional(),
  software_version: text.optional(),
  software_statement: z.string().max(8000).optional(),
  metadata: z.record(z.string(), z.unknown()).refine(fitsAsMetadata, `at most ${metadataBytes} bytes`).optional(),
  application_type: z.enum(['web', 'native']).optional(),
  id_token_signed_response_alg: z.enum(['RS256', 'EdDSA']).optional(),
  authorization_signed_response_alg: z.enum(['RS256', 'EdDSA']).optional(),
  subject_type: z.enum(['public', 'pairwise']).optional(),
  post_logout_redirect_uris: z.array(z.string().max(2000)).max(20).optional(),
  backchannel_logout_uri: text.optional(),
  require_pushed_authorization_requests: z.boolean().optional(),
  dpop_bound_access_tokens: z.boolean().optional(),
  backchannel_token_delivery_mode: z.enum(['poll', 'ping']).optional(),
  backchannel_client_notification_endpoint: text.optional(),
  backchannel_user_code_parameter: z.literal(false).optional(),
  authorization_details_types: z.array(text).max(50).optional(),
})

export type ClientMetadata = z.output<typeof clientMetadata>
