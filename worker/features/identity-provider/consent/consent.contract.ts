import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { listOf } from '../../../kit/page.ts'
import { seconds } from '../../../kit/time.ts'
import { oauthErrorKinds } from '../identity-provider.errors.ts'
import { detailSentences, shownClient } from '../model/protocol/protocol.contract.ts'

const consentCode = z.string().max(64).optional()

const errors = [core.UNAUTHORIZED, ...oauthErrorKinds(['invalid_request'], 401)]

export const consentContract = {
  readConsent: get('/oauth2/consent', {
    summary: 'Returns the client and its requested scopes, for the consent page',
    access: 'own-session',
    /** Identifies the question if a browser has several; the page finds it in its address. */
    input: { query: z.object({ consent_code: consentCode }) },
    answer: z.object({
      client: shownClient.extend({
        uri: z.string().nullable(),
        policyUri: z.string().nullable(),
        tosUri: z.string().nullable(),
        documentHost: z.string().nullable(),
        /** The configuration does not name the client: its name and icon are its own statement. */
        selfRegistered: z.boolean(),
      }),
      redirectHost: z.string(),
      scopes: listOf(z.string()),
      /** The configured words of the scopes of resource servers. */
      scopeWords: z.record(z.string(), z.string()),
      /** What the client may do in addition, as configured sentences by language. */
      authorizationDetails: detailSentences,
      /** Maximum number of seconds that the client keeps access without another authorization. */
      accessExpiresIn: z.number(),
      /** The requested resources, joined by spaces. */
      resource: z.string().nullable(),
      /** Names of the organizations whose resources are requested: they have written the words of their scopes. */
      organizations: listOf(z.string()),
      user: z.object({ name: z.string(), email: z.string(), image: z.string().nullable() }),
      /** Begins the same authorization with another account. */
      switchAccountURL: z.string(),
    }),
    errors,
    budget: { d1: 1, durable: 1 },
    changes: [],
  }),
  consent: post('/oauth2/consent', {
    summary: 'Accepts or denies the consent request',
    access: 'own-session',
    input: { body: z.object({ accept: z.boolean(), consent_code: consentCode }) },
    answer: z.object({ redirectURI: z.string() }),
    errors,
    budget: { d1: 2, durable: 3 },
    limits: { whenFull: 'signs-in', rate: { max: 30, window: seconds(60) } },
    changes: ['oauth-consent', 'verification'],
    audit: 'oauth2.consent',
  }),
  clientInfo: get('/oauth2/client/:id', {
    summary: 'Returns the name and icon of a client',
    access: 'session',
    input: { params: z.object({ id: z.string().max(512) }) },
    answer: shownClient,
    errors: [core.UNAUTHORIZED, ...oauthErrorKinds(['not_found'])],
    budget: { d1: 2 },
    changes: [],
  }),
}
