import * as z from 'zod'
import { post } from '../../../http/endpoint.ts'
import { challengeAnswer } from '../../../http/sign-in.contract.ts'
import { presentedUser } from '../../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { seconds } from '../../../kit/time.ts'
import { socialErrors } from '../model/social.errors.ts'
import { accessIdentityErrors as errors } from './access-identity.errors.ts'

/** What `GET /config` returns while the feature is on. */
export interface OptionalPublicConfiguration {
  features: { accessIdentity: true }
}

export const accessIdentityContract = {
  signInAccess: post('/sign-in/access', {
    summary: 'Signs in with the token that Cloudflare Access adds to the request; reads nothing from the body',
    access: 'visitor',
    answer: z.union([z.object({ token: z.string(), user: presentedUser }), challengeAnswer]),
    errors: [
      errors.ACCESS_TOKEN_MISSING,
      errors.ACCESS_TOKEN_INVALID,
      errors.ACCESS_SERVICE_TOKEN,
      errors.ACCESS_WITHOUT_EMAIL,
      socialErrors.ACCOUNT_NOT_LINKED,
      socialErrors.SIGNUP_DISABLED,
      socialErrors.UNABLE_TO_LINK_ACCOUNT,
      socialErrors.UNABLE_TO_CREATE_USER,
      core.DISPOSABLE_EMAIL,
      core.FAILED_TO_CREATE_SESSION,
    ],
    budget: { d1: 9, kv: 1, durable: 3, outside: 1, read: 150, written: 80 },
    limits: { whenFull: 'signs-in', rate: { max: 30, window: seconds(60) } },
    changes: ['user', 'session', 'account'],
    audit: 'sign-in.access',
  }),
}
