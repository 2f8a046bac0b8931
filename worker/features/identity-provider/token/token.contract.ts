import * as z from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { forClientErrors, oauthErrorKinds } from '../identity-provider.errors.ts'

/** A token answer (RFC 6749, section 5.1). */
export const tokenAnswer = z.object({
  access_token: z.string(),
  token_type: z.enum(['Bearer', 'DPoP']),
  /** Seconds. */
  expires_in: z.number(),
  refresh_token: z.string().optional(),
  scope: z.string(),
  id_token: z.string().optional(),
})

/** What clients post to from any site, without cookies: it has no caller but the client. */
export const forClients = { access: 'visitor', foreignPosts: true, anyOrigin: true } as const

/** How a client says who it is in a form (RFC 6749, section 2.3.1; RFC 7521, section 4.2); or in its header. */
export const clientCredentials = {
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  client_assertion_type: z.string().optional(),
  client_assertion: z.string().optional(),
}

/** What each grant asks for is said by the checks of the protocol. */
export const tokenForm = z.object({
  grant_type: z.string(),
  code: z.string().optional(),
  redirect_uri: z.string().optional(),
  code_verifier: z.string().optional(),
  refresh_token: z.string().optional(),
  device_code: z.string().optional(),
  scope: z.string().optional(),
  resource: z.string().optional(),
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
    'authorization_pending',
    'slow_down',
    'access_denied',
    'expired_token',
  ]),
]

export const tokenContract = {
  oauthToken: endpoint({
    method: 'POST',
    path: '/oauth2/token',
    summary: 'A code, a refresh token or a device code for tokens (RFC 6749, section 3.2)',
    ...forClients,
    raw: { form: tokenForm },
    answer: tokenAnswer,
    errors: tokenErrors,
    // One of the objects for the code, one for a client that signs or polls, one for a proof of possession.
    budget: { d1: 3, durable: 3 },
    changes: ['verification'],
  }),
}
