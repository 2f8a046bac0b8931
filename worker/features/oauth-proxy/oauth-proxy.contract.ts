import * as z from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { urlInput } from '../../identity/users/users.contract.ts'

export const oauthProxyContract = {
  oauthProxyCallback: endpoint({
    method: 'GET',
    path: '/oauth-proxy-callback',
    summary: 'Takes a session over that the production deployment has made for a browser of this one',
    access: 'visitor',
    query: z.object({ callbackURL: urlInput, cookies: z.string().min(1).max(8192) }),
    answer: 'redirect',
    errors: [],
    budget: { d1: 1, durable: 1 },
    changes: ['session'],
  }),
}
