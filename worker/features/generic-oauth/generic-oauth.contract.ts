import * as z from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { urlInput } from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { seconds } from '../../kit/time.ts'
import { socialErrors } from '../social/social.errors.ts'
import { genericOAuthErrors as errors, unknownConfig } from './generic-oauth.errors.ts'

const providerId = z.string().min(1).max(256)
const scopes = z.array(z.string().min(1).max(256)).max(50)
const started = z.object({ url: z.string(), redirect: z.boolean() })

export const genericOAuthContract = {
  signInOAuth2: endpoint({
    method: 'POST',
    path: '/sign-in/oauth2',
    summary: 'Starts a sign-in at a provider of the configuration',
    access: 'visitor',
    body: z.object({
      providerId,
      callbackURL: urlInput.optional(),
      errorCallbackURL: urlInput.optional(),
      newUserCallbackURL: urlInput.optional(),
      disableRedirect: z.boolean().optional(),
      scopes: scopes.optional(),
      requestSignUp: z.boolean().optional(),
    }),
    answer: started,
    errors: [unknownConfig, errors.INVALID_OAUTH_CONFIGURATION, socialErrors.UNABLE_TO_CREATE_VERIFICATION],
    limit: { max: 3, window: seconds(10) },
    budget: { kv: 1, durable: 2, outside: 1 },
    changes: ['verification'],
  }),
  oauth2Callback: endpoint({
    method: 'GET',
    path: '/oauth2/callback/:providerId',
    summary: 'Where a provider of the configuration sends the browser back to',
    access: 'visitor',
    params: z.object({ providerId }),
    // What a provider sends is read by the feature itself, which answers with a redirect whatever is wrong with it.
    query: z.record(z.string(), z.unknown()),
    answer: 'redirect',
    errors: [],
    budget: { d1: 10, kv: 2, durable: 3, outside: 4 },
    changes: ['user', 'session', 'account'],
  }),
  oauth2Link: endpoint({
    method: 'POST',
    path: '/oauth2/link',
    summary: 'Starts linking an identity at a provider of the configuration to the user',
    access: 'own-session',
    body: z.object({
      providerId,
      callbackURL: urlInput,
      scopes: scopes.optional(),
      errorCallbackURL: urlInput.optional(),
    }),
    answer: started,
    errors: [
      core.UNAUTHORIZED,
      errors.PROVIDER_NOT_FOUND,
      errors.INVALID_OAUTH_CONFIGURATION,
      socialErrors.UNABLE_TO_CREATE_VERIFICATION,
    ],
    budget: { d1: 1, kv: 1, durable: 1, outside: 1 },
    changes: ['verification'],
  }),
}
