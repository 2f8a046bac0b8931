import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { endedList } from '../../../identity/sessions/ended-list.contract.ts'
import { forClientErrors } from '../identity-provider.errors.ts'
import { authorizationDetails, forClients, tokenInput } from '../model/protocol/protocol.contract.ts'

export const introspectionContract = {
  introspect: post('/oauth2/introspect', {
    summary: 'Returns the state and the claims of a token of the client (RFC 7662)',
    ...forClients,
    input: { raw: { form: tokenInput } },
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
  endedTokens: get('/oauth2/ended-tokens', {
    summary:
      'Lists JWT access tokens that ended before their expiry, for servers that verify them: `jwt:` and the beginning of the SHA-256 of a `jti`, or `client:` and the beginning of a client id, or `resource:` and the beginning of the SHA-256 of an identifier, with the time (ms) before which its tokens are void',
    ...endedList,
  }),
  accessTokenStatus: post('/oauth2/token-status', {
    summary:
      'Returns whether a JWT access token is valid, by the database: for a server that cannot read the list of ended tokens',
    ...forClients,
    input: { body: z.object({ token: z.string().max(16_384) }) },
    answer: z.object({ active: z.boolean() }),
    errors: [],
    // The token, and in a new isolate the keys.
    budget: { d1: 3 },
    changes: [],
  }),
}
