import * as z from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { presentedUser } from '../../identity/users/users.contract.ts'
import { seconds } from '../../kit/time.ts'
import { anonymousErrors as errors } from './anonymous.errors.ts'

export const anonymousContract = {
  signInAnonymous: endpoint({
    method: 'POST',
    path: '/sign-in/anonymous',
    summary: 'Creates a guest and signs in',
    access: 'visitor',
    answer: z.object({ token: z.string(), user: presentedUser.omit({ image: true }) }),
    errors: [
      errors.ANONYMOUS_USERS_CANNOT_SIGN_IN_AGAIN_ANONYMOUSLY,
      errors.FAILED_TO_CREATE_USER,
      errors.COULD_NOT_CREATE_SESSION,
    ],
    limit: { max: 3, window: seconds(10) },
    budget: { d1: 2, durable: 1 },
    changes: ['user', 'session'],
  }),
}
