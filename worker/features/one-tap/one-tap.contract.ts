import * as z from 'zod'
import { challengeAnswer } from '../../http/challenge.ts'
import { endpoint } from '../../http/endpoint.ts'
import { presentedUser } from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { oneTapErrors as errors } from './one-tap.errors.ts'

export const oneTapContract = {
  oneTapCallback: endpoint({
    method: 'POST',
    path: '/one-tap/callback',
    summary: 'Signs in by the id token that Google One Tap gave the page',
    access: 'visitor',
    body: z.object({ idToken: z.string().min(1).max(16_384) }),
    answer: z.union([z.object({ token: z.string(), user: presentedUser }), challengeAnswer]),
    errors: [
      errors.PROVIDER_NOT_FOUND,
      errors.INVALID_ID_TOKEN,
      errors.EMAIL_NOT_AVAILABLE_IN_TOKEN,
      errors.GOOGLE_SUB_DOESNT_MATCH,
      errors.SIGNUP_DISABLED,
      errors.COULD_NOT_CREATE_USER,
      core.FAILED_TO_CREATE_SESSION,
    ],
    budget: { d1: 9, kv: 1, durable: 2, outside: 1 },
    changes: ['user', 'session', 'account'],
  }),
}
