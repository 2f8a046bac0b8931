import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { emailInput, urlInput } from '../../../identity/users/users.contract.ts'
import { minutes, seconds } from '../../../kit/time.ts'
import { idInput } from '../../organization/model/membership.schemas.ts'
import { callbackQuery, startedAuthorization } from '../../social/model/authorization-input.ts'
import { socialErrors } from '../../social/model/social.errors.ts'
import { enterpriseErrors as errors } from '../model/enterprise.errors.ts'

const connectionParams = z.object({ providerId: z.string().min(1).max(64) })

export const ssoSignInContract = {
  discoverSignIn: post('/sso/discover', {
    summary:
      'Returns the connection that signs in addresses of a domain, or an active connection by id. The response depends on the domain only',
    access: 'visitor',
    input: {
      body: z
        .object({ email: emailInput.optional(), connectionId: idInput.optional() })
        .refine((body) => (body.email ?? body.connectionId) !== undefined, { path: ['email'], message: 'is required' }),
    },
    answer: z.object({
      connection: z.object({ id: z.string(), organization: z.string() }).nullable(),
      /** Whether the domain allows no other way to sign in. */
      required: z.boolean(),
    }),
    errors: [],
    limits: { rate: { max: 30, window: minutes(1) } },
    budget: { d1: 1 },
    changes: [],
  }),
  signInSso: post('/sign-in/sso', {
    summary: 'Starts a sign-in through the connection of an organization',
    access: 'visitor',
    input: {
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
    },
    answer: startedAuthorization,
    errors: [
      errors.SINGLE_SIGN_ON_NOT_FOUND,
      errors.CONNECTION_IS_NOT_REACHABLE,
      socialErrors.UNABLE_TO_CREATE_VERIFICATION,
    ],
    limits: { rate: { max: 10, window: seconds(10) } },
    budget: { d1: 2, kv: 1, durable: 1, outside: 1 },
    changes: ['verification'],
  }),
  ssoCallback: get('/sso/callback/:providerId', {
    summary: 'Handles the redirect of an OpenID connection and completes the sign-in or the test',
    access: 'visitor',
    input: { params: connectionParams, query: callbackQuery },
    answer: 'redirect',
    errors: [],
    limits: { whenFull: 'signs-in', rate: { max: 60, window: seconds(60) } },
    budget: { d1: 12, kv: 2, durable: 2, outside: 4, read: 200, written: 80 },
    changes: ['user', 'session', 'account', 'member'],
    audit: 'sso.callback',
  }),
  samlMetadata: get('/sso/saml2/metadata/:providerId', {
    summary: 'Returns the metadata of the service provider of a SAML connection',
    access: 'visitor',
    input: { params: connectionParams },
    answer: 'page',
    errors: [errors.SSO_CONNECTION_NOT_FOUND],
    budget: { d1: 1 },
    changes: [],
  }),
  samlResponse: post('/sso/saml2/acs/:providerId', {
    summary: 'Verifies the form post of a SAML identity provider (HTTP POST binding)',
    access: 'visitor',
    input: {
      params: connectionParams,
      body: z.object({ SAMLResponse: z.string().min(1).max(65_536), RelayState: z.string().max(1024).optional() }),
    },
    origins: { forms: true, foreignPosts: true },
    answer: 'redirect',
    errors: [],
    limits: { rate: { max: 60, window: seconds(60) } },
    budget: { d1: 1, durable: 1 },
    changes: ['verification'],
  }),
  finishSaml: get('/sso/saml2/finish/:providerId', {
    summary: 'Completes the sign-in or the test in the browser that started it',
    access: 'visitor',
    input: {
      params: connectionParams,
      query: z.object({
        ticket: z.string().max(64).optional(),
        state: z.string().max(1024).optional(),
        error: z.string().max(64).optional(),
      }),
    },
    answer: 'redirect',
    errors: [],
    limits: { whenFull: 'signs-in', rate: { max: 60, window: seconds(60) } },
    budget: { d1: 12, durable: 3, read: 200, written: 80 },
    changes: ['user', 'session', 'account', 'member'],
    audit: 'sso.saml2.finish',
  }),
}
