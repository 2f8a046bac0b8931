import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'

const query = z.looseObject({
  id_token_hint: z.string().max(8000).optional(),
  client_id: z.string().max(512).optional(),
  post_logout_redirect_uri: z.string().max(2000).optional(),
  state: z.string().max(2000).optional(),
})

export const logoutContract = {
  endSession: get('/oauth2/end-session', {
    summary: 'Signs out the user of a client (OpenID Connect RP-Initiated Logout)',
    access: 'visitor',
    input: { query },
    answer: 'redirect',
    orElse: ['page'],
    errors: [],
    // Two of them until the signing keys exist and are cached.
    budget: { d1: 5 },
    changes: ['session'],
    audit: 'oauth2.end-session',
    limits: { creates: 'ends' },
  }),
  endSessionByPost: post('/oauth2/end-session', {
    summary: 'Signs out the user of a client, with a form body (OpenID Connect RP-Initiated Logout)',
    access: 'visitor',
    input: { raw: { form: query } },
    origins: { foreignPosts: true },
    answer: 'redirect',
    status: 303,
    errors: [],
    budget: {},
    changes: [],
  }),
}
