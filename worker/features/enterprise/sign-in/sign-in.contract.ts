import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { emailInput, urlInput } from '../../../identity/users/users.contract.ts'
import { minutes, seconds } from '../../../kit/time.ts'
import { idInput } from '../../organization/membership/membership.schemas.ts'
import { callbackQuery, startedAuthorization } from '../../social/client/authorization-input.ts'
import { socialErrors } from '../../social/client/social.errors.ts'
import { enterpriseErrors as errors } from '../model/enterprise.errors.ts'

export const ssoSignInContract = {
  discoverSignIn: post('/sso/discover', {
    summary: 'Returns the connection that signs in addresses of a domain. The response depends on the domain only',
    access: 'visitor',
    body: z.object({ email: emailInput }),
    answer: z.object({
      connection: z.object({ id: z.string(), organization: z.string() }).nullable(),
      /** Whether the domain allows no other way to sign in. */
      required: z.boolean(),
    }),
    errors: [],
    limit: { max: 30, window: minutes(1) },
    budget: { d1: 1 },
    changes: [],
  }),
  signInSso: post('/sign-in/sso', {
    summary: 'Starts a sign-in through the connection of an organization',
    access: 'visitor',
    body: z
      .object({
        /** The address decides: the connection of its domain. */
        email: emailInput.optional(),
        /** A connection by id. */
        providerId: idInput.optional(),
        callbackURL: urlInput.optional(),
        errorCallbackURL: urlInput.optional(),
        newUserCallbackURL: urlInput.optional(),
        disableRedirect: z.boolean().optional(),
      })
      .refine((body) => (body.email ?? body.providerId) !== undefined, { path: ['email'], message: 'is required' }),
    answer: startedAuthorization,
    errors: [
      errors.SINGLE_SIGN_ON_NOT_FOUND,
      errors.CONNECTION_IS_NOT_REACHABLE,
      socialErrors.UNABLE_TO_CREATE_VERIFICATION,
    ],
    limit: { max: 10, window: seconds(10) },
    budget: { d1: 2, kv: 1, durable: 1, outside: 1 },
    changes: ['verification'],
  }),
  ssoCallback: get('/sso/callback/:providerId', {
    summary: 'Handles the redirect of an OpenID connection and completes the sign-in or the test',
    access: 'visitor',
    params: z.object({ providerId: z.string().min(1).max(64) }),
    query: callbackQuery,
    answer: 'redirect',
    errors: [],
    limit: { max: 60, window: seconds(60) },
    budget: { d1: 12, kv: 2, durable: 2, outside: 4 },
    changes: ['user', 'session', 'account', 'member'],
  }),
}
