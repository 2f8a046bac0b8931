import * as z from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { presentedUser } from '../../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { guessErrors } from '../../../identity/verifications/guesses.errors.ts'
import { seconds } from '../../../kit/time.ts'
import { socialErrors } from '../social.errors.ts'
import { addressErrors as errors } from './address.errors.ts'

/** What the use case says is not an address gets INVALID_EMAIL. */
const email = z.string().max(1024)
const limit = { max: 3, window: seconds(10) }

export const addressContract = {
  waitingSignIn: endpoint({
    method: 'GET',
    path: '/social/waiting',
    summary: 'The sign-in at a provider that waits in this browser for an address; null for none',
    access: 'visitor',
    answer: z
      .object({ provider: z.object({ id: z.string(), name: z.string() }), name: z.string(), expiresAt: z.date() })
      .nullable(),
    errors: [],
    budget: { durable: 1 },
    changes: [],
  }),
  sendAddressCode: endpoint({
    method: 'POST',
    path: '/social/send-code',
    summary: 'Mails a code to the address that somebody gives for the sign-in that waits',
    access: 'visitor',
    body: z.object({ email }),
    answer: z.object({ status: z.boolean() }),
    errors: [errors.NO_SIGN_IN_IS_WAITING, errors.INVALID_EMAIL, guessErrors.TOO_MANY_REQUESTS],
    limit,
    budget: { d1: 1, durable: 4 },
    changes: ['verification'],
  }),
  verifyAddress: endpoint({
    method: 'POST',
    path: '/social/verify-code',
    summary: 'Ends the sign-in that waits: the mailed code proves the address, which makes or finds the account',
    access: 'visitor',
    body: z.object({ email, code: z.string().max(64) }),
    answer: z.union([
      z.object({ redirect: z.boolean(), url: z.string(), token: z.string(), user: presentedUser }),
      z.object({ twoFactorRedirect: z.boolean() }),
    ]),
    errors: [
      errors.NO_SIGN_IN_IS_WAITING,
      errors.INVALID_EMAIL,
      errors.INVALID_OTP,
      errors.OTP_EXPIRED,
      errors.TOO_MANY_ATTEMPTS,
      socialErrors.ACCOUNT_NOT_LINKED,
      socialErrors.SIGNUP_DISABLED,
      socialErrors.UNABLE_TO_LINK_ACCOUNT,
      socialErrors.UNABLE_TO_CREATE_USER,
      core.FAILED_TO_CREATE_SESSION,
      guessErrors.TOO_MANY_REQUESTS,
    ],
    limit,
    budget: { d1: 3, durable: 4 },
    changes: ['user', 'session', 'account'],
  }),
}
