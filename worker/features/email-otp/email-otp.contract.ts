import * as z from 'zod'
import { continued } from '../../http/continue-to.ts'
import { endpoint } from '../../http/endpoint.ts'
import { passwordInput, presentedUser, urlInput } from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { guessErrors } from '../../identity/verifications/guesses.errors.ts'
import { minutes } from '../../kit/time.ts'
import { emailOtpErrors as errors } from './email-otp.errors.ts'

/** 3 requests a minute, per address and path. */
const limit = { max: 3, window: minutes(1) }

/** What a code is for. A code of one type is none of another. */
export const codeType = z.enum(['email-verification', 'sign-in', 'forget-password'])
export type CodeType = z.infer<typeof codeType>

// Whether it is an address the use case says, with a code of its own.
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

export const emailOtpContract = {
  sendVerificationOtp: endpoint({
    method: 'POST',
    path: '/email-otp/send-verification-otp',
    summary: 'Mails a code to verify the address, to sign in, or to reset the password',
    access: 'visitor',
    body: z.object({ email, type: codeType }),
    answer: success,
    errors: [errors.INVALID_EMAIL],
    limit,
    budget: { d1: 1, durable: 2 },
    changes: ['verification'],
  }),
  verifyEmailOtp: endpoint({
    method: 'POST',
    path: '/email-otp/verify-email',
    summary: 'Verifies the address by a mailed code',
    access: 'visitor',
    body: z.object({ email, otp }),
    answer: z.object({ status: z.boolean(), token: z.string().nullable(), user: presentedUser }),
    errors: codeErrors,
    limit,
    budget: { d1: 4, durable: 3 },
    changes: ['user', 'session'],
  }),
  signInEmailOtp: endpoint({
    method: 'POST',
    path: '/sign-in/email-otp',
    summary: 'Signs in by a mailed code, and signs up who is new',
    access: 'visitor',
    body: z.object({ email, otp, callbackURL: urlInput.optional() }),
    answer: z.union([
      z.object({ token: z.string(), user: presentedUser, ...continued }),
      z.object({ twoFactorRedirect: z.boolean() }),
    ]),
    errors: codeErrors,
    limit,
    budget: { d1: 5, durable: 3 },
    changes: ['user', 'session', 'account'],
  }),
  forgetPasswordEmailOtp: endpoint({
    method: 'POST',
    path: '/forget-password/email-otp',
    summary: 'Mails a code to reset the password',
    access: 'visitor',
    body: z.object({ email }),
    answer: success,
    errors: [errors.INVALID_EMAIL, errors.USER_NOT_FOUND],
    budget: { d1: 1, durable: 1 },
    changes: ['verification'],
  }),
  resetPasswordEmailOtp: endpoint({
    method: 'POST',
    path: '/email-otp/reset-password',
    summary: 'Chooses a new password with a mailed code; ends all sessions',
    access: 'visitor',
    body: z.object({ email, otp, password: passwordInput }),
    answer: success,
    errors: [...codeErrors, core.PASSWORD_TOO_SHORT, core.PASSWORD_TOO_LONG],
    budget: { d1: 2, durable: 2 },
    changes: ['account', 'session', 'verification'],
  }),
}
