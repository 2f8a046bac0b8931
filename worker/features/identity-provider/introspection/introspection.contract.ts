import * as z from 'zod'
import { post } from '../../../http/endpoint.ts'
import { forClientErrors } from '../identity-provider.errors.ts'
import { authorizationDetails, forClients, tokenInput } from '../protocol/protocol.contract.ts'

export const introspectionContract = {
  introspect: post('/oauth2/introspect', {
    summary: 'Returns the state and the claims of a token of the client (RFC 7662)',
    ...forClients,
    raw: { form: tokenInput },
    answer: z.object({
      active: z.boolean(),
      scope: z.string().optional(),
      client_id: z.string().optional(),
      username: z.string().optional(),
      token_type: z.string().optional(),
      exp: z.number().optional(),
      iat: z.number().optional(),
      sub: z.string().optional(),
      aud: z.string().optional(),
      iss: z.string().optional(),
      acr: z.string().optional(),
      auth_time: z.number().optional(),
      authorization_details: authorizationDetails.optional(),
      cnf: z.object({ jkt: z.string() }).optional(),
      /** RFC 8693, section 4.1: `sub` is the agent that acts, `act` the one before it, and so on. */
      act: z.record(z.string(), z.unknown()).optional(),
    }),
    errors: forClientErrors,
    // A JWT: the keys, in a new isolate.
    budget: { d1: 2, durable: 1 },
    changes: [],
  }),
}
