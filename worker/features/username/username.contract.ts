import * as z from 'zod'
import { continued } from '../../http/continue-to.ts'
import { endpoint } from '../../http/endpoint.ts'
import { passwordInput, presentedUser, urlInput } from '../../identity/users/users.contract.ts'
import { guessErrors } from '../../identity/verifications/guesses.errors.ts'
import { seconds } from '../../kit/time.ts'
import { usernameErrors as errors } from './username.errors.ts'

const usernameInput = z.string().max(1024)
const badUsername = [errors.USERNAME_IS_TOO_SHORT, errors.USERNAME_IS_TOO_LONG, errors.USERNAME_IS_INVALID] as const

export const usernameContract = {
  signInUsername: endpoint({
    method: 'POST',
    path: '/sign-in/username',
    summary: 'Signs in by username and password',
    access: 'visitor',
    body: z.object({
      username: usernameInput,
      password: passwordInput,
      rememberMe: z.boolean().optional(),
      callbackURL: urlInput.optional(),
    }),
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
    limit: { max: 3, window: seconds(10) },
    // One of the three only with two-factor on: whether the device is trusted.
    budget: { d1: 3, durable: 3 },
    changes: ['session'],
  }),
  isUsernameAvailable: endpoint({
    method: 'POST',
    path: '/is-username-available',
    summary: 'Whether nobody has the username',
    access: 'visitor',
    body: z.object({ username: usernameInput }),
    answer: z.object({ available: z.boolean() }),
    errors: badUsername,
    // Enough for a check while somebody types, too little to read the list of users out.
    limit: { max: 20, window: seconds(60) },
    budget: { d1: 1, durable: 1 },
    changes: [],
  }),
}
