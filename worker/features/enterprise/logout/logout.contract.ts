import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { httpErrors } from '../../../http/http.errors.ts'
import { urlInput } from '../../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { seconds } from '../../../kit/time.ts'

const params = z.object({ providerId: z.string().min(1).max(64) })
const message = z.string().min(1).max(32_768).optional()
const relayState = z.string().max(1024).optional()
const limit = { max: 60, window: seconds(60) }
const budget = { d1: 3, durable: 1 }

export const ssoLogoutContract = {
  signOutSso: post('/sso/sign-out', {
    summary: 'Ends this session, and returns the URL of the logout at the identity provider that started it',
    access: 'own-session',
    input: { body: z.object({ callbackURL: urlInput.optional() }) },
    /** Without a logout at an identity provider, the URL is the callback. */
    answer: z.object({ url: z.string(), redirect: z.literal(true) }),
    errors: [core.UNAUTHORIZED, httpErrors.OWN_SESSION_REQUIRED],
    budget: { d1: 4, durable: 1 },
    changes: ['session'],
    audit: 'sso.sign-out',
    limits: { creates: 'ends' },
  }),
  samlLogout: get('/sso/saml2/logout/:providerId', {
    summary:
      'Single logout service of a SAML connection (HTTP redirect binding): ends sessions, or finishes a logout of ours',
    access: 'visitor',
    input: {
      params,
      query: z.object({
        SAMLRequest: message,
        SAMLResponse: message,
        RelayState: relayState,
        SigAlg: z.string().max(256).optional(),
        Signature: z.string().max(4096).optional(),
      }),
    },
    answer: 'redirect',
    errors: [],
    limits: { whenFull: 'ends', rate: limit },
    budget,
    changes: ['session'],
    audit: 'sso.saml2.logout',
  }),
  samlLogoutForm: post('/sso/saml2/logout/:providerId', {
    summary: 'Single logout service of a SAML connection (HTTP POST binding)',
    access: 'visitor',
    input: { params, body: z.object({ SAMLRequest: message, SAMLResponse: message, RelayState: relayState }) },
    origins: { forms: true, foreignPosts: true },
    answer: 'redirect',
    errors: [],
    limits: { whenFull: 'ends', rate: limit },
    budget,
    changes: ['session'],
    audit: 'sso.saml2.logout',
  }),
}
