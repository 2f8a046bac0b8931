import * as z from 'zod'
import type { Proof } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import { defineOptions, flag, limitOf, positive, section } from '../../kit/options.ts'
import { days, hours, minutes, ms, seconds } from '../../kit/time.ts'

export const twoFactorOptions = defineOptions(
  'twoFactor',
  () =>
    section({
      enabled: flag(true),
      /**
       * The sign-ins that require the second factor: those with `credential`, a password (with an address, a username or
       * a phone number), or `all`.
       */
      enforceOn: z.enum(['credential', 'all']).default('credential'),
      /** The name that authenticator apps show; null: the application's. */
      issuer: z.string().nullable().default(null),
      /** Two-factor takes effect when it is enabled, without a first code. */
      skipVerificationOnEnable: flag(false),
      totpOptions: section({
        /** Whether authenticator apps are off. */
        disable: flag(false),
        /** The number of digits of a code. Many apps show 6 only. */
        digits: positive.default(6),
        /** The period of a code. Many apps use 30 seconds only. */
        period: positive.default(seconds(30)),
      }),
      otpOptions: section({
        /** Whether codes by mail are off. */
        disable: flag(false),
        /** The number of digits of a code. */
        digits: positive.default(6),
        /** Lifetime of a code. */
        period: positive.default(minutes(3)),
        /** Wrong guesses at one code. */
        allowedAttempts: positive.default(5),
        /** Guesses per account, for all codes together. A correct guess resets the count. */
        guesses: limitOf(15, minutes(30)),
      }),
      backupCodeOptions: section({
        /** The number of backup codes of a user. */
        amount: positive.default(10),
        /** The length of a code, in characters. */
        length: positive.default(10),
      }),
      /** Guesses per account, separately for TOTP codes and for backup codes. A correct guess resets the count. */
      guesses: limitOf(5, minutes(15)),
      /** How long (s) a setup waits for its first code. */
      setUpLifetime: positive.default(hours(1)),
      /** How long (s) a sign-in waits for the second factor after the first. */
      cookieMaxAge: positive.default(minutes(5)),
      /** How long a trusted device needs no second factor, since its last sign-in. */
      trustDeviceMaxAge: positive.default(days(30)),
    }),
  {
    strict: { enforceOn: 'all' },
    contradictions: ({ enabled, enforceOn, totpOptions, otpOptions }) => [
      [
        enabled && enforceOn === 'all' && totpOptions.disable && otpOptions.disable,
        'twoFactor.enforceOn',
        "must not be 'all' while twoFactor.totpOptions.disable and twoFactor.otpOptions.disable leave no second factor",
      ],
    ],
  },
)

/** The earliest start of a setup that still waits for its first code. */
export const setUpsSince = (scope: Pick<Scope, 'options' | 'now'>): Date =>
  new Date(scope.now().getTime() - ms(twoFactorOptions.of(scope).setUpLifetime))

/**
 * The proofs that require the second factor. `all`: the specification accepts the proof alone, and the second factor
 * is required only with `enforceOn: 'all'`, which the strict profile sets.
 */
const asked: Readonly<Record<Proof, 'always' | 'all' | 'never'>> = {
  password: 'always',
  key: 'always',
  possession: 'all',
  provider: 'all',
  // These proofs include or follow from a second factor, or the user cannot have a second factor yet.
  'second-factor': 'never',
  'both-factors': 'never',
  session: 'never',
  delegated: 'never',
  creation: 'never',
}

/** Whether a sign-in with such a proof requires the second factor. An unknown proof requires it. */
export function asksAfter(proven: Proof, enforceOn: 'credential' | 'all'): boolean {
  const when = Object.hasOwn(asked, proven) ? asked[proven] : 'always'
  return when === 'always' || (when === 'all' && enforceOn !== 'credential')
}
