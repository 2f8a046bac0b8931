import * as z from 'zod'
import { get, post } from '../../http/endpoint.ts'
import { httpErrors as http } from '../../http/http.errors.ts'
import { recentWithoutPassword } from '../../http/recency.ts'
import { continued } from '../../http/sign-in.contract.ts'
import { passwordInput, presentedUser, statusAnswer, urlInput } from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { guessErrors } from '../../identity/verifications/guesses.errors.ts'
import { listOf } from '../../kit/page.ts'
import { seconds } from '../../kit/time.ts'
import { twoFactorErrors as errors } from './two-factor.errors.ts'

/** 3 requests in 10 seconds, per address and path. */
const limit = { max: 3, window: seconds(10) }

/** A user without a password leaves it out, and has authenticated recently. */
const password = z.object({ password: passwordInput.optional() })
const code = z.object({
  code: z.string().min(1).max(64),
  trustDevice: z.boolean().optional(),
  /** The requested target; the response contains it as `url` if it is permitted. */
  callbackURL: urlInput.optional(),
})
const backupCodes = listOf(z.string())
const verified = z.object({ ...continued, token: z.string().optional(), user: presentedUser })

const passwordGiven = [
  core.UNAUTHORIZED,
  http.OWN_SESSION_REQUIRED,
  errors.NO_PASSWORD_CREDENTIAL_FOUND,
  core.INVALID_PASSWORD,
  core.SESSION_IS_NOT_FRESH,
  guessErrors.TOO_MANY_REQUESTS,
] as const

const codeGiven = [
  errors.INVALID_TWO_FACTOR_COOKIE,
  http.OWN_SESSION_REQUIRED,
  core.FAILED_TO_CREATE_SESSION,
  guessErrors.TOO_MANY_REQUESTS,
] as const

/** What `GET /config` returns while the feature is on. */
export interface OptionalPublicConfiguration {
  features: { twoFactor: true }
  lifetimes: { secondFactorCode: number }
  /** Null for a disabled kind of code; trustDeviceMaxAge in seconds. */
  twoFactor: { totp: { digits: number } | null; otp: { digits: number } | null; trustDeviceMaxAge: number }
}

export const twoFactorContract = {
  enableTwoFactor: post('/two-factor/enable', {
    summary:
      'Starts two-factor setup and returns a secret and backup codes; the first verified code enables two-factor',
    access: 'own-session',
    accessRules: { recentFor: recentWithoutPassword },
    input: { body: password.extend({ issuer: z.string().trim().min(1).max(64).optional() }) },
    answer: z.object({ totpURI: z.string(), backupCodes }),
    errors: [...passwordGiven, core.FAILED_TO_CREATE_SESSION],
    limits: { whenFull: 'secures', rate: limit },
    budget: { d1: 3, durable: 2 },
    changes: ['user', 'session', 'account'],
    audit: 'two-factor.enable',
  }),
  disableTwoFactor: post('/two-factor/disable', {
    summary: 'Disables two-factor, deletes its secret, codes and trusted devices, and replaces the session',
    access: 'own-session',
    accessRules: { recentFor: recentWithoutPassword },
    input: { body: password },
    answer: statusAnswer,
    errors: [...passwordGiven, core.FAILED_TO_CREATE_SESSION],
    limits: { whenFull: 'secures', rate: limit },
    budget: { d1: 3, durable: 2 },
    changes: ['user', 'session', 'account'],
    audit: 'two-factor.disable',
  }),
  getTotpUri: post('/two-factor/get-totp-uri', {
    summary: 'Returns the TOTP URI for the QR code of an authenticator app',
    access: 'own-session',
    accessRules: { recentFor: recentWithoutPassword },
    input: { body: password },
    answer: z.object({ totpURI: z.string() }),
    errors: [...passwordGiven, errors.TOTP_NOT_ENABLED, errors.TOTP_ISNT_CONFIGURED],
    limits: { rate: limit },
    budget: { d1: 3, durable: 2 },
    changes: [],
  }),
  verifyTotp: post('/two-factor/verify-totp', {
    summary: 'Verifies a code of an authenticator app and completes the sign-in or the setup',
    access: 'visitor',
    input: { body: code },
    answer: verified,
    errors: [...codeGiven, errors.TOTP_ISNT_CONFIGURED, errors.TOTP_NOT_ENABLED, errors.INVALID_CODE],
    limits: { whenFull: 'signs-in', rate: limit },
    budget: { d1: 2, durable: 2 },
    changes: ['session', 'user', 'verification'],
    audit: 'two-factor.verify-totp',
  }),
  sendTwoFactorOtp: post('/two-factor/send-otp', {
    summary: 'Mails a two-factor code to the user',
    access: 'visitor',
    // The client may send this early. Only the value that comes with the code counts.
    input: { body: z.object({ trustDevice: z.boolean().optional() }) },
    answer: statusAnswer,
    errors: [
      errors.INVALID_TWO_FACTOR_COOKIE,
      http.OWN_SESSION_REQUIRED,
      errors.OTP_ISNT_CONFIGURED,
      errors.OTP_NOT_ENABLED,
    ],
    limits: { rate: limit },
    // One of the round trips only records a failed mail.
    budget: { d1: 2, durable: 2 },
    changes: ['verification'],
  }),
  verifyTwoFactorOtp: post('/two-factor/verify-otp', {
    summary: 'Verifies a mailed code and completes the sign-in',
    access: 'visitor',
    input: { body: code },
    answer: verified,
    errors: [
      ...codeGiven,
      errors.OTP_ISNT_CONFIGURED,
      errors.OTP_NOT_ENABLED,
      errors.OTP_HAS_EXPIRED,
      errors.TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE,
      errors.INVALID_CODE,
    ],
    limits: { whenFull: 'signs-in', rate: limit },
    budget: { d1: 2, durable: 2 },
    changes: ['session', 'user', 'verification'],
    audit: 'two-factor.verify-otp',
  }),
  verifyBackupCode: post('/two-factor/verify-backup-code', {
    summary: 'Verifies a single-use backup code and completes the sign-in',
    access: 'visitor',
    input: { body: code.extend({ disableSession: z.boolean().optional() }) },
    answer: verified,
    errors: [...codeGiven, errors.BACKUP_CODES_ARENT_ENABLED, errors.INVALID_BACKUP_CODE],
    limits: { whenFull: 'signs-in', rate: limit },
    budget: { d1: 2, durable: 2 },
    changes: ['session', 'account', 'verification'],
    audit: 'two-factor.verify-backup-code',
  }),
  generateBackupCodes: post('/two-factor/generate-backup-codes', {
    summary: 'Replaces the backup codes and returns the new ones',
    access: 'own-session',
    accessRules: { recentFor: recentWithoutPassword },
    input: { body: password },
    answer: z.object({ status: z.boolean(), backupCodes }),
    errors: [...passwordGiven, errors.TWO_FACTOR_ISNT_ENABLED],
    limits: { whenFull: 'secures', rate: limit },
    // One of the round trips occurs only when the result of the write is unknown.
    budget: { d1: 5, durable: 2 },
    changes: ['account'],
    audit: 'two-factor.generate-backup-codes',
  }),
  twoFactorStatus: get('/two-factor/status', {
    summary: 'Returns the two-factor state and the numbers of backup codes and trusted devices',
    access: 'session',
    answer: z.object({ enabled: z.boolean(), backupCodesLeft: z.number(), trustedDevices: z.number() }),
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1 },
    changes: [],
  }),
  forgetTrustedDevices: post('/two-factor/forget-devices', {
    summary: 'Revokes all trusted devices',
    access: 'own-session',
    answer: statusAnswer,
    errors: [core.UNAUTHORIZED, http.OWN_SESSION_REQUIRED],
    limits: { whenFull: 'ends', rate: limit },
    budget: { d1: 2, durable: 1 },
    changes: ['account'],
    audit: 'two-factor.forget-devices',
  }),
  twoFactorChallenge: get('/two-factor/challenge', {
    summary: 'Returns the second factors and the expiry of the pending sign-in of this browser',
    access: 'visitor',
    answer: z.object({
      /** Distinguishes this pending sign-in from others of the browser. It grants nothing. */
      id: z.string(),
      methods: listOf(z.enum(['passkey', 'totp', 'otp', 'backup-code'])),
      email: z.string(),
      /** Seconds. */
      expiresIn: z.number(),
      /** The sign-in is from an unknown place. A user without a second factor then gets a mailed code. */
      newPlace: z.boolean(),
    }),
    errors: [errors.INVALID_TWO_FACTOR_COOKIE],
    budget: { d1: 1 },
    changes: [],
  }),
}
