import * as z from 'zod'
import { post } from '../../../http/endpoint.ts'
import { forClientErrors, oauthErrorKinds } from '../identity-provider.errors.ts'
import { authorizationDetails, clientCredentials, forClients } from '../model/protocol/protocol.contract.ts'

/** RFC 6749, section 5.1. */
export const tokenAnswer = z.object({
  access_token: z.string(),
  token_type: z.enum(['Bearer', 'DPoP', 'N_A']),
  /** Seconds; absent for a token of a provider that states no end. */
  expires_in: z.number().optional(),
  refresh_token: z.string().optional(),
  scope: z.string(),
  id_token: z.string().optional(),
  authorization_details: authorizationDetails.optional(),
  issued_token_type: z.string().optional(),
})

/** The checks of each grant validate the parameters. */
export const tokenForm = z.object({
  grant_type: z.string(),
  code: z.string().optional(),
  redirect_uri: z.string().optional(),
  code_verifier: z.string().optional(),
  refresh_token: z.string().optional(),
  device_code: z.string().optional(),
  auth_req_id: z.string().optional(),
  assertion: z.string().optional(),
  scope: z.string().optional(),
  resource: z.string().optional(),
  audience: z.string().optional(),
  authorization_details: z.string().optional(),
  subject_token: z.string().optional(),
  subject_token_type: z.string().optional(),
  requested_token_type: z.string().optional(),
  actor_token: z.string().optional(),
  ...clientCredentials,
})

/** RFC 6749, section 5.2, with those of resources (RFC 8707), proofs (RFC 9449) and devices (RFC 8628). */
export const tokenErrors = [
  ...forClientErrors,
  ...oauthErrorKinds([
    'invalid_grant',
    'unauthorized_client',
    'unsupported_grant_type',
    'invalid_scope',
    'invalid_target',
    'invalid_authorization_details',
    'authorization_pending',
    'slow_down',
    'access_denied',
    'expired_token',
  ]),
  ...oauthErrorKinds(['slow_down'], 429),
]

const exchange = {
  ...forClients,
  input: { raw: { form: tokenForm } },
  answer: tokenAnswer,
  errors: tokenErrors,
  // Objects: the code, the assertion and the poll of a client, the proof of possession, and the budget of an agent.
  // D1: the client, the batch, and in a new isolate the keys.
  budget: { d1: 4, durable: 4, read: 100 },
  changes: ['verification'],
} as const

export const tokenContract = {
  oauthToken: post('/oauth2/token', {
    summary:
      'Exchanges a code, a refresh token, a device code, an approval, or the credentials of a service for tokens (RFC 6749, section 3.2)',
    ...exchange,
  }),
  // A path of the published client's device-authorization plug-in.
  deviceToken: post('/device/token', {
    summary: 'Exchanges a device code for tokens, like POST /oauth2/token',
    ...exchange,
  }),
}
