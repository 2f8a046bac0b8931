import * as z from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import {
  emailInput,
  passwordInput,
  presentedUser,
  statusAnswer,
  urlInput,
} from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { guessErrors } from '../../identity/verifications/guesses.errors.ts'
import { seconds } from '../../kit/time.ts'
import { emailPasswordErrors as errors } from './email-password.errors.ts'

/** 3 requests in 10 seconds, per address and path. */
const guessed = { max: 3, window: seconds(10) }

const requestReset = {
  method: 'POST',
  access: 'visitor',
  body: z.object({ email: emailInput, redirectTo: urlInput.optional() }),
  answer: z.object({ status: z.boolean(), message: z.string().optional() }),
  errors: [errors.RESET_PASSWORD_ISNT_ENABLED],
  budget: { d1: 1, kv: 1, durable: 1 },
  changes: ['verification'],
} as const

export const emailPasswordContract = {
  signUpEmail: endpoint({
    method: 'POST',
    path: '/sign-up/email',
    summary: 'Creates a user with a password, and signs in',
    access: 'visitor',
    // Extra keys are the fields of the configuration and of other features. What the values must be, the use case says.
    body: z.looseObject({
      name: z.string().max(256).optional(),
      email: z.string().max(1024).default(''),
      password: passwordInput.default(''),
      image: urlInput.nullish(),
      callbackURL: urlInput.optional(),
    }),
    answer: z.object({ token: z.string().nullable(), user: presentedUser }),
    errors: [
      errors.EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED,
      core.INVALID_EMAIL,
      core.PASSWORD_TOO_SHORT,
      core.PASSWORD_TOO_LONG,
      core.USER_ALREADY_EXISTS,
      core.FAILED_TO_CREATE_USER,
    ],
    limit: guessed,
    // One of them only with a username: whether it is taken.
    budget: { d1: 2, durable: 1 },
    changes: ['user', 'session'],
  }),
  signInEmail: endpoint({
    method: 'POST',
    path: '/sign-in/email',
    summary: 'Signs in by email and password',
    access: 'visitor',
    body: z.object({
      email: z.string().max(1024),
      password: passwordInput,
      callbackURL: urlInput.optional(),
      rememberMe: z.boolean().optional(),
    }),
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
    limit: guessed,
    // Two of each; one more only with two-factor on: whether the device is trusted.
    budget: { d1: 3, durable: 3 },
    changes: ['session'],
  }),
  requestPasswordReset: endpoint({
    ...requestReset,
    path: '/request-password-reset',
    summary: 'Mails a link to choose a new password',
  }),
  forgetPassword: endpoint({
    ...requestReset,
    path: '/forget-password',
    summary: 'The older name of /request-password-reset',
  }),
  resetPasswordLink: endpoint({
    method: 'GET',
    path: '/reset-password/:token',
    summary: 'The link of a reset mail: redirects to callbackURL with the token, or with error=INVALID_TOKEN',
    access: 'visitor',
    params: z.object({ token: z.string().max(256) }),
    query: z.object({ callbackURL: urlInput }),
    answer: 'redirect',
    errors: [],
    budget: { d1: 1, kv: 1 },
    changes: [],
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/reset-password',
    summary: 'Chooses a new password with the token of a reset mail; ends all sessions',
    access: 'visitor',
    query: z.object({ token: z.string().max(256).optional() }),
    body: z.object({ newPassword: passwordInput, token: z.string().max(256).optional() }),
    answer: statusAnswer,
    errors: [core.INVALID_TOKEN, core.PASSWORD_TOO_SHORT, core.PASSWORD_TOO_LONG],
    budget: { d1: 3, kv: 1, durable: 1 },
    changes: ['account', 'session', 'verification'],
  }),
  changePassword: endpoint({
    method: 'POST',
    path: '/change-password',
    summary: 'Changes the password; with revokeOtherSessions ends all sessions and begins a new one',
    access: 'own-session',
    body: z.object({
      newPassword: passwordInput,
      currentPassword: passwordInput,
      revokeOtherSessions: z.boolean().optional(),
    }),
    answer: z.object({ token: z.string().nullable(), user: presentedUser }),
    errors: [
      core.UNAUTHORIZED,
      core.CREDENTIAL_ACCOUNT_NOT_FOUND,
      core.INVALID_PASSWORD,
      core.PASSWORD_TOO_SHORT,
      core.PASSWORD_TOO_LONG,
      guessErrors.TOO_MANY_REQUESTS,
    ],
    limit: guessed,
    budget: { d1: 3, durable: 2 },
    changes: ['account', 'session'],
  }),
}
