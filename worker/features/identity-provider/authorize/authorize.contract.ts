import * as z from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { authorizeErrors } from './authorize.errors.ts'

/** Parameters are judged by the checks of the protocol, which know where an error has to go. */
export const authorizationQuery = z.looseObject({
  client_id: z.string().optional(),
  response_type: z.string().optional(),
  redirect_uri: z.string().optional(),
  scope: z.string().optional(),
  state: z.string().optional(),
  prompt: z.string().optional(),
  code_challenge: z.string().optional(),
  code_challenge_method: z.string().optional(),
  nonce: z.string().optional(),
  max_age: z.string().optional(),
  resource: z.string().optional(),
  request_uri: z.string().optional(),
})

/** For scripts, which cannot follow: where the browser goes. */
export const redirectAnswer = z.object({ redirect: z.literal(true), url: z.string() })

const errors = [authorizeErrors.INVALID_REDIRECT_URI, authorizeErrors.NO_CONSENT_PAGE_PROVIDED]

export const authorizeContract = {
  authorize: endpoint({
    method: 'GET',
    path: '/oauth2/authorize',
    summary: 'Begins an authorization (OpenID Connect Core, section 3.1.2): to login, to consent, or back with a code',
    access: 'visitor',
    query: authorizationQuery,
    answer: redirectAnswer,
    redirects: true,
    shows: 'page',
    errors,
    // The third round trip for the keys, where a client hints at a person; the second object for a pushed request.
    budget: { d1: 3, durable: 2 },
    changes: ['verification'],
  }),
  authorizeByPost: endpoint({
    method: 'POST',
    path: '/oauth2/authorize',
    summary: 'The same by a form of the client (OpenID Connect Core, section 3.1.2.1)',
    access: 'visitor',
    raw: { form: authorizationQuery },
    // Cookies of ours do not come with it; it leads to the GET, where they do.
    foreignPosts: true,
    answer: 'redirect',
    status: 303,
    errors: [],
    budget: {},
    changes: [],
  }),
}
