import * as z from 'zod'
import { post } from '../../http/endpoint.ts'
import { continued } from '../../http/sign-in.contract.ts'
import { passwordInput, presentedUser, urlInput } from '../../identity/users/users.contract.ts'
import { guessErrors } from '../../identity/verifications/guesses.errors.ts'
import { seconds } from '../../kit/time.ts'
import { usernameErrors as errors } from './username.errors.ts'

const usernameInput = z.string().max(1024)
const badUsername = [errors.USERNAME_IS_TOO_SHORT, errors.USERNAME_IS_TOO_LONG, errors.USERNAME_IS_INVALID] as const

/** What `GET /config` returns while the feature is on. */
export interface OptionalPublicConfiguration {
  features: { username: true }
  usernameLength: { min: number; max: number }
}

export const usernameContract = {
  signInUsername: post('/sign-in/username', {
    summary: 'Signs in with username and password',
    access: 'visitor',
    input: {
      body: z.object({
        username: usernameInput,
        password: passwordInput,
        rememberMe: z.boolean().optional(),
        callbackURL: urlInput.optional(),
      }),
    },
    answer: z.union([
      z.object({ ...continued, token: z.string(), user: presentedUser.extend({ username: z.string().nullable() }) }),
      z.object({ twoFactorRedirect: z.boolean() }),
    ]),
    errors: [
      errors.INVALID_USERNAME_OR_PASSWORD,
      errors.EMAIL_NOT_VERIFIED,
      ...badUsername,
      guessErrors.TOO_MANY_REQUESTS,
    ],
    limits: { whenFull: 'signs-in', rate: { max: 3, window: seconds(10) } },
    // One of the three only with two-factor, to check whether the device is trusted.
    budget: { d1: 3, durable: 3 },
    changes: ['session'],
    audit: 'sign-in.username',
  }),
  isUsernameAvailable: post('/is-username-available', {
    summary: 'Checks whether a username is available',
    access: 'visitor',
    input: { body: z.object({ username: usernameInput }) },
    answer: z.object({ available: z.boolean() }),
    errors: badUsername,
    // Sufficient for checks while a user types, too low to enumerate users.
    limits: { rate: { max: 20, window: seconds(60) } },
    budget: { d1: 1, durable: 1 },
    changes: [],
  }),
}
