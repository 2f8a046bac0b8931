import * as z from 'zod'
import { post } from '../../http/endpoint.ts'
import { continued } from '../../http/sign-in.contract.ts'
import { passwordInput, presentedUser, urlInput } from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { guessErrors } from '../../identity/verifications/guesses.errors.ts'
import { minutes, seconds } from '../../kit/time.ts'
import { emailOtpErrors as errors } from './email-otp.errors.ts'

/** 3 requests a minute, per address and path. */
const limit = { max: 3, window: minutes(1) }

/** A code is valid for its type only. */
export const codeType = z.enum(['email-verification', 'sign-in', 'forget-password'])
export type CodeType = z.infer<typeof codeType>

// The use case validates the address (INVALID_EMAIL).
const email = z.string().max(1024)
const otp = z.string().max(64)
const success = z.object({ success: z.boolean() })

const codeErrors = [
  errors.INVALID_EMAIL,
  errors.INVALID_OTP,
  errors.OTP_EXPIRED,
  errors.TOO_MANY_ATTEMPTS,
  guessErrors.TOO_MANY_REQUESTS,
  errors.USER_NOT_FOUND,
] as const

/** What `GET /config` returns while the feature is on. */
export interface OptionalPublicConfiguration {
  features: { emailOtp: true }
  lifetimes: { emailCode: number }
  emailCode: { digits: number }
}

export const emailOtpContract = {
  sendVerificationOtp: post('/email-otp/send-verification-otp', {
    summary: 'Mails a code to verify the address, sign in or reset the password',
    access: 'visitor',
    input: { body: z.object({ email, type: codeType }) },
    answer: success,
    errors: [errors.INVALID_EMAIL],
    limits: { rate: limit },
    budget: { d1: 1, durable: 2 },
    changes: ['verification'],
  }),
  verifyEmailOtp: post('/email-otp/verify-email', {
    summary: 'Verifies an email address with a mailed code',
    access: 'visitor',
    input: { body: z.object({ email, otp }) },
    answer: z.object({ status: z.boolean(), token: z.string().nullable(), user: presentedUser }),
    errors: codeErrors,
    limits: { whenFull: 'signs-in', rate: limit },
    budget: { d1: 4, durable: 3 },
    changes: ['user', 'session'],
    audit: 'email-otp.verify-email',
  }),
  signInEmailOtp: post('/sign-in/email-otp', {
    summary: 'Signs in with a mailed code; creates the user if the address is unknown',
    access: 'visitor',
    input: { body: z.object({ email, otp, callbackURL: urlInput.optional() }) },
    answer: z.union([
      z.object({ token: z.string(), user: presentedUser, ...continued }),
      z.object({ twoFactorRedirect: z.boolean() }),
    ]),
    errors: [...codeErrors, core.DISPOSABLE_EMAIL],
    limits: { whenFull: 'signs-in', rate: limit },
    budget: { d1: 5, durable: 3, read: 100 },
    changes: ['user', 'session', 'account'],
    audit: 'sign-in.email-otp',
  }),
  forgetPasswordEmailOtp: post('/forget-password/email-otp', {
    summary: 'Mails a code to reset the password',
    access: 'visitor',
    input: { body: z.object({ email }) },
    answer: success,
    errors: [errors.INVALID_EMAIL, errors.USER_NOT_FOUND],
    budget: { d1: 1, durable: 1 },
    changes: ['verification'],
  }),
  resetPasswordEmailOtp: post('/email-otp/reset-password', {
    summary: 'Sets a new password with a mailed code and revokes all sessions',
    access: 'visitor',
    input: { body: z.object({ email, otp, password: passwordInput }) },
    answer: success,
    errors: [...codeErrors, core.PASSWORD_TOO_SHORT, core.PASSWORD_TOO_LONG, core.PASSWORD_TOO_COMMON],
    budget: { d1: 2, durable: 3, read: 150, written: 100 },
    limits: { whenFull: 'secures', rate: { max: 10, window: seconds(60) } },
    changes: ['account', 'session', 'verification'],
    audit: 'email-otp.reset-password',
  }),
}
