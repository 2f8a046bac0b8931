import * as z from 'zod'
import { post } from '../../http/endpoint.ts'
import { presentedUser } from '../../identity/users/users.contract.ts'
import { guessErrors } from '../../identity/verifications/guesses.errors.ts'
import { seconds } from '../../kit/time.ts'
import { anonymousErrors as errors } from './anonymous.errors.ts'

/** What `GET /config` returns while the feature is on. */
export interface OptionalPublicConfiguration {
  features: { anonymous: true }
}

export const anonymousContract = {
  signInAnonymous: post('/sign-in/anonymous', {
    summary: 'Creates an anonymous user and signs in',
    access: 'visitor',
    answer: z.object({ token: z.string(), user: presentedUser.omit({ image: true }) }),
    errors: [
      errors.ANONYMOUS_USERS_CANNOT_SIGN_IN_AGAIN_ANONYMOUSLY,
      errors.FAILED_TO_CREATE_USER,
      errors.COULD_NOT_CREATE_SESSION,
      guessErrors.TOO_MANY_REQUESTS,
    ],
    limits: { rate: { max: 3, window: seconds(10) } },
    budget: { d1: 2, durable: 2 },
    changes: ['user', 'session'],
    audit: 'sign-in.anonymous',
  }),
}
