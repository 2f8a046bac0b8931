import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { identityProviderErrors } from '../identity-provider.errors.ts'
import { authorizationQuery, shownClient } from '../model/protocol/protocol.contract.ts'

/** For scripts, which cannot follow a redirect: the address that the browser should open. */
export const redirectAnswer = z.object({ redirect: z.literal(true), url: z.string() })

/** An authorization request, at each address that accepts one. */
export const authorizing = {
  access: 'visitor',
  input: { query: authorizationQuery },
  answer: redirectAnswer,
  orElse: ['redirect', 'page'],
  errors: [identityProviderErrors.INVALID_REDIRECT_URI, identityProviderErrors.NO_CONSENT_PAGE_PROVIDED],
  // An `id_token_hint` causes the third round trip (the keys), a pushed request the second object.
  budget: { d1: 3, durable: 2 },
  changes: ['verification'],
} as const

export const authorizeContract = {
  authorize: get('/oauth2/authorize', {
    summary:
      'Starts an authorization; redirects to sign-in, to consent or to the client with a code (OpenID Connect Core, section 3.1.2)',
    ...authorizing,
  }),
  authorizeByPost: post('/oauth2/authorize', {
    summary: 'Starts an authorization whose parameters are a form body (OpenID Connect Core, section 3.1.2.1)',
    access: 'visitor',
    input: { raw: { form: authorizationQuery } },
    // The form arrives without cookies; it redirects to the GET, which receives them.
    origins: { foreignPosts: true },
    answer: 'redirect',
    status: 303,
    errors: [],
    budget: {},
    changes: [],
  }),
  formPost: get('/oauth2/form-post', {
    summary: 'Posts the response of an authorization to its client (OAuth 2.0 Form Post Response Mode)',
    access: 'visitor',
    input: { query: z.object({ answer: z.string().max(20_000) }) },
    answer: 'page',
    errors: [],
    budget: {},
    changes: [],
  }),
  loginPrompt: get('/oauth2/login-prompt', {
    summary: 'Returns the client of the pending authorization request of this browser, for the sign-in page',
    access: 'visitor',
    answer: z.object({ client: shownClient.nullable() }),
    errors: [],
    budget: { d1: 1 },
    changes: [],
  }),
}
