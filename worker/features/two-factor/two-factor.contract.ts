import * as z from 'zod'
import { continued } from '../../http/continue-to.ts'
import { endpoint } from '../../http/endpoint.ts'
import { httpErrors as http } from '../../http/http.errors.ts'
import { passwordInput, presentedUser, statusAnswer, urlInput } from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { guessErrors } from '../../identity/verifications/guesses.errors.ts'
import { seconds } from '../../kit/time.ts'
import { twoFactorErrors as errors } from './two-factor.errors.ts'

/** 3 requests in 10 seconds, per address and path. */
const limit = { max: 3, window: seconds(10) }

const password = z.object({ password: passwordInput })
const code = z.object({
  code: z.string().min(1).max(64),
  trustDevice: z.boolean().optional(),
  /** Where the caller wants to go; answered as `url` when it may be gone to. */
  callbackURL: urlInput.optional(),
})
const backupCodes = z.array(z.string())
const verified = z.object({ ...continued, token: z.string().optional(), user: presentedUser })

const passwordGiven = [
  core.UNAUTHORIZED,
  http.OWN_SESSION_REQUIRED,
  errors.NO_PASSWORD_CREDENTIAL_FOUND,
  core.INVALID_PASSWORD,
  guessErrors.TOO_MANY_REQUESTS,
] as const

const codeGiven = [
  errors.INVALID_TWO_FACTOR_COOKIE,
  http.OWN_SESSION_REQUIRED,
  core.FAILED_TO_CREATE_SESSION,
  guessErrors.TOO_MANY_REQUESTS,
] as const

export const twoFactorContract = {
  enableTwoFactor: endpoint({
    method: 'POST',
    path: '/two-factor/enable',
    summary: 'Begins the set-up: a secret and backup codes, in force with the first code',
    access: 'own-session',
    body: password.extend({ issuer: z.string().trim().min(1).max(64).optional() }),
    answer: z.object({ totpURI: z.string(), backupCodes }),
    errors: [...passwordGiven, core.FAILED_TO_CREATE_SESSION],
    limit,
    budget: { d1: 3, durable: 2 },
    changes: ['user', 'session', 'account'],
  }),
  disableTwoFactor: endpoint({
    method: 'POST',
    path: '/two-factor/disable',
    summary: 'Turns two-factor off; forgets secret, codes and trusted devices; replaces the session',
    access: 'own-session',
    body: password,
    answer: statusAnswer,
    errors: [...passwordGiven, core.FAILED_TO_CREATE_SESSION],
    limit,
    budget: { d1: 3, durable: 2 },
    changes: ['user', 'session', 'account'],
  }),
  getTotpUri: endpoint({
    method: 'POST',
    path: '/two-factor/get-totp-uri',
    summary: 'The address that an authenticator app reads from a QR code',
    access: 'own-session',
    body: password,
    answer: z.object({ totpURI: z.string() }),
    errors: [...passwordGiven, errors.TOTP_NOT_ENABLED, errors.TOTP_ISNT_CONFIGURED],
    limit,
    budget: { d1: 3, durable: 2 },
    changes: [],
  }),
  verifyTotp: endpoint({
    method: 'POST',
    path: '/two-factor/verify-totp',
    summary: 'Ends a sign-in, or the set-up, with a code of an authenticator app',
    access: 'visitor',
    body: code,
    answer: verified,
    errors: [...codeGiven, errors.TOTP_ISNT_CONFIGURED, errors.TOTP_NOT_ENABLED, errors.INVALID_CODE],
    limit,
    budget: { d1: 2, durable: 2 },
    changes: ['session', 'user', 'verification'],
  }),
  sendTwoFactorOtp: endpoint({
    method: 'POST',
    path: '/two-factor/send-otp',
    summary: 'Mails a code',
    access: 'visitor',
    // The client says here already whether it will trust the device; what counts is what comes with the code.
    body: z.object({ trustDevice: z.boolean().optional() }),
    answer: statusAnswer,
    errors: [
      errors.INVALID_TWO_FACTOR_COOKIE,
      http.OWN_SESSION_REQUIRED,
      errors.OTP_ISNT_CONFIGURED,
      errors.OTP_NOT_ENABLED,
    ],
    limit,
    // One of the round trips only for a mail that the transport did not take: it is written down.
    budget: { d1: 2, durable: 2 },
    changes: ['verification'],
  }),
  verifyTwoFactorOtp: endpoint({
    method: 'POST',
    path: '/two-factor/verify-otp',
    summary: 'Ends a sign-in with a mailed code',
    access: 'visitor',
    body: code,
    answer: verified,
    errors: [
      ...codeGiven,
      errors.OTP_ISNT_CONFIGURED,
      errors.OTP_NOT_ENABLED,
      errors.OTP_HAS_EXPIRED,
      errors.TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE,
      errors.INVALID_CODE,
    ],
    limit,
    budget: { d1: 2, durable: 2 },
    changes: ['session', 'user', 'verification'],
  }),
  verifyBackupCode: endpoint({
    method: 'POST',
    path: '/two-factor/verify-backup-code',
    summary: 'Ends a sign-in with a backup code, which works once',
    access: 'visitor',
    body: code.extend({ disableSession: z.boolean().optional() }),
    answer: verified,
    errors: [...codeGiven, errors.BACKUP_CODES_ARENT_ENABLED, errors.INVALID_BACKUP_CODE],
    limit,
    budget: { d1: 2, durable: 2 },
    changes: ['session', 'account', 'verification'],
  }),
  generateBackupCodes: endpoint({
    method: 'POST',
    path: '/two-factor/generate-backup-codes',
    summary: 'New backup codes; the old ones end',
    access: 'own-session',
    body: password,
    answer: z.object({ status: z.boolean(), backupCodes }),
    errors: [...passwordGiven, errors.TWO_FACTOR_ISNT_ENABLED],
    limit,
    // One of the round trips only when nobody knows whether the write was done.
    budget: { d1: 4, durable: 2 },
    changes: ['account'],
  }),
  twoFactorStatus: endpoint({
    method: 'GET',
    path: '/two-factor/status',
    summary: 'Whether two-factor is on, how many backup codes are left, how many devices are trusted',
    access: 'session',
    answer: z.object({ enabled: z.boolean(), backupCodesLeft: z.number(), trustedDevices: z.number() }),
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1 },
    changes: [],
  }),
  forgetTrustedDevices: endpoint({
    method: 'POST',
    path: '/two-factor/forget-devices',
    summary: 'Every trusted device has to give the second factor again',
    access: 'own-session',
    answer: statusAnswer,
    errors: [core.UNAUTHORIZED, http.OWN_SESSION_REQUIRED],
    limit,
    budget: { d1: 2, durable: 1 },
    changes: ['account'],
  }),
  twoFactorChallenge: endpoint({
    method: 'GET',
    path: '/two-factor/challenge',
    summary: 'What the sign-in that waits in this browser may be finished with, and until when',
    access: 'visitor',
    answer: z.object({
      methods: z.array(z.enum(['totp', 'otp', 'backup-code'])),
      email: z.string(),
      /** Seconds. */
      expiresIn: z.number(),
    }),
    errors: [errors.INVALID_TWO_FACTOR_COOKIE],
    budget: { d1: 1 },
    changes: [],
  }),
}
