import * as z from 'zod'
import { post } from '../../../http/endpoint.ts'
import { forClientErrors, oauthErrorKinds } from '../identity-provider.errors.ts'
import { authorizationQuery, clientCredentials, forClients } from '../model/protocol/protocol.contract.ts'

/** Errors of the checks of an authorization request (model/requests/request-checks.ts). */
const requestErrors = oauthErrorKinds([
  'unauthorized_client',
  'unsupported_response_type',
  'invalid_scope',
  'invalid_target',
  'invalid_authorization_details',
  'invalid_request_object',
  'request_uri_not_supported',
  'registration_not_supported',
])

export const parContract = {
  pushAuthorizationRequest: post('/oauth2/par', {
    summary: 'Stores a pushed authorization request of a client (RFC 9126)',
    ...forClients,
    input: { raw: { form: z.object({ ...authorizationQuery.shape, ...clientCredentials }) } },
    answer: z.object({ request_uri: z.string(), expires_in: z.number() }),
    status: 201,
    errors: [...forClientErrors, ...requestErrors],
    budget: { d1: 1, durable: 3 },
    changes: ['verification'],
  }),
}
