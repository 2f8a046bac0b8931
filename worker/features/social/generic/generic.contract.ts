import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { urlInput } from '../../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { seconds } from '../../../kit/time.ts'
import { callbackQuery, scopesInput, startedAuthorization, startLimit } from '../model/authorization-input.ts'
import { socialErrors } from '../model/social.errors.ts'
import { genericOAuthErrors as errors, unknownConfig } from './generic.errors.ts'

const providerId = z.string().min(1).max(256)

export const genericOAuthContract = {
  signInOAuth2: post('/sign-in/oauth2', {
    summary: 'Starts a sign-in at a configured OAuth provider',
    access: 'visitor',
    input: {
      body: z.object({
        providerId,
        callbackURL: urlInput.optional(),
        errorCallbackURL: urlInput.optional(),
        newUserCallbackURL: urlInput.optional(),
        disableRedirect: z.boolean().optional(),
        scopes: scopesInput.optional(),
        requestSignUp: z.boolean().optional(),
      }),
    },
    answer: startedAuthorization,
    errors: [unknownConfig, errors.INVALID_OAUTH_CONFIGURATION, socialErrors.UNABLE_TO_CREATE_VERIFICATION],
    limits: { rate: startLimit },
    budget: { kv: 1, durable: 2, outside: 1 },
    changes: ['verification'],
  }),
  oauth2Callback: get('/oauth2/callback/:providerId', {
    summary: 'Handles the redirect of a configured OAuth provider and completes the sign-in or link',
    access: 'visitor',
    input: { params: z.object({ providerId }), query: callbackQuery },
    answer: 'redirect',
    errors: [],
    budget: { d1: 10, kv: 2, durable: 4, outside: 4 },
    limits: { whenFull: 'signs-in', rate: { max: 60, window: seconds(60) } },
    changes: ['user', 'session', 'account'],
    audit: 'oauth2.callback',
  }),
  oauth2Link: post('/oauth2/link', {
    summary: 'Starts linking an account of a configured OAuth provider to the user',
    access: 'recent-authentication',
    accessRules: { addsWayIn: true },
    input: {
      body: z.object({
        providerId,
        callbackURL: urlInput,
        scopes: scopesInput.optional(),
        errorCallbackURL: urlInput.optional(),
      }),
    },
    answer: startedAuthorization,
    errors: [
      core.UNAUTHORIZED,
      errors.PROVIDER_NOT_FOUND,
      errors.INVALID_OAUTH_CONFIGURATION,
      socialErrors.UNABLE_TO_CREATE_VERIFICATION,
    ],
    // The second round trip reads the methods of a step-up for the error.
    budget: { d1: 2, kv: 1, durable: 1, outside: 1 },
    changes: ['verification'],
  }),
}
