import * as z from 'zod'
import { continued } from '../../http/continue-to.ts'
import { endpoint } from '../../http/endpoint.ts'
import { passwordInput, presentedUser, statusAnswer, urlInput } from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { guessErrors } from '../../identity/verifications/guesses.errors.ts'
import { minutes, seconds } from '../../kit/time.ts'
import { phoneNumberErrors as errors } from './phone-number.errors.ts'

/** 10 requests a minute, per address and path. */
const limit = { max: 10, window: minutes(1) }

// Whether it is a number the validator of the configuration says.
const phoneNumber = z.string().max(64)
const code = z.string().max(64)

const twoFactorRedirect = z.object({ twoFactorRedirect: z.boolean() })
const codeErrors = [
  errors.OTP_NOT_FOUND,
  errors.OTP_EXPIRED,
  errors.INVALID_OTP,
  errors.TOO_MANY_ATTEMPTS,
  guessErrors.TOO_MANY_REQUESTS,
] as const

const requestReset = {
  method: 'POST',
  access: 'visitor',
  body: z.object({ phoneNumber }),
  answer: statusAnswer,
  errors: [errors.PHONE_NUMBER_ISNT_REGISTERED],
  limit,
  budget: { d1: 1, durable: 2 },
  changes: ['verification'],
} as const

export const phoneNumberContract = {
  signInPhoneNumber: endpoint({
    method: 'POST',
    path: '/sign-in/phone-number',
    summary: 'Signs in by phone number and password',
    access: 'visitor',
    body: z.object({
      phoneNumber,
      password: passwordInput,
      rememberMe: z.boolean().optional(),
      callbackURL: urlInput.optional(),
    }),
    answer: z.union([z.object({ token: z.string(), user: presentedUser, ...continued }), twoFactorRedirect]),
    errors: [
      errors.INVALID_PHONE_NUMBER,
      errors.INVALID_PHONE_NUMBER_OR_PASSWORD,
      errors.PHONE_NUMBER_NOT_VERIFIED,
      guessErrors.TOO_MANY_REQUESTS,
    ],
    // As for every sign-in by password.
    limit: { max: 3, window: seconds(10) },
    // One of the three only with two-factor on: whether the device is trusted.
    budget: { d1: 3, durable: 3 },
    changes: ['session'],
  }),
  phoneSendOtp: endpoint({
    method: 'POST',
    path: '/phone-number/send-otp',
    summary: 'Sends a code in a text message, to verify a number or to sign in by it',
    access: 'visitor',
    body: z.object({ phoneNumber }),
    answer: z.object({ message: z.string() }),
    errors: [errors.INVALID_PHONE_NUMBER],
    limit,
    budget: { d1: 2, durable: 2 },
    changes: ['verification'],
  }),
  phoneVerify: endpoint({
    method: 'POST',
    path: '/phone-number/verify',
    summary: "Verifies a number by its code: signs in, or with updatePhoneNumber makes it the caller's",
    access: 'visitor',
    ownSessionFor: ['updatePhoneNumber'],
    body: z.object({
      phoneNumber,
      code,
      disableSession: z.boolean().optional(),
      updatePhoneNumber: z.boolean().optional(),
      callbackURL: urlInput.optional(),
    }),
    answer: z.union([
      z.object({ status: z.boolean(), token: z.string().nullable(), user: presentedUser, ...continued }),
      twoFactorRedirect,
    ]),
    errors: [
      ...codeErrors,
      errors.USER_NOT_FOUND,
      errors.PHONE_NUMBER_ALREADY_EXISTS,
      errors.PHONE_NUMBER_ISNT_REGISTERED,
      errors.UNEXPECTED_ERROR,
    ],
    limit,
    budget: { d1: 5, durable: 3 },
    changes: ['user', 'session'],
  }),
  phoneRequestPasswordReset: endpoint({
    ...requestReset,
    path: '/phone-number/request-password-reset',
    summary: 'Sends a code to reset the password',
  }),
  phoneForgetPassword: endpoint({
    ...requestReset,
    path: '/phone-number/forget-password',
    summary: 'The older name of /phone-number/request-password-reset',
  }),
  phoneResetPassword: endpoint({
    method: 'POST',
    path: '/phone-number/reset-password',
    summary: 'Chooses a new password with the code of a text message; ends all sessions',
    access: 'visitor',
    body: z.object({ phoneNumber, otp: code, newPassword: passwordInput }),
    answer: statusAnswer,
    errors: [...codeErrors, core.PASSWORD_TOO_SHORT, core.PASSWORD_TOO_LONG],
    limit,
    // The third where somebody is signed in: their own browser has guesses of its own.
    budget: { d1: 3, durable: 3 },
    changes: ['account', 'session', 'verification'],
  }),
}
