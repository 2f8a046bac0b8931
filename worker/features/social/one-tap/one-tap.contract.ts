import * as z from 'zod'
import { post } from '../../../http/endpoint.ts'
import { challengeAnswer } from '../../../http/sign-in.contract.ts'
import { presentedUser } from '../../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { seconds } from '../../../kit/time.ts'
import { oneTapErrors as errors } from './one-tap.errors.ts'

/** What `GET /config` returns while the feature is on. */
export interface OptionalPublicConfiguration {
  features: { oneTap: true }
  /** The client id for Google's script. */
  oneTap: { clientId: string }
}

export const oneTapContract = {
  oneTapCallback: post('/one-tap/callback', {
    summary: 'Signs in with the id token of Google One Tap',
    access: 'visitor',
    input: { body: z.object({ idToken: z.string().min(1).max(16_384) }) },
    answer: z.union([z.object({ token: z.string(), user: presentedUser }), challengeAnswer]),
    errors: [
      errors.PROVIDER_NOT_FOUND,
      errors.INVALID_ID_TOKEN,
      errors.EMAIL_NOT_AVAILABLE_IN_TOKEN,
      errors.GOOGLE_SUB_DOESNT_MATCH,
      errors.SIGNUP_DISABLED,
      errors.COULD_NOT_CREATE_USER,
      core.DISPOSABLE_EMAIL,
      core.FAILED_TO_CREATE_SESSION,
    ],
    budget: { d1: 9, kv: 1, durable: 3, outside: 1 },
    limits: { whenFull: 'signs-in', rate: { max: 30, window: seconds(60) } },
    changes: ['user', 'session', 'account'],
    audit: 'one-tap.callback',
  }),
}
