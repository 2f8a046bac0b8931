import * as z from 'zod'
import { authenticationMethods } from '../clients/client.ts'

const text = z.string().max(1000)
const webAddress = text.refine(
  (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
  'must be a web address',
)

/** The grants that a client may name; some are known and never given. */
const grantTypes = [
  'authorization_code',
  'implicit',
  'password',
  'client_credentials',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:ietf:params:oauth:grant-type:saml2-bearer',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const

/** Client metadata (RFC 7591, section 2; OpenID Connect registration, section 2). What is unknown is ignored. */
export const registrationInput = z.object({
  redirect_uris: z.array(z.string().max(2000)).max(20).default([]),
  token_endpoint_auth_method: z.enum(authenticationMethods).default('client_secret_basic'),
  grant_types: z.array(z.enum(grantTypes)).min(1).max(8).default(['authorization_code']),
  response_types: z
    .array(z.enum(['code', 'token']))
    .max(2)
    .default(['code']),
  client_name: z.string().trim().max(100).default(''),
  client_uri: webAddress.optional(),
  logo_uri: webAddress.optional(),
  scope: text.optional(),
  contacts: z.array(text).max(10).optional(),
  tos_uri: webAddress.optional(),
  policy_uri: webAddress.optional(),
  jwks_uri: text.optional(),
  jwks: z.object({ keys: z.array(z.record(z.string(), z.unknown())).max(10) }).optional(),
  software_id: text.optional(),
  software_version: text.optional(),
  software_statement: z.string().max(8000).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  application_type: z.enum(['web', 'native']).optional(),
  id_token_signed_response_alg: z.enum(['RS256', 'EdDSA']).optional(),
  subject_type: z.enum(['public', 'pairwise']).optional(),
  post_logout_redirect_uris: z.array(z.string().max(2000)).max(20).optional(),
  backchannel_logout_uri: text.optional(),
  require_pushed_authorization_requests: z.boolean().optional(),
  dpop_bound_access_tokens: z.boolean().optional(),
})

export type Registration = z.output<typeof registrationInput>

/** What a registration answers: the metadata as it is kept, with what the client needs to know. */
export const registrationAnswer = z.object({
  client_id: z.string(),
  client_secret: z.string().optional(),
  client_id_issued_at: z.number(),
  client_secret_expires_at: z.number(),
  ...registrationInput.shape,
  grant_types: z.array(z.string()),
  response_types: z.array(z.string()),
  client_name: z.string(),
})
