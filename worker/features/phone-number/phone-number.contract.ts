import * as z from 'zod'
import { post } from '../../http/endpoint.ts'
import { continued } from '../../http/sign-in.contract.ts'
import { passwordInput, presentedUser, statusAnswer, urlInput } from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { guessErrors } from '../../identity/verifications/guesses.errors.ts'
import { minutes, seconds } from '../../kit/time.ts'
import { phoneNumberErrors as errors } from './phone-number.errors.ts'

/** 10 requests a minute, per address and path. */
const limit = { max: 10, window: minutes(1) }

// The configured validator checks the number.
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
  access: 'visitor',
  input: { body: z.object({ phoneNumber }) },
  answer: statusAnswer,
  errors: [errors.PHONE_NUMBER_ISNT_REGISTERED],
  limits: { rate: limit },
  budget: { d1: 1, durable: 2 },
  changes: ['verification'],
} as const

/** What `GET /config` returns while the feature is on. */
export interface OptionalPublicConfiguration {
  /** With `phoneSignUp`, the verification of a number creates an account. */
  features: { phoneNumber: true; phoneSignUp: boolean }
  lifetimes: { phoneCode: number }
  /** The country of the request ('DE'), where Cloudflare knows it. */
  phoneCountry: string | null
  phoneCode: { digits: number }
}

export const phoneNumberContract = {
  signInPhoneNumber: post('/sign-in/phone-number', {
    summary: 'Signs in with phone number and password',
    access: 'visitor',
    input: {
      body: z.object({
        phoneNumber,
        password: passwordInput,
        rememberMe: z.boolean().optional(),
        callbackURL: urlInput.optional(),
      }),
    },
    answer: z.union([z.object({ token: z.string(), user: presentedUser, ...continued }), twoFactorRedirect]),
    errors: [
      errors.INVALID_PHONE_NUMBER,
      errors.INVALID_PHONE_NUMBER_OR_PASSWORD,
      errors.PHONE_NUMBER_NOT_VERIFIED,
      guessErrors.TOO_MANY_REQUESTS,
    ],
    limits: { whenFull: 'signs-in', rate: { max: 3, window: seconds(10) } },
    // One of the three only with two-factor, to check whether the device is trusted.
    budget: { d1: 3, durable: 3 },
    changes: ['session'],
    audit: 'sign-in.phone-number',
  }),
  phoneSendOtp: post('/phone-number/send-otp', {
    summary: 'Sends a code by text message to verify a phone number or sign in',
    access: 'visitor',
    input: { body: z.object({ phoneNumber }) },
    answer: z.object({ message: z.string() }),
    errors: [errors.INVALID_PHONE_NUMBER],
    limits: { rate: limit },
    budget: { d1: 2, durable: 2 },
    changes: ['verification'],
  }),
  phoneVerify: post('/phone-number/verify', {
    summary: 'Verifies a phone number with its code and signs in; updatePhoneNumber assigns the number to the caller',
    access: 'visitor',
    accessRules: { ownSessionFor: ['updatePhoneNumber'], recentFor: ['updatePhoneNumber'], addsWayIn: true },
    input: {
      body: z.object({
        phoneNumber,
        code,
        disableSession: z.boolean().optional(),
        updatePhoneNumber: z.boolean().optional(),
        callbackURL: urlInput.optional(),
      }),
    },
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
    limits: { whenFull: 'signs-in', rate: limit },
    budget: { d1: 5, durable: 3 },
    changes: ['user', 'session'],
    audit: 'phone-number.verify',
  }),
  phoneRequestPasswordReset: post('/phone-number/request-password-reset', {
    ...requestReset,
    summary: 'Sends a code by text message to reset the password',
  }),
  phoneForgetPassword: post('/phone-number/forget-password', {
    ...requestReset,
    summary: 'Sends a code by text message to reset the password (older name of /phone-number/request-password-reset)',
  }),
  phoneResetPassword: post('/phone-number/reset-password', {
    summary: 'Sets a new password with the code of a text message and revokes all sessions',
    access: 'visitor',
    input: { body: z.object({ phoneNumber, otp: code, newPassword: passwordInput }) },
    answer: statusAnswer,
    errors: [...codeErrors, core.PASSWORD_TOO_SHORT, core.PASSWORD_TOO_LONG, core.PASSWORD_TOO_COMMON],
    limits: { whenFull: 'secures', rate: limit },
    // The third for a signed-in user, whose own browser has a separate budget of guesses.
    budget: { d1: 3, durable: 3, read: 150, written: 100 },
    changes: ['account', 'session', 'verification'],
    audit: 'phone-number.reset-password',
  }),
}
