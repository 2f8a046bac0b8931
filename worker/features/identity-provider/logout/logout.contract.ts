import * as z from 'zod'
import { endpoint } from '../../../http/endpoint.ts'

const query = z.looseObject({
  id_token_hint: z.string().max(8000).optional(),
  client_id: z.string().max(512).optional(),
  post_logout_redirect_uri: z.string().max(2000).optional(),
  state: z.string().max(2000).optional(),
})

export const logoutContract = {
  endSession: endpoint({
    method: 'GET',
    path: '/oauth2/end-session',
    summary: 'A client signs its person out here too (OpenID Connect RP-Initiated Logout)',
    access: 'visitor',
    query,
    answer: 'redirect',
    errors: [],
    // Two of them only until the keys exist and are known.
    budget: { d1: 5 },
    changes: ['session'],
  }),
  endSessionByPost: endpoint({
    method: 'POST',
    path: '/oauth2/end-session',
    summary: 'The same by a form of the client',
    access: 'visitor',
    raw: { form: query },
    foreignPosts: true,
    answer: 'redirect',
    status: 303,
    errors: [],
    budget: {},
    changes: [],
  }),
}
