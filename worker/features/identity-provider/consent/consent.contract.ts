import * as z from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { oauthErrorKinds } from '../identity-provider.errors.ts'

const consentCode = z.string().max(64).optional()

const errors = [core.UNAUTHORIZED, ...oauthErrorKinds(['invalid_request'], 401)]

export const consentContract = {
  readConsent: endpoint({
    method: 'GET',
    path: '/oauth2/consent',
    summary: 'Who asks for what, for the page on which a person agrees',
    access: 'own-session',
    /** Which one, where a browser has several; the page finds it in its address. */
    query: z.object({ consent_code: consentCode }),
    answer: z.object({
      client: z.object({
        clientId: z.string(),
        name: z.string(),
        icon: z.string().nullable(),
        uri: z.string().nullable(),
        policyUri: z.string().nullable(),
        tosUri: z.string().nullable(),
        documentHost: z.string().nullable(),
      }),
      redirectHost: z.string(),
      scopes: z.array(z.string()),
      resource: z.string().nullable(),
      user: z.object({ name: z.string(), email: z.string(), image: z.string().nullable() }),
      /** Begins the same authorization with another account. */
      switchAccountURL: z.string(),
    }),
    errors,
    budget: { d1: 1, durable: 1 },
    changes: [],
  }),
  consent: endpoint({
    method: 'POST',
    path: '/oauth2/consent',
    summary: 'The person agrees, or does not',
    access: 'own-session',
    body: z.object({ accept: z.boolean(), consent_code: consentCode }),
    answer: z.object({ redirectURI: z.string() }),
    errors,
    budget: { d1: 2, durable: 2 },
    changes: ['oauth-consent', 'verification'],
  }),
}
