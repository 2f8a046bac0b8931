import * as z from 'zod'
import { get } from '../../../http/endpoint.ts'
import { urlInput } from '../../../identity/users/users.contract.ts'
import { seconds } from '../../../kit/time.ts'

export const oauthProxyContract = {
  oauthProxyCallback: get('/oauth-proxy-callback', {
    summary: 'Completes a sign-in that the production deployment has proxied for this deployment',
    access: 'visitor',
    input: { query: z.object({ callbackURL: urlInput, cookies: z.string().min(1).max(8192) }) },
    answer: 'redirect',
    errors: [],
    budget: { d1: 1, durable: 2 },
    limits: { whenFull: 'signs-in', rate: { max: 60, window: seconds(60) } },
    changes: ['session'],
    audit: 'oauth-proxy-callback',
  }),
}
