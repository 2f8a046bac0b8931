import * as z from 'zod'
import type { SignInMethod } from '../../identity/lifecycle.ts'
import { defineOptions } from '../../kit/options.ts'
import { days, minutes, seconds } from '../../kit/time.ts'

export const twoFactorOptions = defineOptions(
  'twoFactor',
  {
    enabled: true,
    /**
     * Which sign-ins ask for the second factor: those by `credential`, that is by a password (with an address, a
     * username or a phone number), or `all`.
     */
    enforceOn: 'credential' as 'credential' | 'all',
    /** The name that authenticator apps show; null: the application's. */
    issuer: null as string | null,
    /** Two-factor is on as soon as it is enabled, without a first code. */
    skipVerificationOnEnable: false,
    totpOptions: { disable: false, digits: 6, period: seconds(30) },
    otpOptions: {
      disable: false,
      digits: 6,
      period: minutes(3),
      /** Wrong guesses at one code. */
      allowedAttempts: 5,
      /** Guesses per account, at however many codes. A right one forgets those before it. */
      guesses: { max: 15, window: minutes(30) },
    },
    backupCodeOptions: { amount: 10, length: 10 },
    /** Guesses per account, at TOTP codes and at backup codes each. A right one forgets those before it. */
    guesses: { max: 5, window: minutes(15) },
    /** How long the second factor is waited for after the first. */
    cookieMaxAge: minutes(5),
    trustDeviceMaxAge: days(30),
  },
  { enforceOn: 'all' },
  { enforceOn: z.enum(['credential', 'all']), issuer: z.string().nullable() },
)

/** Sign-ins by a password. */
const byPassword: readonly SignInMethod[] = ['email', 'username', 'phone-number']

/** Sign-ins that nothing asks after: the second factor itself, and somebody who came into being a moment ago. */
const never: readonly SignInMethod[] = ['second-factor', 'sign-up']

/** Whether this way of signing in asks for the second factor. */
export const isEnforcedOn = (method: SignInMethod, enforceOn: 'credential' | 'all'): boolean =>
  enforceOn === 'all' ? !never.includes(method) : byPassword.includes(method)
