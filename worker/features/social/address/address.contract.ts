import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { presentedUser } from '../../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { guessErrors } from '../../../identity/verifications/guesses.errors.ts'
import { seconds } from '../../../kit/time.ts'
import { socialErrors } from '../model/social.errors.ts'
import { addressErrors as errors } from './address.errors.ts'

/** The use case validates the address (INVALID_EMAIL). */
const email = z.string().max(1024)
const limit = { max: 3, window: seconds(10) }

/** What `GET /config` returns while the feature is on. */
export interface OptionalPublicConfiguration {
  /** Users of a provider that returns no address are asked for one. */
  features: { askForEmail: true }
  /** The code that proves the address; its lifetime in seconds. */
  addressCode: { digits: number; lifetime: number }
}

export const addressContract = {
  waitingSignIn: get('/social/waiting', {
    summary: 'Returns the pending social sign-in of this browser that needs an email address, or null',
    access: 'visitor',
    answer: z
      .object({ provider: z.object({ id: z.string(), name: z.string() }), name: z.string(), expiresAt: z.date() })
      .nullable(),
    errors: [],
    budget: { durable: 1 },
    changes: [],
  }),
  sendAddressCode: post('/social/send-code', {
    summary: 'Mails a code to an email address for the pending social sign-in',
    access: 'visitor',
    input: { body: z.object({ email }) },
    answer: z.object({ status: z.boolean() }),
    errors: [errors.NO_SIGN_IN_IS_WAITING, errors.INVALID_EMAIL, guessErrors.TOO_MANY_REQUESTS],
    limits: { rate: limit },
    budget: { d1: 1, durable: 4 },
    changes: ['verification'],
  }),
  verifyAddress: post('/social/verify-code', {
    summary: 'Verifies the mailed code, then signs in to the account of the address or creates it',
    access: 'visitor',
    input: { body: z.object({ email, code: z.string().max(64) }) },
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
      core.DISPOSABLE_EMAIL,
      core.FAILED_TO_CREATE_SESSION,
      guessErrors.TOO_MANY_REQUESTS,
    ],
    limits: { whenFull: 'signs-in', rate: limit },
    budget: { d1: 3, durable: 4 },
    changes: ['user', 'session', 'account'],
    audit: 'social.verify-code',
  }),
}
