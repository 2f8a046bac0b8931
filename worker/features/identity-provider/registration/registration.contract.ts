import * as z from 'zod'
import { post } from '../../../http/endpoint.ts'
import { guessErrors } from '../../../identity/verifications/guesses.errors.ts'
import { oauthErrorKinds } from '../identity-provider.errors.ts'
import { clientMetadata } from '../model/clients/client-metadata.ts'

/** The registered metadata and further fields that the client needs (RFC 7591, section 3.2.1). */
export const registrationAnswer = z.object({
  client_id: z.string(),
  client_secret: z.string().optional(),
  client_id_issued_at: z.number(),
  client_secret_expires_at: z.number(),
  ...clientMetadata.shape,
  grant_types: z.array(z.string()).max(8),
  response_types: z.array(z.string()).max(2),
  client_name: z.string(),
})

export const registrationContract = {
  registerClient: post('/oauth2/register', {
    summary: 'Registers a client (RFC 7591)',
    access: 'visitor',
    // A client of a user is a credential of theirs.
    accessRules: { recentFor: () => true },
    input: { raw: { json: clientMetadata } },
    answer: registrationAnswer,
    status: 201,
    errors: [
      ...oauthErrorKinds(['invalid_request', 'invalid_redirect_uri', 'invalid_client_metadata', 'invalid_token']),
      ...oauthErrorKinds(['access_denied'], 403),
      guessErrors.TOO_MANY_REQUESTS,
    ],
    budget: { d1: 2, durable: 2 },
    limits: { rate: { max: 10, window: 60 } },
    changes: ['oauth-client'],
    audit: 'oauth2.register',
  }),
}
