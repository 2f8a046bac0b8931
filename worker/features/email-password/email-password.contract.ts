import * as z from 'zod'
import { get, post } from '../../http/endpoint.ts'
import { recentWithSecondFactor } from '../../http/recency.ts'
import {
  emailInput,
  passwordInput,
  presentedUser,
  statusAnswer,
  urlInput,
} from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { guessErrors } from '../../identity/verifications/guesses.errors.ts'
import { imageInput, nameInput } from '../../kit/inputs.ts'
import { seconds } from '../../kit/time.ts'
import { emailPasswordErrors as errors } from './email-password.errors.ts'

/** 3 requests in 10 seconds, per address and path. */
const guessed = { max: 3, window: seconds(10) }

const requestReset = {
  access: 'visitor',
  input: { body: z.object({ email: emailInput, redirectTo: urlInput.optional() }) },
  answer: z.object({ status: z.boolean(), message: z.string().optional() }),
  errors: [errors.RESET_PASSWORD_ISNT_ENABLED],
  budget: { d1: 1, kv: 1, durable: 1 },
  changes: ['verification'],
} as const

export const emailPasswordContract = {
  changePasswordPage: get('/.well-known/change-password', {
    // Password managers open it at the origin.
    at: { also: ['/.well-known/change-password'] },
    summary: 'Redirects to the page where users change their password (W3C, A Well-Known URL for Changing Passwords)',
    access: 'visitor',
    answer: 'redirect',
    errors: [],
    budget: {},
    changes: [],
  }),
  signUpEmail: post('/sign-up/email', {
    summary: 'Creates a user with a password and signs in',
    access: 'visitor',
    // More keys are additional fields and fields of other features, which the use case validates.
    input: {
      body: z.looseObject({
        name: nameInput.optional(),
        email: z.string().max(1024).default(''),
        password: passwordInput.default(''),
        image: imageInput.nullish(),
        callbackURL: urlInput.optional(),
      }),
    },
    answer: z.object({ token: z.string().nullable(), user: presentedUser }),
    errors: [
      errors.EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED,
      core.INVALID_EMAIL,
      core.DISPOSABLE_EMAIL,
      core.PASSWORD_TOO_SHORT,
      core.PASSWORD_TOO_LONG,
      core.PASSWORD_TOO_COMMON,
      core.USER_ALREADY_EXISTS,
      core.FAILED_TO_CREATE_USER,
    ],
    limits: { rate: guessed },
    // One of them with a username only, to check whether it is taken.
    budget: { d1: 2, durable: 1, written: 80 },
    changes: ['user', 'session'],
    audit: 'sign-up.email',
  }),
  signInEmail: post('/sign-in/email', {
    summary: 'Signs in with email address and password',
    access: 'visitor',
    input: {
      body: z.object({
        email: z.string().max(1024),
        password: passwordInput,
        callbackURL: urlInput.optional(),
        rememberMe: z.boolean().optional(),
      }),
    },
    answer: z.union([
      z.object({ redirect: z.boolean(), token: z.string(), url: z.string().optional(), user: presentedUser }),
      z.object({ twoFactorRedirect: z.boolean() }),
    ]),
    errors: [
      errors.EMAIL_AND_PASSWORD_IS_NOT_ENABLED,
      core.INVALID_EMAIL,
      core.INVALID_EMAIL_OR_PASSWORD,
      core.EMAIL_NOT_VERIFIED,
      guessErrors.TOO_MANY_REQUESTS,
    ],
    limits: { whenFull: 'signs-in', rate: guessed },
    // Two of each; one more with two-factor, to check whether the device is trusted.
    budget: { d1: 3, durable: 3 },
    changes: ['session'],
    audit: 'sign-in.email',
  }),
  requestPasswordReset: post('/request-password-reset', {
    ...requestReset,
    summary: 'Mails a link to reset the password',
  }),
  forgetPassword: post('/forget-password', {
    ...requestReset,
    summary: 'Mails a link to reset the password (older name of /request-password-reset)',
  }),
  resetPasswordLink: get('/reset-password/:token', {
    summary: 'Opens the link of a reset mail; redirects to callbackURL with the token or with error=INVALID_TOKEN',
    access: 'visitor',
    input: { params: z.object({ token: z.string().max(256) }), query: z.object({ callbackURL: urlInput }) },
    answer: 'redirect',
    errors: [],
    budget: { d1: 1, kv: 1 },
    changes: [],
  }),
  resetPassword: post('/reset-password', {
    summary: 'Sets a new password with the token of a reset mail and revokes all sessions',
    access: 'visitor',
    input: {
      query: z.object({ token: z.string().max(256).optional() }),
      body: z.object({ newPassword: passwordInput, token: z.string().max(256).optional() }),
    },
    answer: statusAnswer,
    errors: [core.INVALID_TOKEN, core.PASSWORD_TOO_SHORT, core.PASSWORD_TOO_LONG, core.PASSWORD_TOO_COMMON],
    budget: { d1: 3, kv: 1, durable: 2, read: 150, written: 100 },
    limits: { whenFull: 'secures', rate: { max: 10, window: seconds(60) } },
    changes: ['account', 'session', 'verification'],
    audit: 'reset-password',
  }),
  changePassword: post('/change-password', {
    summary: 'Changes the password; revokeOtherSessions revokes all sessions and creates a new one',
    access: 'own-session',
    accessRules: { recentFor: recentWithSecondFactor },
    input: {
      body: z.object({
        newPassword: passwordInput,
        currentPassword: passwordInput,
        revokeOtherSessions: z.boolean().optional(),
      }),
    },
    answer: z.object({ token: z.string().nullable(), user: presentedUser }),
    errors: [
      core.UNAUTHORIZED,
      core.CREDENTIAL_ACCOUNT_NOT_FOUND,
      core.INVALID_PASSWORD,
      core.PASSWORD_TOO_SHORT,
      core.PASSWORD_TOO_LONG,
      core.PASSWORD_TOO_COMMON,
      guessErrors.TOO_MANY_REQUESTS,
    ],
    limits: { whenFull: 'secures', rate: guessed },
    budget: { d1: 3, durable: 2, read: 150, written: 100 },
    changes: ['account', 'session'],
    audit: 'change-password',
  }),
}
